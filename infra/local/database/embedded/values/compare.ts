import { compareNumbers } from './numbers.ts';
import { type TypeName, typeOf, type WireItem, type WireValue } from './wire.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** Order of texts by their UTF-8 bytes, as DynamoDB sorts. */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (SURROGATE.test(left) || SURROGATE.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left, 'base64'), Buffer.from(right, 'base64'));
}

/** Order of two values of the same ordered type; NaN if they have none. */
export function compare(left: WireValue | undefined, right: WireValue | undefined): number {
  if (left?.S !== undefined && right?.S !== undefined) return compareText(left.S, right.S);
  if (left?.N !== undefined && right?.N !== undefined) return compareNumbers(left.N, right.N);
  if (left?.B !== undefined && right?.B !== undefined) return compareBytes(left.B, right.B);
  return Number.NaN;
}

/** Equality as in `=`: values of different types differ, sets are compared by their members. Numbers are normal. */
export function isEqual(left: WireValue | undefined, right: WireValue | undefined): boolean {
  if (!left || !right) return false;
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  const test = SAME[type];
  return test ? test(left, right) : left[type] === right[type];
}

/** Types whose values are not the same text or truth. */
const SAME: Readonly<Partial<Record<TypeName, (left: WireValue, right: WireValue) => boolean>>> = {
  SS: (left, right) => isSameSet(left.SS, right.SS),
  NS: (left, right) => isSameSet(left.NS, right.NS),
  BS: (left, right) => isSameSet(left.BS, right.BS),
  M: (left, right) => isSameItem(left.M ?? {}, right.M ?? {}),
  L: ({ L: left = [] }, { L: right = [] }) =>
    left.length === right.length && left.every((each, index) => isEqual(each, right[index])),
};

function isSameSet(left: readonly string[] = [], right: readonly string[] = []): boolean {
  const members = new Set(right);
  return left.length === right.length && left.every((each) => members.has(each));
}

/** True if both have the same attributes with equal values. */
export function isSameItem(left: WireItem, right: WireItem): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]));
}

/** The fields of a value that hold a set. */
export function membersOf(value: WireValue): { type: 'SS' | 'NS' | 'BS'; members: string[] } | undefined {
  for (const type of ['SS', 'NS', 'BS'] as const) {
    const members = value[type];
    if (members) return { type, members };
  }
  return undefined;
}
