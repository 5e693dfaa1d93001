import { addressIn, nameIn } from '../../schemas/fields/text.ts';
import { domainOf, toAsciiDomain } from './address.ts';

/** Possible sources of an email's sender, in the order of the request's precedence. */
export type SenderSources = {
  options?: { fromAddress?: string | undefined; fromName?: string | undefined } | undefined;
  /** The request's `email` block. */
  content?: { senderEmail?: string | undefined; senderName?: string | undefined } | undefined;
  template?: { senderEmail?: string | undefined; senderName?: string | undefined } | undefined;
  /** The account's default sender. */
  account?: { address?: string | undefined; name?: string | undefined } | undefined;
};

/**
 * The sender of an email: address and name each from the first source that has one, so that a request may
 * change only the name. Empty text counts as absent. Undefined if no source has an address.
 */
export function findSender(sources: SenderSources): { address: string; name?: string } | undefined {
  const { options, content, template, account } = sources;
  const address = firstFilled(
    options?.fromAddress,
    content?.senderEmail,
    template?.senderEmail,
    account?.address,
  );
  if (address === undefined) return undefined;
  const named = [
    [options?.fromName, options?.fromAddress],
    [content?.senderName, content?.senderEmail],
    [template?.senderName, template?.senderEmail],
  ].flatMap(([own, sender]) => [own, sender && nameIn(sender)]);
  const name = firstFilled(...named, account?.name);
  return name === undefined ? { address: addressIn(address) } : { address: addressIn(address), name };
}

/** True if the address's domain is, or is below, a sender domain whose status is SUCCESS. */
export function isVerifiedSender(
  address: string,
  domains: readonly { sender: string; status: string }[],
): boolean {
  const domain = domainOf(address);
  if (domain === '') return false;
  return domains.some(({ sender, status }) => {
    const verified = toAsciiDomain(sender);
    return (
      status === 'SUCCESS' && verified !== '' && (domain === verified || domain.endsWith(`.${verified}`))
    );
  });
}

function firstFilled(...values: (string | undefined)[]): string | undefined {
  return values.map((value) => value?.trim()).find((value) => value !== undefined && value !== '');
}
