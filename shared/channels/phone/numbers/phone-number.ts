import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isSenderId } from '../../../schemas/account/phone-numbers.ts';

const ALLOWED = /^\+?[\d ()./-]+$/;
const NOT_ASCII = /[^ -~]+/g;

/** Characters of formatting and dashes: patterns of them take as long to load as a small module, and few numbers have any. */
const FORMATTING = String.raw`\p{Cf}`;
const DASH = String.raw`[\p{Pd}\u2212]`;
const inAscii = (text: string) =>
  text.replace(new RegExp(FORMATTING, 'gu'), '').replace(new RegExp(DASH, 'gu'), '-');

/**
 * The number in E.164, or undefined if it is impossible. `+` and `00` start an international number; ten
 * digits are a North American one, if such a number can exist. Spaces, dashes, dots and parentheses may
 * separate the digits. Possible refers to country code and length, not to whether the number is in use.
 */
export function normalizeNumber(text: string): string | undefined {
  // As pasted from a page or a document: marks of direction, dashes and spaces that do not break.
  const plain = text.replace(NOT_ASCII, inAscii).replace(/\s+/g, ' ').trim();
  if (!ALLOWED.test(plain)) return undefined;
  const number = parsePhoneNumberFromString(withoutMexicanOne(toInternational(plain)));
  return number?.isPossible() ? number.number : undefined;
}

/** The form of what text messages are sent from: a number in E.164, a short code, or a sender ID. */
export const senderNumber = (text: string) =>
  /^\d{3,8}$/.test(text.trim()) || isSenderId(text.trim()) ? text.trim() : normalizeNumber(text);

/** Until 2020, mobile numbers in Mexico had a 1 after the country code: carriers still add it. */
const withoutMexicanOne = (text: string) => text.replace(/^(\+\D*5\D*2)\D*1(?=(?:\D*\d){10}\D*$)/, '$1');

function toInternational(text: string): string {
  if (text.startsWith('+')) return text;
  const digits = text.replace(/\D/g, '');
  if (digits.startsWith('00')) return text.replace(/^\D*0\D*0/, '+');
  return isNorthAmerican(digits) ? `+1${digits}` : '';
}

/**
 * ISO 3166-1 alpha-2 code of an E.164 number's country; undefined if its country code belongs to several or
 * none.
 */
export function countryOf(e164: string): string | undefined {
  return parsePhoneNumberFromString(e164)?.country;
}

/** The countries that an E.164 number may be in. */
export function countriesOf(e164: string): string[] {
  const number = parsePhoneNumberFromString(e164);
  return number?.country ? [number.country] : [...(number?.getPossibleCountries() ?? [])];
}

/** The area codes in use of North America, of libphonenumber-js 1.x: two digits, then each third digit; and 555, of examples. */
const AREA_CODES = [
  '20123456789 21023456789 2203456789 2314569 240689 250123467 2602379 27023469 28139 30123456789',
  '31023456789 3201345679 330124679 341367 3501234 3601345789 380256 40123456789 41023456789 423458',
  '430124578 440123578 4508 463489 47024589 4804 500123456789 51023456789 520123456789 53012349 540148',
  '551579 56123467 5701234579 5801245678 600123456789 61023456789 62023689 6301369 6401567 65016789',
  '6601279 670128 68012369 70123456789 7123456789 72045678 73012478 7402378 753478 7602359 7701234589',
  '78012567 800123456789 81023456789 82015689 830123589 840345789 850456789 8602345678 870236789 888',
  '900123456789 91023456789 920589 930146789 9401235789 9512469 970123589 98034569',
].join(' ');

/** True if ten digits are a North American number: an area code in use, and an exchange that can exist. */
function isNorthAmerican(digits: string): boolean {
  const [, area = '', exchange = ''] = /^(\d{3})(\d{3})\d{4}$/.exec(digits) ?? [];
  const inUse = (group: string) => group.startsWith(area.slice(0, 2)) && group.includes(area.slice(2), 2);
  return area !== '' && AREA_CODES.split(' ').some(inUse) && /^[2-9](?!11)\d\d$/.test(exchange);
}
