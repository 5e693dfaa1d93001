import { RenderProblem } from '../liquid/limits.ts';
import { plainOf, WholeDecimal } from '../values/typed-values.ts';
import type { Handler } from './handler.ts';

/** A decimal: `units` divided by 10 to the power of `scale`. */
type Decimal = { units: bigint; scale: number };

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** Most digits of a result with a fraction. */
const DIGITS_MAX = 15;

/** The decimal that a finite number is written as. */
function decimalOf(number: number): Decimal {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = DECIMAL.exec(String(number)) ?? [];
  const units = BigInt(`${sign}${whole}${fraction}`);
  return scaled({ units, scale: fraction.length - Number(exponent) }, 0);
}

/** The nearest number; one with a fraction has at most 15 significant digits. */
function numberOf({ units, scale }: Decimal): number {
  const number = Number(`${units}e${-scale}`);
  return Number.isInteger(number) ? number : Number(number.toPrecision(DIGITS_MAX));
}

/** The same decimal with at least `scale` places. */
function scaled(decimal: Decimal, scale: number): Decimal {
  const more = scale - decimal.scale;
  return more > 0 ? { units: decimal.units * 10n ** BigInt(more), scale } : decimal;
}

/** Both decimals with as many places. */
function aligned(left: Decimal, right: Decimal): [left: bigint, right: bigint, scale: number] {
  const scale = Math.max(left.scale, right.scale);
  return [scaled(left, scale).units, scaled(right, scale).units, scale];
}

/** The integer at or below the quotient. */
function floorDivided(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const isBelow = dividend % divisor !== 0n && dividend < 0n !== divisor < 0n;
  return isBelow ? quotient - 1n : quotient;
}

/** Rounds half away from zero to `places`, which may be negative. */
function rounded(decimal: Decimal, places: number): Decimal {
  if (decimal.scale <= places) return decimal;
  const factor = 10n ** BigInt(decimal.scale - places);
  const size = decimal.units < 0n ? -decimal.units : decimal.units;
  const units = (size + factor / 2n) / factor;
  return scaled({ units: decimal.units < 0n ? -units : units, scale: places }, 0);
}

/** A number that a filter reads. `isDecimal`: it has, or was written or computed with, a fraction. */
type Operand = { number: number; isDecimal: boolean };

const NUMBER = /^[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const PLACES_MAX = 20;
/** Longer texts are no numbers. */
const CHARACTERS_MAX = 400;

/** Reads a number or a text that starts with an integer; anything else is 0. */
function operandOf(value: unknown): Operand {
  if (value instanceof WholeDecimal) return { number: value.number, isDecimal: true };
  const plain = plainOf(value);
  if (typeof plain === 'number') return { number: finite(plain), isDecimal: !Number.isInteger(plain) };
  if (typeof plain !== 'string' || plain.length > CHARACTERS_MAX) return { number: 0, isDecimal: false };
  const text = plain.trim();
  if (NUMBER.test(text)) return { number: finite(Number(text)), isDecimal: /[.e]/i.test(text) };
  return { number: finite(Number(/^[+-]?\d+/.exec(text)?.[0] ?? 0)), isDecimal: false };
}

function finite(number: number): number {
  if (Number.isFinite(number)) return number;
  throw new RenderProblem('a number is too large');
}

/** The value that later filters read. An integer result of decimals is still a decimal. */
function resultOf(number: number, isDecimal: boolean): number | WholeDecimal {
  const result = finite(number) + 0;
  return isDecimal && Number.isInteger(result) ? new WholeDecimal(result) : result;
}

type Binary = (left: Decimal, right: Decimal) => Decimal;

function computed(compute: Binary): Handler {
  return (value, argument) => {
    const [left, right] = [operandOf(value), operandOf(argument)];
    const decimal = compute(decimalOf(left.number), decimalOf(right.number));
    return resultOf(numberOf(decimal), left.isDecimal || right.isDecimal);
  };
}

const added: Binary = (left, right) => {
  const [a, b, scale] = aligned(left, right);
  return { units: a + b, scale };
};

/** Of two integers the integer at or below the quotient. */
const divided_by: Handler = (value, argument) => {
  const [left, right] = [operandOf(value), operandOf(argument)];
  assertDivisor('divided_by', right.number);
  if (left.isDecimal || right.isDecimal) {
    return resultOf(Number((left.number / right.number).toPrecision(15)), true);
  }
  return Number(floorDivided(BigInt(left.number), BigInt(right.number)));
};

const remainder: Binary = (left, right) => {
  const [a, b, scale] = aligned(left, right);
  assertDivisor('modulo', b);
  return { units: a - b * floorDivided(a, b), scale };
};

function assertDivisor(filter: string, divisor: number | bigint): void {
  if (Number(divisor) === 0) throw new RenderProblem(`the filter "${filter}" divides by zero`);
}

const round: Handler = (value, argument) => {
  const { number, isDecimal } = operandOf(value);
  const asked = Math.trunc(operandOf(argument).number);
  const places = Math.min(Math.max(asked, -PLACES_MAX), PLACES_MAX);
  return resultOf(numberOf(rounded(decimalOf(number), places)), isDecimal && places > 0);
};

function whole(change: (number: number) => number): Handler {
  return (value) => resultOf(change(operandOf(value).number), false);
}

function chosen(choose: (left: number, right: number) => number): Handler {
  return (value, argument) => {
    const operands = [operandOf(value), operandOf(argument)] as const;
    const number = choose(operands[0].number, operands[1].number);
    return resultOf(
      number,
      operands.some((each) => each.number === number && each.isDecimal),
    );
  };
}

const abs: Handler = (value) => {
  const { number, isDecimal } = operandOf(value);
  return resultOf(Math.abs(number), isDecimal);
};

/** The arithmetic of Liquid: integers stay integers, and fractions are decimals. */
export const NUMBER_FILTERS: Readonly<Record<string, Handler>> = {
  plus: computed(added),
  minus: computed((left, right) => added(left, { ...right, units: -right.units })),
  times: computed((left, right) => ({ units: left.units * right.units, scale: left.scale + right.scale })),
  divided_by,
  modulo: computed(remainder),
  round,
  abs,
  ceil: whole(Math.ceil),
  floor: whole(Math.floor),
  at_least: chosen(Math.max),
  at_most: chosen(Math.min),
};

/** The sum of numbers, as a filter returns it. */
export function sumOf(values: readonly unknown[]): number | WholeDecimal {
  let sum: Decimal = { units: 0n, scale: 0 };
  let isDecimal = false;
  for (const value of values) {
    const operand = operandOf(value);
    sum = added(sum, decimalOf(operand.number));
    isDecimal ||= operand.isDecimal;
  }
  return resultOf(numberOf(scaled(sum, 0)), isDecimal);
}
