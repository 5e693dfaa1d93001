import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './arbitrary-steps.ts';

export type Operation = (table: Table) => Promise<unknown>;

/** Operations with outcomes that sequences rarely reach. */
export const CASES: readonly [string, Operation][] = [
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
      database.transact([{ update: { pk: 'p', sk: 'token' }, expression: 'ADD n :n', values: { ':n': 1 } }], {
        token: 'token-1',
      }),
  ],
  [
    'the same token again',
    ({ database }) =>
      database.transact([{ update: { pk: 'p', sk: 'token' }, expression: 'ADD n :n', values: { ':n': 1 } }], {
        token: 'token-1',
      }),
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
];
