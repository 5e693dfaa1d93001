import type { Signer, SigningPurpose } from './signer.ts';

/** What programs take for a part of a link: the end of the sentence, or the brackets around it. */
const AFTER_LINK = /(?<![^\w-])[^\w-]+$/;

/** A token for a link: `<payload>.<signature>`, base64url. */
export async function signed(signer: Signer, purpose: SigningPurpose, payload: string): Promise<string> {
  const text = Buffer.from(payload).toString('base64url');
  return `${text}.${await signer.sign(purpose, text)}`;
}

/** The payload of a token; undefined if this service did not sign it for this purpose. */
export async function verified(
  signer: Signer,
  purpose: SigningPurpose,
  token: string,
): Promise<string | undefined> {
  const [text, signature, ...rest] = token.replace(AFTER_LINK, '').split('.');
  if (!text || !signature || rest.length > 0 || !(await signer.verify(purpose, text, signature)))
    return undefined;
  return Buffer.from(text, 'base64url').toString('utf8');
}
