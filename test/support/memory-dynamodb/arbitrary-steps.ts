import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { type TransactAction, writtenKey } from '../../../shared/database/client/transactions.ts';
import type { Database } from '../../../shared/database/database.ts';
import { keyOf } from '../../../shared/database/keys/key.ts';

export type Table = { documents: DynamoDBDocumentClient; database: Database; name: string };

/** Few keys, so that operations meet. */
const sk = fc.constantFrom('1', '2', '10', 'é', '𝄞', '\ufb00', 'a#b');
const partition = fc.constantFrom('p', 'q');
const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(0.1, 0.2, -1.25, 1e15, 1e-7, 123456789.125),
);
const value = fc.oneof(
  number,
  fc.constantFrom('', 'a', 'ab', 'b', true, false, null),
  fc.constant(new Set(['x', 'y'])),
  fc.constant(new Set([1, 2])),
  fc.constant(new Uint8Array([1, 2])),
  fc.constant({ a: 1, deep: { b: 'x' } }),
  fc.constant([1, 'two', { three: 3 }]),
);
/** Without keys, an index does not have the item. */
const indexKeys = fc.option(fc.record({ feedPk: fc.constantFrom('f', 'g'), feedSk: fc.uuid() }), { nil: {} });
const attributes = fc.record({ n: number, v: value, w: value }, { requiredKeys: [] });

const CONDITIONS = [
  'attribute_not_exists(pk)',
  'attribute_exists(v)',
  'v = :value',
  '#v <> :value',
  'n < :n',
  'n >= :n AND attribute_exists(w)',
  'NOT n = :n OR begins_with(v, :text)',
  '(attribute_not_exists(n) OR n <= :n) AND NOT (v = :value)',
  'n BETWEEN :n AND :high',
  'n IN (:n, :high)',
  'contains(v, :text)',
  'size(v) > :n',
  'attribute_type(v, :type)',
  'v.deep.b = :value',
  'v[1] = :value OR attribute_not_exists(v[0])',
  'v IN (:value, :n)',
  'contains(w, :value)',
  'attribute_not_exists(v.deep) AND size(w) <= :high',
  'n BETWEEN :n AND :high OR NOT (w <> :value)',
] as const;
const UPDATES = [
  'SET n = :n',
  'SET #v = :value, w = if_not_exists(w, :value)',
  'SET n = if_not_exists(n, :n) + :n',
  'SET n = n - :n REMOVE w',
  'ADD n :n',
  'SET v.a = :n',
  'SET v.deep.c = :value REMOVE v.a',
  'SET v.a = :n, #v = :value',
  'REMOVE n, w',
  'REMOVE v.deep',
  'SET w = list_append(w, :list)',
  'ADD w :set DELETE v :set',
  'REMOVE feedPk, feedSk',
  'SET feedPk = :text, feedSk = :text',
  'SET w = n',
  'SET v[1] = :value',
  'REMOVE v[0]',
  'SET v[2].three = :n',
  'ADD n :n SET w = :value',
  'SET w = if_not_exists(v.deep.b, :value), n = :high',
  'DELETE w :set',
] as const;

const bindings = fc.record({
  n: number,
  high: number,
  value,
  text: fc.constantFrom('', 'a', 'ab'),
  type: fc.constantFrom('N', 'S', 'M'),
});
type Bound = { n: number; high: number; value: unknown; text: string; type: string };

/** The placeholders that the expressions use. */
function bound(given: Bound, ...expressions: readonly (string | undefined)[]) {
  const used = new Set(expressions.flatMap((text) => text?.match(/[#:]\w+/g) ?? []));
  const all = { ...given, list: ['more'], set: new Set(['y', 'z']) };
  const values = Object.entries(all).flatMap(([name, each]) =>
    used.has(`:${name}`) ? [[`:${name}`, each]] : [],
  );
  return {
    ...(used.has('#v') ? { names: { '#v': 'v' } } : {}),
    ...(values.length > 0 ? { values: Object.fromEntries(values) } : {}),
  };
}

const condition = fc.option(fc.constantFrom(...CONDITIONS), { nil: undefined });
const key = fc.record({ pk: partition, sk });
const item = fc
  .tuple(key, indexKeys, attributes)
  .map(([own, index, rest]) => ({ ...own, ...index, ...rest }));

const write: fc.Arbitrary<TransactAction> = fc.oneof(
  fc.tuple(item, condition, bindings).map(([put, when, given]) => ({
    put,
    ...(when ? { condition: when } : {}),
    ...bound(given, when),
  })),
  fc
    .tuple(key, fc.constantFrom(...UPDATES), condition, bindings)
    .map(([update, expression, when, given]) => ({
      update,
      expression,
      ...(when ? { condition: when } : {}),
      ...bound(given, expression, when),
    })),
  fc.tuple(key, condition, bindings).map(([deleted, when, given]) => ({
    delete: deleted,
    ...(when ? { condition: when } : {}),
    ...bound(given, when),
  })),
);
const check: fc.Arbitrary<TransactAction> = fc
  .tuple(key, fc.constantFrom(...CONDITIONS), bindings)
  .map(([checked, when, given]) => ({ check: checked, condition: when, ...bound(given, when) }));

function writeAlone({ database }: Table, action: TransactAction): Promise<unknown> {
  if ('put' in action) return database.put(action.put, action);
  if ('update' in action) return database.update(action.update, action.expression, action);
  if ('delete' in action) return database.delete(action.delete, action);
  return database.get(action.check);
}

const page = fc.record({
  pk: partition,
  Limit: fc.constantFrom(undefined, 1, 2, 100),
  ScanIndexForward: fc.boolean(),
  isFiltered: fc.boolean(),
  range: fc.constantFrom('', ' AND sk > :sk', ' AND sk BETWEEN :sk AND :end', ' AND begins_with(sk, :sk)'),
  from: sk,
});

type PageRequest = typeof page extends fc.Arbitrary<infer T> ? T : never;

/** All pages of a query, one after the other. */
export async function pagesOf({ database }: Table, { pk, range, from, isFiltered, ...input }: PageRequest) {
  const pages: { items: unknown[]; lastKey: unknown }[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const found = await database.query({
      ...input,
      KeyConditionExpression: `pk = :pk${range}`,
      ...(isFiltered ? { FilterExpression: 'attribute_exists(n)', ProjectionExpression: 'pk, sk, n' } : {}),
      ExpressionAttributeValues: {
        ':pk': pk,
        ...(range ? { ':sk': from } : {}),
        ...(range.includes(':end') ? { ':end': '𝄞' } : {}),
      },
      ExclusiveStartKey,
    });
    pages.push(found);
    ExclusiveStartKey = found.lastKey;
  } while (ExclusiveStartKey);
  return pages;
}

/** A server may return a cursor with the last page; the next page is then empty. */
async function itemsOf(table: Table, request: PageRequest): Promise<unknown[][]> {
  const pages = await pagesOf(table, request);
  return pages.map(({ items }) => items).filter((items) => items.length > 0);
}

/** A partition of an index, in the order of its sort key, which is never the same twice here. */
async function feedOf({ database }: Table, { name, isForward }: { name: string; isForward: boolean }) {
  const found = await database.query({
    IndexName: 'feed',
    KeyConditionExpression: 'feedPk = :pk',
    ExpressionAttributeValues: { ':pk': name },
    ScanIndexForward: isForward,
  });
  return found.items;
}

export const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ write }) },
  {
    weight: 2,
    arbitrary: fc.record({
      transact: fc.uniqueArray(fc.oneof(write, check), {
        minLength: 1,
        maxLength: 4,
        selector: (action) => JSON.stringify(keyOf(writtenKey(action))),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ page }) },
  { weight: 1, arbitrary: fc.record({ get: fc.array(key, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ feed: fc.record({ name: fc.constantFrom('f', 'g'), isForward: fc.boolean() }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export function perform(table: Table, given: Step): Promise<unknown> {
  if ('write' in given) return writeAlone(table, given.write);
  if ('transact' in given) return table.database.transact(given.transact);
  if ('page' in given) return itemsOf(table, given.page);
  return 'get' in given ? table.database.batchGet(given.get) : feedOf(table, given.feed);
}
