import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item in DynamoDB's wire form. */
export type WireItem = Record<string, AttributeValue>;

/** A request that DynamoDB rejects. `type` is the name of its error. */
export class Rejected extends Error {
  readonly type: string;
  /** Further fields of the error. */
  readonly more: object;

  constructor(type: string, message: string, more: object = {}) {
    super(message);
    this.type = type;
    this.more = more;
  }
}

/** A request that breaks a rule of DynamoDB's API. */
export function invalid(message: string): Rejected {
  return new Rejected('ValidationException', message);
}

/** The text of a string attribute; undefined for any other type. */
export function textOf(value: AttributeValue | undefined): string | undefined {
  return value?.S;
}

/** `S`, `N`, `M` … */
export function typeOf(value: AttributeValue): string {
  return Object.keys(value)[0] ?? '';
}

/** Order of texts by their UTF-8 bytes, as DynamoDB sorts. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (SURROGATE.test(left) || SURROGATE.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Order of two values of the same ordered type; NaN if they have none. */
export function compare(left: AttributeValue | undefined, right: AttributeValue | undefined): number {
  if (left?.S !== undefined && right?.S !== undefined) return compareText(left.S, right.S);
  if (left?.N !== undefined && right?.N !== undefined) return Number(left.N) - Number(right.N);
  if (left?.B !== undefined && right?.B !== undefined) return Buffer.compare(left.B, right.B);
  return Number.NaN;
}

/** Equality as in `=`: values of different types differ, numbers are compared by value, sets by their members. */
export function isEqual(left: AttributeValue | undefined, right: AttributeValue | undefined): boolean {
  if (!left || !right) return false;
  const order = compare(left, right);
  return Number.isNaN(order) ? isDeepStrictEqual(comparable(left), comparable(right)) : order === 0;
}

/** The same with numbers in one form and sets in one order. */
function comparable(value: AttributeValue): unknown {
  if (value.N !== undefined) return { N: Number(value.N) };
  if (value.NS) return { NS: value.NS.map(Number).sort((left, right) => left - right) };
  if (value.SS) return { SS: [...value.SS].sort(compareText) };
  if (value.BS) return { BS: [...value.BS].sort(Buffer.compare) };
  if (value.L) return { L: value.L.map(comparable) };
  if (!value.M) return value;
  return { M: Object.fromEntries(Object.entries(value.M).map(([name, each]) => [name, comparable(each)])) };
}

const COLLECTION_BYTES = 3;

/** Bytes that DynamoDB counts for an item: names in UTF-8 and values. */
export function sizeOf(item: WireItem): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOfValue(value),
    0,
  );
}

export function sizeOfValue(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.replace(/[-.]/g, '').length / 2) + 1;
  if (value.B !== undefined) return value.B.byteLength;
  if (value.L) return value.L.reduce((sum, each) => sum + 1 + sizeOfValue(each), COLLECTION_BYTES);
  if (value.M) return COLLECTION_BYTES + sizeOf(value.M) + Object.keys(value.M).length;
  const members = value.SS ?? value.NS ?? value.BS;
  return members ? members.reduce((sum, each) => sum + Buffer.byteLength(each), 0) : 1;
}

/** The exact sum of two decimal numbers. */
export function sumOf(left: string, right: string, sign: 1 | -1 = 1): string {
  const [one, other] = [decimalOf(left), decimalOf(right)];
  const scale = Math.max(one.scale, other.scale);
  const digitsAt = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  return textOfDecimal({ digits: digitsAt(one) + BigInt(sign) * digitsAt(other), scale });
}

/** `digits` × 10^-`scale`. */
type Decimal = { digits: bigint; scale: number };

function decimalOf(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const scale = fraction.length - Number(power);
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}` || '0');
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function textOfDecimal({ digits, scale }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}
