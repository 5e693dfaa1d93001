import type { Signer } from './signer.ts';

const PURPOSE = 'return-path';
const FORM = /^b\+([0-9a-f-]{36})-([0-9a-f]{24})$/;

const localOf = (address: string) => address.slice(0, address.lastIndexOf('@'));

/** True if an address has the form of a return path, signed or not: on the mail domain, or the subdomain of a sender. */
export function isReturnPath(address: string, mailDomain: string | undefined): boolean {
  const isOurs = mailDomain !== undefined && address.endsWith(`@${mailDomain}`);
  return isOurs ? address.startsWith('b+') : address.includes('@mail.') && FORM.test(localOf(address));
}

/**
 * The return path of an email, `b+<tracking ID>-<signature>@<domain>`. Only servers on the way see it:
 * every email contains the tracking ID, so that alone proves nothing.
 */
export async function writeReturnPath(signer: Signer, trackingId: string, domain: string): Promise<string> {
  return `b+${trackingId}-${await signer.sign(PURPOSE, trackingId)}@${domain}`;
}

/** The tracking ID of a return path; undefined when this deployment did not sign it. */
export async function readReturnPath(
  signer: Signer,
  address: string,
  mailDomain: string | undefined,
): Promise<string | undefined> {
  if (!isReturnPath(address, mailDomain)) return undefined;
  const [, trackingId, signature] = FORM.exec(localOf(address)) ?? [];
  if (trackingId === undefined || signature === undefined) return undefined;
  return (await signer.verify(PURPOSE, trackingId, signature)) ? trackingId : undefined;
}
