import type { KeyNames, KeyRange } from '../expressions/key-conditions.ts';
import { invalid } from '../rejected.ts';
import type { IndexDefinition, TableDefinition } from '../storage/definition.ts';
import { columnOf, columnsOf } from '../storage/keys.ts';
import type { Place } from '../storage/ranges.ts';
import { segmentOf } from '../storage/segments.ts';
import { checkedItem } from '../values/check.ts';
import { compare, isEqual } from '../values/compare.ts';
import { field, type WireItem, type WireValue } from '../values/wire.ts';

/** The place behind which a query goes on: one that belongs to the query. */
export function startOfQuery(
  table: TableDefinition,
  index: IndexDefinition | undefined,
  query: KeyRange | undefined,
  given: unknown,
): Place | undefined {
  if (given === undefined || given === null) return undefined;
  const start = checkedStart(table, index, given);
  const { hash, range } = (index ?? table).keys;
  if (!query || !isEqual(field(start, hash.name), query.hash))
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  const value = range && field(start, range.name);
  if (value && query.range && !isInside(query.range, value))
    throw invalid('The provided starting key does not match the range key predicate');
  return placeOf(table, index, start).slice(1);
}

export function startOfScan(
  table: TableDefinition,
  index: IndexDefinition | undefined,
  given: unknown,
  segment: { index: number; total: number } | undefined,
): Place | undefined {
  if (given === undefined || given === null) return undefined;
  const place = placeOf(table, index, checkedStart(table, index, given));
  if (segment && segmentOf(place[0] ?? '', segment.total) !== segment.index)
    throw invalid(
      `The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: ${segment.total} Segment: ${segment.index}`,
    );
  return place;
}

/** A start key has the attributes of the key, in their types, and nothing else. */
function checkedStart(table: TableDefinition, index: IndexDefinition | undefined, given: unknown): WireItem {
  const start = checkedItem(given);
  const all: KeyNames[] = index ? [table.keys, index.keys] : [table.keys];
  const parts = all.flatMap(({ hash, range }) => (range ? [hash, range] : [hash]));
  const names = new Set(parts.map(({ name }) => name));
  const isWhole = Object.keys(start).length === names.size;
  const isTyped = parts.every(({ name, type }) => Boolean(field(start, name)?.[type]));
  if (!isWhole || !isTyped)
    throw invalid(
      isWhole
        ? 'The provided starting key is invalid: The provided key element does not match the schema'
        : 'The provided starting key is invalid',
    );
  return start;
}

function placeOf(table: TableDefinition, index: IndexDefinition | undefined, start: WireItem): Place {
  const own = columnsOf(table.keys, start) ?? ['', ''];
  return index ? [...(columnsOf(index.keys, start) ?? ['', '']), ...own] : own;
}

/** A start key is the end of a page, so that it meets the condition. */
function isInside({ operator, values }: NonNullable<KeyRange['range']>, value: WireValue): boolean {
  const [first, second] = values;
  if (operator === 'begins_with') return isPrefix(first ?? {}, value);
  const order = compare(value, first);
  if (operator === 'BETWEEN') return order >= 0 && compare(value, second) <= 0;
  return (
    { '=': order === 0, '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[operator] ??
    false
  );
}

function isPrefix(prefix: WireValue, value: WireValue): boolean {
  const [start, whole] = [columnOf(prefix), columnOf(value)];
  if (typeof start === 'string') return String(whole).startsWith(start);
  return Buffer.from(whole as Uint8Array)
    .subarray(0, start.length)
    .equals(start);
}
