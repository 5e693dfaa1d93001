import { invalid } from '../rejected.ts';

/** `digits` × 10^`exponent`, without zeros at the end of the digits. */
type Decimal = { digits: bigint; exponent: number };

const DIGITS_MAX = 38;
const MAGNITUDE_MAX = 125;
const MAGNITUDE_MIN = -130;
const DECIMAL = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,6}))?$/;
/** Nearly all numbers: whole, and exact as a number of JavaScript. */
const PLAIN = /^(?:0|-?[1-9]\d{0,14})$/;

/** Returns the text that DynamoDB returns for a number. Rejects numbers that it cannot store. */
export function normalNumber(text: string): string {
  return PLAIN.test(text) ? text : textOf(fitting(readDecimal(text)));
}

/** Order of two numbers, exact. */
export function compareNumbers(left: string, right: string): number {
  if (PLAIN.test(left) && PLAIN.test(right)) return Number(left) - Number(right);
  const [one, other] = aligned(readDecimal(left), readDecimal(right));
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The exact sum or difference; one that does not fit is refused, not rounded. */
export function sumOf(left: string, right: string, sign: 1 | -1 = 1): string {
  const [first, second] = [readDecimal(left), readDecimal(right)];
  const [one, other] = aligned(first, second);
  const sum = { digits: one + BigInt(sign) * other, exponent: Math.min(first.exponent, second.exponent) };
  return textOf(fitting(trimmed(sum)));
}

/** Bytes of a number: one for every two digits, one for the exponent, and one for the sign. */
export function sizeOfNumber(text: string): number {
  const digits = text.replace(/^-?0*\.?0*|\./g, '').replace(/(?<!0)0+$/, '').length;
  return Math.ceil(digits / 2) + 1 + (text.startsWith('-') ? 1 : 0);
}

const EXPONENT_OFFSET = 500;

/** A text that sorts as the number does. */
export function sortableNumber(text: string): string {
  const { digits, exponent } = readDecimal(text);
  if (digits === 0n) return '1';
  const plain = String(digits < 0n ? -digits : digits);
  const magnitude = String(EXPONENT_OFFSET + exponent + plain.length).padStart(3, '0');
  if (digits > 0n) return `2${magnitude}${plain}`;
  // The larger its magnitude, the earlier it comes, and what is longer is before what it begins with.
  return `0${[...magnitude, ...plain].map((digit) => 9 - Number(digit)).join('')}~`;
}

function readDecimal(text: string): Decimal {
  const [found, sign, whole = '', fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  if (found === undefined || whole + fraction === '')
    throw invalid(
      text === ''
        ? 'The parameter cannot be converted to a numeric value'
        : `The parameter cannot be converted to a numeric value: ${text}`,
    );
  const digits = BigInt(whole + fraction);
  return trimmed({ digits: sign === '-' ? -digits : digits, exponent: Number(power) - fraction.length });
}

function trimmed({ digits, exponent }: Decimal): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const text = String(digits);
  const zeros = text.length - text.replace(/(?<!0)0+$/, '').length;
  return zeros === 0
    ? { digits, exponent }
    : { digits: digits / 10n ** BigInt(zeros), exponent: exponent + zeros };
}

function fitting(decimal: Decimal): Decimal {
  const count = countOf(decimal.digits);
  const magnitude = decimal.exponent + count - 1;
  if (decimal.digits === 0n) return decimal;
  if (magnitude > MAGNITUDE_MAX)
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  if (magnitude < MAGNITUDE_MIN)
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  if (count > DIGITS_MAX) throw invalid('Attempting to store more than 38 significant digits in a Number');
  return decimal;
}

function countOf(digits: bigint): number {
  return String(digits < 0n ? -digits : digits).length;
}

/** The digits of both at the smaller exponent. */
function aligned(left: Decimal, right: Decimal): [bigint, bigint] {
  const exponent = Math.min(left.exponent, right.exponent);
  const at = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  return [at(left), at(right)];
}

function textOf({ digits, exponent }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const plain = String(digits < 0n ? -digits : digits);
  if (exponent >= 0) return `${sign}${plain}${'0'.repeat(digits === 0n ? 0 : exponent)}`;
  const padded = plain.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
