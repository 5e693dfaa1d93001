import { expect, it } from 'vitest';
import { openEngine } from '../../../../../infra/local/database/embedded/engine.ts';
import { openEmbeddedTable } from '../../../../../infra/local/database/embedded-table.ts';
import { AWS_CASES, type AwsCase, KEY } from './aws-cases.ts';

const TableName = 'cases';

/** The table with the case's item in it, and what the operation returns. */
function performed({ item, operation, input }: AwsCase) {
  const { engine } = openEmbeddedTable({ file: ':memory:', tableName: TableName });
  engine.perform('PutItem', { TableName, Item: { ...KEY, ...item } });
  const reply = engine.perform(operation, { TableName, ...input });
  const { pk, sk, ...after } = (engine.perform('GetItem', { TableName, Key: KEY }).body.Item ?? {}) as Record<
    string,
    unknown
  >;
  engine.close();
  return { ...reply, after };
}

it.each(AWS_CASES.map((each) => [each.name, each] as const))(
  'does with %s what AWS documents',
  (_, given) => {
    const { status, body, after } = performed(given);
    if (given.error) {
      const [type, message] = given.error;
      expect(body).toMatchObject({ __type: type, message: expect.stringContaining(message) });
      expect([status, after]).toEqual([400, given.item]);
      return;
    }
    expect(body).not.toHaveProperty('message');
    expect(body).toMatchObject(given.body ?? {});
    for (const name of given.absent ?? []) expect(body).not.toHaveProperty(name);
    expect(after).toEqual(given.after ?? given.item);
  },
);

it('has at least the fifty cases in which emulators are known to differ', () => {
  expect(AWS_CASES.length).toBeGreaterThanOrEqual(50);
});

const member = (sk: string, more: object) => ({ TableName, Key: { pk: { S: 'p' }, sk: { S: sk } }, ...more });
const text = { ':v': { S: 'x' } };

it('cancels a transaction with one reason for each member, in order', () => {
  const { engine } = openEmbeddedTable({ file: ':memory:', tableName: TableName });
  engine.perform('PutItem', { TableName, Item: { ...KEY, n: { N: '1' } } });
  const { body } = engine.perform('TransactWriteItems', {
    TransactItems: [
      { Put: { TableName, Item: { pk: { S: 'p' }, sk: { S: '2' } } } },
      { Update: member('1', { UpdateExpression: 'SET n = n + s' }) },
      { ConditionCheck: member('3', { ConditionExpression: 'attribute_exists(pk)' }) },
      { Update: member('4', { UpdateExpression: 'SET s = :v', ExpressionAttributeValues: text }) },
    ],
  });
  expect(body).toMatchObject({
    __type: 'TransactionCanceledException',
    message: expect.stringContaining('[None, ValidationError, ConditionalCheckFailed, None]'),
    CancellationReasons: [
      { Code: 'None' },
      { Code: 'ValidationError', Message: expect.stringContaining('does not exist in the item') },
      { Code: 'ConditionalCheckFailed' },
      { Code: 'None' },
    ],
  });
  expect(engine.perform('Scan', { TableName }).body.Count).toBe(1);
});

it('refuses an index whose name is too short', () => {
  const engine = openEngine({ file: ':memory:' });
  const keys = [{ AttributeName: 'pk', KeyType: 'HASH' }];
  const index = { IndexName: 'by', KeySchema: keys, Projection: { ProjectionType: 'ALL' } };
  const { status, body } = engine.perform('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: keys,
    GlobalSecondaryIndexes: [index],
  });
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining("'by' at 'globalSecondaryIndexes.1.member.indexName'"),
  ]);
});

it('reads no item whose projection is empty in a transaction', () => {
  const { engine } = openEmbeddedTable({ file: ':memory:', tableName: TableName });
  engine.perform('PutItem', { TableName, Item: KEY });
  const Get = member('1', { ProjectionExpression: 'gone' });
  expect(engine.perform('TransactGetItems', { TransactItems: [{ Get }] }).body).toEqual({ Responses: [{}] });
});

it('ends a page at 1 MB of items read, also when the limit would end it later and a filter removes all', () => {
  const { engine } = openEmbeddedTable({ file: ':memory:', tableName: TableName });
  for (let at = 0; at < 6; at += 1)
    engine.perform('PutItem', {
      TableName,
      Item: { pk: { S: 'p' }, sk: { S: `${at}` }, t: { S: 'x'.repeat(300_000) } },
    });
  const { body } = engine.perform('Query', {
    TableName,
    KeyConditionExpression: 'pk = :p',
    FilterExpression: 't = :p',
    ExpressionAttributeValues: { ':p': { S: 'p' } },
    Limit: 6,
  });
  expect(body).toMatchObject({
    Count: 0,
    ScannedCount: 4,
    LastEvaluatedKey: { pk: { S: 'p' }, sk: { S: '3' } },
  });
});

it('checks a batch as a whole before it writes anything', () => {
  const { engine } = openEmbeddedTable({ file: ':memory:', tableName: TableName });
  const { status } = engine.perform('BatchWriteItem', {
    RequestItems: {
      [TableName]: [{ PutRequest: { Item: KEY } }, { PutRequest: { Item: { pk: { S: 'p' } } } }],
    },
  });
  expect([status, engine.perform('Scan', { TableName }).body.Count]).toEqual([400, 0]);
});

it('returns the keys that a batch of over 16 MB did not read, with their projection', () => {
  const { engine } = openEmbeddedTable({ file: ':memory:', tableName: TableName });
  const Keys = Array.from({ length: 45 }, (_, at) => ({ pk: { S: 'p' }, sk: { S: String(at) } }));
  for (const key of Keys)
    engine.perform('PutItem', { TableName, Item: { ...key, t: { S: 'x'.repeat(400_000) } } });
  const { body } = engine.perform('BatchGetItem', {
    RequestItems: { [TableName]: { Keys, ProjectionExpression: 'sk' } },
  });
  const { Responses, UnprocessedKeys } = body as {
    Responses: Record<string, unknown[]>;
    UnprocessedKeys: Record<string, { Keys: unknown[] }>;
  };
  const rest = UnprocessedKeys[TableName] ?? { Keys: [] };
  expect((Responses[TableName] ?? []).length + rest.Keys.length).toBe(45);
  expect(rest.Keys.length).toBeGreaterThan(0);
  expect(rest).toMatchObject({ Keys: Keys.slice(-rest.Keys.length), ProjectionExpression: 'sk' });
});

it('rejects a parameter of the keys of a batch that an expression has replaced', () => {
  const { engine } = openEmbeddedTable({ file: ':memory:', tableName: TableName });
  const { status, body } = engine.perform('BatchGetItem', {
    RequestItems: { [TableName]: { Keys: [KEY], AttributesToGet: ['pk'] } },
  });
  expect([status, body.message]).toEqual([400, expect.stringContaining('AttributesToGet is not supported')]);
});
