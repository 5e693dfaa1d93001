/** Countries whose mobile numbers exist with and without a digit after the country code, which carriers add or drop. */
const ADDED_DIGITS = [
  ['+52', '1'],
  ['+54', '9'],
] as const;
const NATIONAL_DIGITS = 10;

/** Returns the spellings of a number in E.164: of a mobile number in Mexico or Argentina also the other one, for itself first. */
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

/** True if both are one number. */
export const isSameNumber = (one: string, other: string | undefined): boolean =>
  other !== undefined && spellingsOf(one).includes(other);
