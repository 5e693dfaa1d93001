import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isNorthAmerican } from './area-codes.ts';

const ALLOWED = /^\+?[\d\s().-]+$/;

/**
 * The number in E.164, or undefined if it is impossible. `+` and `00` start an international number; ten
 * digits are a North American one, if such a number can exist. Spaces, dashes, dots and parentheses may
 * separate the digits. Possible refers to country code and length, not to whether the number is in use.
 */
export function normalizeNumber(text: string): string | undefined {
  const trimmed = text.trim();
  if (!ALLOWED.test(trimmed)) return undefined;
  const number = parsePhoneNumberFromString(withoutMexicanOne(toInternational(trimmed)));
  return number?.isPossible() ? number.number : undefined;
}

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
