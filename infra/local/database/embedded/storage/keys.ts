import type { KeyNames } from '../expressions/key-conditions.ts';
import { sortableNumber } from '../values/numbers.ts';
import { field, type WireItem, type WireValue } from '../values/wire.ts';
import type { KeyValue } from './segments.ts';

/** The columns of a key. Without a sort key, the second is empty. */
export type KeyColumns = [hash: KeyValue, range: KeyValue];

/** A value as its column has it: SQLite orders texts and bytes as DynamoDB does, numbers have a text for it. */
export function columnOf({ S, N, B }: WireValue): KeyValue {
  if (S !== undefined) return S;
  return N === undefined ? Buffer.from(B ?? '', 'base64') : sortableNumber(N);
}

/** The columns of an item; undefined if it lacks a part of the key. */
export function columnsOf({ hash, range }: KeyNames, item: WireItem): KeyColumns | undefined {
  const [first, second] = [field(item, hash.name), range && field(item, range.name)];
  if (!first || (range && !second)) return undefined;
  return [columnOf(first), second ? columnOf(second) : ''];
}

/** The first value after all values with this prefix; undefined if there is none. */
export function afterPrefix(prefix: KeyValue): KeyValue | undefined {
  if (typeof prefix !== 'string') {
    const end = prefix.findLastIndex((byte) => byte < 255);
    if (end < 0) return undefined;
    const next = Buffer.from(prefix.subarray(0, end + 1));
    next[end] = (next[end] ?? 0) + 1;
    return next;
  }
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0);
  const end = points.findLastIndex((point) => point < LAST_POINT);
  if (end < 0) return undefined;
  const next = (points[end] ?? 0) + 1;
  const isSurrogate = next >= 0xd800 && next <= 0xdfff;
  return String.fromCodePoint(...points.slice(0, end), isSurrogate ? 0xe000 : next);
}

const LAST_POINT = 0x10ffff;

export function isSameColumn(left: KeyValue, right: KeyValue): boolean {
  if (typeof left === 'string' || typeof right === 'string') return left === right;
  return Buffer.compare(left, right) === 0;
}
