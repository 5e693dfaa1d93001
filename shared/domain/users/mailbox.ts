import { domainToASCII } from 'node:url';

/**
 * A common text for all spellings of an email address: the domain in ASCII, everything in lower case and composed (RFC 6532 3.1).
 * All providers treat `Ada@` and `ada@` as the same person, although RFC 5321 allows otherwise.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return `${address.slice(0, at + 1)}${domain || address.slice(at + 1)}`
    .trim()
    .toLowerCase()
    .normalize('NFC');
}
