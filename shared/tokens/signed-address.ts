import type { Signer } from './signer.ts';

/** Where bounces of an email return, and where an email turns its type off, as List-Unsubscribe names it. */
const PREFIXES = { 'return-path': 'b', 'unsubscribe-address': 'u' } as const;
type Purpose = keyof typeof PREFIXES;
const FORM = /^([bu])\+([0-9a-f-]{36})-([0-9a-f]{24})$/;

const localOf = (address: string) => address.slice(0, address.lastIndexOf('@'));

/** True if an address has the form of a signed one, valid or not: on the mail domain, or as a return path on the subdomain of a sender. */
export function isSignedAddress(address: string, mailDomain: string | undefined): boolean {
  const isOurs = mailDomain !== undefined && address.endsWith(`@${mailDomain}`);
  const hasForm = FORM.test(localOf(address));
  return address.startsWith('b+') ? isOurs || (address.includes('@mail.') && hasForm) : isOurs && hasForm;
}

/**
 * An address of an email, `b+<tracking ID>-<signature>@<domain>` or `u+…`. Every email contains the tracking ID, so that alone
 * proves nothing: only servers on the way see the return path, and only the recipient the address to unsubscribe.
 */
export async function writeSignedAddress(
  signer: Signer,
  purpose: Purpose,
  trackingId: string,
  domain: string,
): Promise<string> {
  return `${PREFIXES[purpose]}+${trackingId}-${await signer.sign(purpose, trackingId)}@${domain}`;
}

/** The tracking ID of such an address; undefined when this deployment did not sign it for this purpose. */
export async function readSignedAddress(
  signer: Signer,
  purpose: Purpose,
  address: string,
  mailDomain: string | undefined,
): Promise<string | undefined> {
  if (!isSignedAddress(address, mailDomain)) return undefined;
  const [, prefix, trackingId, signature] = FORM.exec(localOf(address)) ?? [];
  if (prefix !== PREFIXES[purpose] || trackingId === undefined || signature === undefined) return undefined;
  return (await signer.verify(purpose, trackingId, signature)) ? trackingId : undefined;
}
