import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { type DynamoDBDocumentClient, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTable } from '../../../infra/local/database/create-table.ts';
import { createDatabase, type Database } from '../../../shared/database/database.ts';
import { keyOf } from '../../../shared/database/keys.ts';
import { type TransactAction, writtenKey } from '../../../shared/database/transactions.ts';
import { dynamodbEndpoint } from '../dynamodb.ts';
import { createTableClient } from '../table-client.ts';
import { localTable, newTableName } from '../test-table.ts';
import { createMemoryDynamoDb } from './memory-dynamodb.ts';

type Table = { documents: DynamoDBDocumentClient; database: Database; name: string };
type Operation = (table: Table) => Promise<unknown>;

let real: Table & { streams: DynamoDBStreamsClient; streamArn: string };
let memory: Table & { streams: DynamoDBStreamsClient };

beforeAll(async () => {
  const name = newTableName();
  const endpoint = await dynamodbEndpoint();
  const table = localTable(endpoint, name, await createTable(endpoint, name));
  const { documents, streamArn } = table;
  const database = createDatabase(documents, name);
  real = { name, documents, database, streams: table.openStream(), streamArn };
  const { perform, streams } = createMemoryDynamoDb(name);
  const client = createTableClient(perform);
  memory = { name, documents: client, database: createDatabase(client, name), streams };
});

/** What the operation returns, or the name of its error. */
async function outcomeOf(operation: Operation, table: Table): Promise<unknown> {
  try {
    return { value: await operation(table) };
  } catch (error) {
    return { error: (error as Error).name };
  }
}

async function outcomesOf(operation: Operation): Promise<[expected: unknown, found: unknown]> {
  return [await outcomeOf(operation, real), await outcomeOf(operation, memory)];
}

async function expectSame(operation: Operation): Promise<void> {
  const [expected, found] = await outcomesOf(operation);
  expect(found).toEqual(expected);
}

/** An expression that never fits an item is rejected at once, or with the reasons why a transaction was cancelled. */
function withoutReason(outcome: unknown): unknown {
  return typeof outcome === 'object' && outcome && 'error' in outcome ? 'rejected' : outcome;
}

/** Few keys, so that operations meet. */
const sk = fc.constantFrom('1', '2', '10', 'é', '𝄞', '\ufb00', 'a#b');
const partition = fc.constantFrom('p', 'q');
const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.1, 0.2, -1.25, 1e15));
const value = fc.oneof(
  number,
  fc.constantFrom('', 'a', 'ab', 'b', true, false, null),
  fc.constant(new Set(['x', 'y'])),
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
async function pagesOf({ database }: Table, { pk, range, from, isFiltered, ...input }: PageRequest) {
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

/** Whether the last page has a key of a next one, which is empty, depends on the server. */
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

const step = fc.oneof(
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

function perform(table: Table, given: Step): Promise<unknown> {
  if ('write' in given) return writeAlone(table, given.write);
  if ('transact' in given) return table.database.transact(given.transact);
  if ('page' in given) return itemsOf(table, given.page);
  return 'get' in given ? table.database.batchGet(given.get) : feedOf(table, given.feed);
}

describe('a table in memory', () => {
  it('returns what DynamoDB Local returns for any sequence of operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        for (const table of [real, memory]) await clear(table);
        for (const each of steps) {
          const [expected, found] = await outcomesOf((table) => perform(table, each));
          expect(withoutReason(found)).toEqual(withoutReason(expected));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the same stream of changes', async () => {
    const expected = await changesOf(real.streams, real.streamArn);
    expect(expected.length).toBeGreaterThan(50);
    expect(await changesOf(memory.streams, real.streamArn)).toEqual(expected);
  });

  it.each<[string, Operation]>([
    [
      'a value that no expression uses',
      ({ database }) =>
        database.put({ pk: 'p', sk: '1' }, { condition: 'attribute_exists(pk)', values: { ':x': 1 } }),
    ],
    [
      'a value that is not given',
      ({ database }) => database.put({ pk: 'p', sk: '1' }, { condition: 'n = :x' }),
    ],
    [
      'a name that is not given',
      ({ database }) => database.put({ pk: 'p', sk: '1' }, { condition: 'attribute_exists(#n)' }),
    ],
    ['an expression with an error', ({ database }) => database.update({ pk: 'p', sk: '1' }, 'SET n = ', {})],
    ['an unknown clause', ({ database }) => database.update({ pk: 'p', sk: '1' }, 'PUT n', {})],
    ['an item over 400 KB', ({ database }) => database.put({ pk: 'p', sk: '1', text: 'x'.repeat(409_590) })],
    [
      'an item just under 400 KB',
      ({ database }) => database.put({ pk: 'p', sk: 'large', text: 'x'.repeat(409_580) }),
    ],
    ['an empty key', ({ database }) => database.put({ pk: '', sk: '1' })],
    ['a key that is no text', ({ database }) => database.put({ pk: 'p', sk: 1 })],
    ['a key over 1,024 bytes', ({ database }) => database.put({ pk: 'p', sk: 'é'.repeat(513) })],
    ['an empty key of an index', ({ database }) => database.put({ pk: 'p', sk: '1', duePk: '', dueSk: 'x' })],
    ['a missing key', ({ database }) => database.put({ pk: 'p' })],
    ['a key with another attribute', ({ database }) => database.get({ pk: 'p', sk: '1', n: '1' } as never)],
    ['a number that DynamoDB cannot store', ({ database }) => database.put({ pk: 'p', sk: '1', n: 1e126 })],
    [
      'an item twice in a transaction',
      ({ database }) => database.transact([{ put: { pk: 'p', sk: '1' } }, { delete: { pk: 'p', sk: '1' } }]),
    ],
    [
      'over 100 actions',
      ({ database }) =>
        database.transact(Array.from({ length: 101 }, (_, index) => ({ put: { pk: 'p', sk: `t${index}` } }))),
    ],
    [
      'an item too large in a transaction',
      ({ database }) => database.transact([{ put: { pk: 'p', sk: '1', text: 'x'.repeat(410_000) } }]),
    ],
    [
      'a repeated token',
      ({ database }) =>
        database.transact(
          [{ update: { pk: 'p', sk: 'token' }, expression: 'ADD n :n', values: { ':n': 1 } }],
          { token: 'token-1' },
        ),
    ],
    [
      'the same token again',
      ({ database }) =>
        database.transact(
          [{ update: { pk: 'p', sk: 'token' }, expression: 'ADD n :n', values: { ':n': 1 } }],
          { token: 'token-1' },
        ),
    ],
    ['the result of both', ({ database }) => database.get({ pk: 'p', sk: 'token' })],
    [
      'a token of another request',
      ({ database }) => database.transact([{ put: { pk: 'p', sk: 'token2' } }], { token: 'token-1' }),
    ],
    [
      'a query without its partition',
      ({ database }) =>
        database.query({ KeyConditionExpression: 'sk = :sk', ExpressionAttributeValues: { ':sk': '1' } }),
    ],
    [
      'an unknown index',
      ({ database }) =>
        database.query({
          IndexName: 'other',
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': 'p' },
        }),
    ],
    [
      'a consistent read of an index',
      ({ database }) =>
        database.query({
          IndexName: 'feed',
          ConsistentRead: true,
          KeyConditionExpression: 'feedPk = :pk',
          ExpressionAttributeValues: { ':pk': 'f' },
        }),
    ],
    [
      'a limit of 0',
      ({ database }) =>
        database.query({
          Limit: 0,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': 'p' },
        }),
    ],
    [
      'a number as key of an index',
      ({ database }) => database.update({ pk: 'p', sk: '1' }, 'SET feedSk = :n', { values: { ':n': 1 } }),
    ],
    [
      'a changed key',
      ({ database }) => database.update({ pk: 'p', sk: '1' }, 'SET pk = :x', { values: { ':x': 'q' } }),
    ],
    [
      'a put of another table',
      ({ documents }) =>
        documents.send(new PutCommand({ TableName: 'another-table', Item: { pk: 'p', sk: '1' } })),
    ],
    [
      'a part of an update that overlaps another',
      ({ documents, name }) =>
        documents.send(
          new UpdateCommand({
            TableName: name,
            Key: { pk: 'p', sk: '1' },
            UpdateExpression: 'SET a.b = :x, a = :x',
            ExpressionAttributeValues: { ':x': 1 },
          }),
        ),
    ],
    [
      'an empty map of values',
      ({ documents, name }) =>
        documents.send(
          new QueryCommand({
            TableName: name,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: {},
          }),
        ),
    ],
  ])('treats %s as DynamoDB Local does', async (_, given) => {
    await expectSame(given);
  });

  it('reads pages of 1 MB as DynamoDB Local does', async () => {
    for (let count = 0; count < 12; count += 1)
      await expectSame(({ database }) =>
        database.put({ pk: 'large', sk: String(count), text: 'x'.repeat(200_000) }),
      );
    const all = { pk: 'large', Limit: undefined, isFiltered: false, range: '', from: '1' } as const;
    await expectSame(async (table) => {
      const pages = await pagesOf(table, { ...all, ScanIndexForward: true } as never);
      return pages.map(({ items, lastKey }) => [items.length, lastKey]);
    });
  });
});

/** A run that fails can be repeated alone. */
async function clear({ database }: Table): Promise<void> {
  for (const pk of ['p', 'q'])
    for (const found of await database.queryAll(pk, '')) await database.delete({ pk, sk: String(found.sk) });
}

/** Records of a stream, without the names and times that each server gives them. */
async function changesOf(client: DynamoDBStreamsClient, StreamArn: string): Promise<unknown[]> {
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
  const records: _Record[] = [];
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const opened = await client.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    for (let iterator = opened.ShardIterator; iterator; ) {
      const found = await client.send(new GetRecordsCommand({ ShardIterator: iterator }));
      records.push(...(found.Records ?? []));
      iterator = found.Records?.length ? found.NextShardIterator : undefined;
    }
  }
  return records.map(({ eventName, dynamodb }) => ({
    eventName,
    keys: dynamodb?.Keys,
    // Numbers have more than one form.
    image: dynamodb?.NewImage && unmarshall(dynamodb.NewImage as Parameters<typeof unmarshall>[0]),
    view: dynamodb?.StreamViewType,
  }));
}
