import { domainToASCII } from 'node:url';
import { addressIn, nameIn } from '../../schemas/fields/text.ts';

// Base64 of 45 bytes and the 12 characters around it stay within the 75 of an encoded word (RFC 2047 §2).
const WORD_BYTES_MAX = 45;
/** Longest value of a header that SES accepts. */
export const HEADER_LENGTH_MAX = 870;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get into a header
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** The domain of an address in lower-case ASCII (RFC 5891); empty if there is none or it is invalid. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? '' : toAsciiDomain(address.slice(at + 1));
}

/** A domain in lower-case ASCII without a closing dot; empty when it is not one. */
export function toAsciiDomain(domain: string): string {
  return domainToASCII(domain.replace(/\.$/, '').toLowerCase());
}

/** The address with its domain in ASCII, as email without SMTPUTF8 needs it; the local part is unchanged. */
export function toAsciiAddress(address: string): string {
  const domain = domainOf(address);
  return domain === '' ? address : `${address.slice(0, address.lastIndexOf('@'))}@${domain}`;
}

/** The text without control characters, including line breaks. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, ' ').trim();
}

/** The mailbox of `Name <local@domain>` or a bare address. */
export const mailboxIn = (text: string) => ({ address: addressIn(text), name: nameIn(text) });

/** `"Name" <local@domain>` for a From header; a name outside ASCII becomes encoded words (RFC 2047). */
export function formatAddress(sender: { address: string; name?: string }): string {
  const address = toAsciiAddress(sender.address);
  const name = withoutControls(sender.name ?? '');
  return name === '' ? address : `${formatName(name)} <${address}>`;
}

function formatName(name: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(name) && !name.includes('=?');
  if (isPlain) return `"${name.replace(/["\\]/g, '\\$&')}"`;
  return encodeWords(name).join(' ');
}

/** A subject that looks like encoded words, or that no server can fold, as encoded words; undefined for any other. */
export function encodedSubject(subject: string): string[] | undefined {
  const isPlain = !subject.includes('=?') && !/\S{500}/.test(subject);
  return isPlain ? undefined : encodeWords(subject);
}

function encodeWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of text.toWellFormed()) {
    if (Buffer.byteLength(word + character) > WORD_BYTES_MAX) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`);
}
