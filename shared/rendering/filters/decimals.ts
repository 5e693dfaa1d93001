/** A decimal: `units` divided by 10 to the power of `scale`. */
export type Decimal = { units: bigint; scale: number };

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** Most digits of a result with a fraction. */
const DIGITS_MAX = 15;

/** The decimal that a finite number is written as. */
export function decimalOf(number: number): Decimal {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = DECIMAL.exec(String(number)) ?? [];
  const units = BigInt(`${sign}${whole}${fraction}`);
  return scaled({ units, scale: fraction.length - Number(exponent) }, 0);
}

/** The nearest number; one with a fraction has at most 15 significant digits. */
export function numberOf({ units, scale }: Decimal): number {
  const number = Number(`${units}e${-scale}`);
  return Number.isInteger(number) ? number : Number(number.toPrecision(DIGITS_MAX));
}

/** The same decimal with at least `scale` places. */
export function scaled(decimal: Decimal, scale: number): Decimal {
  const more = scale - decimal.scale;
  return more > 0 ? { units: decimal.units * 10n ** BigInt(more), scale } : decimal;
}

/** Both decimals with as many places. */
export function aligned(left: Decimal, right: Decimal): [left: bigint, right: bigint, scale: number] {
  const scale = Math.max(left.scale, right.scale);
  return [scaled(left, scale).units, scaled(right, scale).units, scale];
}

/** The integer at or below the quotient. */
export function floorDivided(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const isBelow = dividend % divisor !== 0n && dividend < 0n !== divisor < 0n;
  return isBelow ? quotient - 1n : quotient;
}

/** Rounds half away from zero to `places`, which may be negative. */
export function rounded(decimal: Decimal, places: number): Decimal {
  if (decimal.scale <= places) return decimal;
  const factor = 10n ** BigInt(decimal.scale - places);
  const size = decimal.units < 0n ? -decimal.units : decimal.units;
  const units = (size + factor / 2n) / factor;
  return scaled({ units: decimal.units < 0n ? -units : units, scale: places }, 0);
}
