import { expect, it } from 'vitest';
import { assertTypes } from '../../../../../infra/local/database/server/input-types.ts';

const Key = { pk: { S: 'a' } };
const names = { ExpressionAttributeNames: { '#a': 'a' } };

/** Valid requests, which have every kind of parameter. */
const REQUESTS: readonly [operation: string, input: object][] = [
  ['GetItem', { TableName: 'items', Key, ConsistentRead: true, ProjectionExpression: '#a', ...names }],
  ['PutItem', { TableName: 'items', Item: Key, ConditionExpression: 'x', ReturnValues: 'NONE', ...names }],
  ['Query', { IndexName: 'i', Limit: 5, ScanIndexForward: true, Select: 'COUNT', ExclusiveStartKey: Key }],
  ['Scan', { Segment: 0, TotalSegments: 2, ReturnConsumedCapacity: 'TOTAL', FilterExpression: 'x' }],
  ['BatchGetItem', { RequestItems: { items: { Keys: [Key], ConsistentRead: false, ...names } } }],
  [
    'BatchWriteItem',
    { RequestItems: { items: [{ PutRequest: { Item: Key } }, { DeleteRequest: { Key } }] } },
  ],
  [
    'TransactWriteItems',
    {
      ClientRequestToken: 'x',
      TransactItems: [{ Update: { TableName: 'items', Key } }, { Put: { Item: Key } }],
    },
  ],
  ['TransactGetItems', { TransactItems: [{ Get: { TableName: 'items', Key } }] }],
  [
    'CreateTable',
    {
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [{ IndexName: 'i', Projection: { NonKeyAttributes: ['z'] } }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      ProvisionedThroughput: { ReadCapacityUnits: 1 },
    },
  ],
  ['UpdateTimeToLive', { TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }],
];
const OTHERS = ['yes', 1, true, [], {}];
const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

/** The request once for each part of it and each other type, in that part's place. */
function* mutated(value: unknown, inside = ''): Generator<[path: string, value: unknown]> {
  if (inside !== '') for (const other of OTHERS) if (kindOf(other) !== kindOf(value)) yield [inside, other];
  // What is in attributes is checked where it is read.
  if (typeof value !== 'object' || value === null || /(?:Key|Item|Keys\.\d)$/.test(inside)) return;
  for (const [name, each] of Object.entries(value)) {
    const copy = (changed: unknown) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
    for (const [path, changed] of mutated(each, `${inside}.${name}`)) yield [path, copy(changed)];
  }
}

it.each(REQUESTS)('of %s are those of DynamoDB, or it is a SerializationException', (operation, input) => {
  expect(() => assertTypes(operation, input)).not.toThrow();
  const requests = [...mutated(input)];
  expect(requests.length).toBeGreaterThanOrEqual(8);
  const accepted = requests.filter(([, request]) => {
    try {
      assertTypes(operation, Object(request));
      return true;
    } catch (error) {
      return Object(error).type !== 'SerializationException';
    }
  });
  expect(accepted).toEqual([]);
});

it('reads null as absent, and leaves unknown names to the operation', () => {
  expect(() => assertTypes('GetItem', { ConsistentRead: null, Key: null, Unknown: 5 })).not.toThrow();
  expect(() => assertTypes('Query', { Limit: 1.5 })).toThrow('DECIMAL_VALUE cannot be converted to Integer');
  expect(() => assertTypes('Query', { TableName: true })).toThrow('TRUE_VALUE cannot be converted to String');
});
