import type { RangeCondition } from '../expressions/key-conditions.ts';
import { afterPrefix, columnOf } from './keys.ts';
import type { KeyValue } from './segments.ts';
import type { Parameters } from './sqlite-file.ts';

/** The place of an entry in the order of a partition: its sort key, and in an index the item's own key. */
export type Place = readonly KeyValue[];
export type PartitionRead = {
  hash: KeyValue;
  range: RangeCondition | undefined;
  /** Only what is behind it. */
  after: Place | undefined;
  isForward: boolean;
};
export type Clause = { sql: string; parameters: Parameters };

export function partitionSql(
  read: PartitionRead,
  [hash = '', ...columns]: readonly string[],
  limit: number,
): Clause {
  const clauses: Clause[] = [{ sql: `${hash} = ?`, parameters: [read.hash] }];
  if (read.range) clauses.push(...rangeClauses(read.range, columns[0] ?? ''));
  if (read.after) clauses.push(afterClause(read.after, columns, read.isForward));
  const order = columns.map((column) => (read.isForward ? column : `${column} DESC`)).join(', ');
  return {
    sql: `WHERE ${clauses.map(({ sql }) => sql).join(' AND ')} ORDER BY ${order} LIMIT ?`,
    parameters: [...clauses.flatMap(({ parameters }) => parameters), limit],
  };
}

function afterClause(after: Place, columns: readonly string[], isForward = true): Clause {
  const names = columns.length > 1 ? `(${columns.join(', ')})` : columns[0];
  const marks = columns.length > 1 ? `(${columns.map(() => '?').join(', ')})` : '?';
  return { sql: `${names} ${isForward ? '>' : '<'} ${marks}`, parameters: [...after] };
}

function rangeClauses({ operator, values }: RangeCondition, column: string): Clause[] {
  const [first = '', second = ''] = values.map(columnOf);
  if (operator === 'BETWEEN') return [{ sql: `${column} BETWEEN ? AND ?`, parameters: [first, second] }];
  if (operator !== 'begins_with') return [{ sql: `${column} ${operator} ?`, parameters: [first] }];
  const end = afterPrefix(first);
  return [
    { sql: `${column} >= ?`, parameters: [first] },
    ...(end === undefined ? [] : [{ sql: `${column} < ?`, parameters: [end] }]),
  ];
}

/** All of a table or of an index, in one order. */
export function scanSql(
  after: Place | undefined,
  columns: readonly string[],
  segment: { index: number; total: number } | undefined,
  limit: number,
): Clause {
  const clauses: Clause[] = [];
  const hash = columns[0] ?? '';
  if (after) clauses.push(afterClause(after, columns));
  if (segment)
    clauses.push({ sql: `segment_of(${hash}, ?) = ?`, parameters: [segment.total, segment.index] });
  const where = clauses.length > 0 ? `WHERE ${clauses.map(({ sql }) => sql).join(' AND ')} ` : '';
  return {
    sql: `${where}ORDER BY ${columns.join(', ')} LIMIT ?`,
    parameters: [...clauses.flatMap(({ parameters }) => parameters), limit],
  };
}
