/** Countries whose mobile numbers exist with and without a digit after the country code, which carriers add or drop. */
const ADDED_DIGITS = [
  ['+52', '1'],
  ['+54', '9'],
] as const;
const NATIONAL_DIGITS = 10;

/**
 * Returns the spellings of a number in E.164. Mobile numbers in Mexico and Argentina have two; the given spelling comes first.
 */
export function spellingsOf(number: string): string[] {
  for (const [code, digit] of ADDED_DIGITS) {
    if (!number.startsWith(code)) continue;
    const rest = number.slice(code.length);
    if (rest.length === NATIONAL_DIGITS) return [number, `${code}${digit}${rest}`];
    if (rest.length === NATIONAL_DIGITS + 1 && rest.startsWith(digit))
      return [number, `${code}${rest.slice(1)}`];
  }
  return [number];
}

/** The spelling under which decisions about a number are stored. */
export const numberKeyOf = (number: string): string => spellingsOf(number).sort()[0] ?? number;
