import { plainTextOf } from './plain-text.ts';

type Required = { unsubscribeUrl: string | undefined; postalAddress: string | undefined };

const squeezed = (text: string) =>
  text
    .replace(/[\s,;·|]+/g, ' ')
    .trim()
    .toLowerCase();

/** What a marketing email lacks of what the law asks; undefined if nothing. */
export function marketingProblem(
  html: string,
  { unsubscribeUrl, postalAddress }: Required,
): string | undefined {
  // Comments, styles and what is hidden are not in it.
  const text = plainTextOf(html);
  if (unsubscribeUrl === undefined || !text.includes(unsubscribeUrl))
    return 'an email of purpose marketing must contain {{ unsubscribe_url }}, which emails with copies do not have';
  if (postalAddress === undefined)
    return 'the account has no postalAddress, which marketing email must contain';
  if (!squeezed(text).includes(squeezed(postalAddress)))
    return "an email of purpose marketing must contain the account's postalAddress";
  return undefined;
}
