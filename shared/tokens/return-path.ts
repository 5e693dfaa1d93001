import type { Signer } from './signer.ts';

const PURPOSE = 'return-path';
const FORM = /^b\+([0-9a-f-]{36})-([0-9a-f]{24})$/;

/** True if an address has the form of a return path, signed or not. */
export function isReturnPath(address: string, mailDomain: string | undefined): boolean {
  return mailDomain !== undefined && address.startsWith('b+') && address.endsWith(`@${mailDomain}`);
}

/**
 * The return path of an email, `b+<tracking ID>-<signature>@<mail domain>`. Only servers on the way see it:
 * every email contains the tracking ID, so that alone proves nothing.
 */
export async function writeReturnPath(
  signer: Signer,
  trackingId: string,
  mailDomain: string,
): Promise<string> {
  return `b+${trackingId}-${await signer.sign(PURPOSE, trackingId)}@${mailDomain}`;
}

/** The tracking ID of a return path; undefined when this deployment did not sign it. */
export async function readReturnPath(
  signer: Signer,
  address: string,
  mailDomain: string | undefined,
): Promise<string | undefined> {
  if (!isReturnPath(address, mailDomain)) return undefined;
  const [, trackingId, signature] = FORM.exec(address.slice(0, address.lastIndexOf('@'))) ?? [];
  if (trackingId === undefined || signature === undefined) return undefined;
  return (await signer.verify(PURPOSE, trackingId, signature)) ? trackingId : undefined;
}
