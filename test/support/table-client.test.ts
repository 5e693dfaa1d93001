import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { createTable } from '../../infra/local/database/dynamodb-local/create-table.ts';
import { createDocumentClient } from '../../shared/database/client/document-client.ts';
import { createTablePages } from '../../shared/database/client/table-pages.ts';
import { createDatabase, type Database } from '../../shared/database/database.ts';
import { dynamodbEndpoint } from './dynamodb.ts';
import { createLocalTableClient } from './table-client.ts';

type Client = ReturnType<typeof createDocumentClient>;

/** The SDK's client, which deployments use, and the one of the tests, each on a separate table. */
const clients: { sdk: Client; plain: Client } = {} as never;
let names: { sdk: string; plain: string };

beforeAll(async () => {
  const endpoint = await dynamodbEndpoint();
  const suffix = randomBytes(8).toString('hex');
  names = { sdk: `sdk-${suffix}`, plain: `plain-${suffix}` };
  for (const name of Object.values(names)) await createTable(endpoint, name, { isStreamed: false });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  clients.sdk = createDocumentClient({ endpoint, region: 'local', credentials });
  clients.plain = createLocalTableClient(endpoint);
});

const item = (sk: string, more: object = {}) => ({ pk: 'a', sk, feedPk: 'f', feedSk: sk, ...more });
const NESTED = {
  B: 'text',
  map: { B: { Key: { Item: [] } }, Items: [{ Key: 1 }, null, true] },
  bytes: new Uint8Array([0, 1, 255]),
  nothing: undefined,
  empty: '',
  set: new Set(['x', 'y']),
  number: -1.5,
};

/** Every operation of the database, with outcomes of each kind; later operations see earlier writes. */
const STEPS: Record<string, (database: Database) => Promise<unknown>> = {
  'a missing item': (db) => db.get({ pk: 'a', sk: '1' }),
  'a put': (db) => db.put(item('1', NESTED)),
  'a get': (db) => db.get({ pk: 'a', sk: '1' }, { consistent: true }),
  'a failed condition': (db) => db.put(item('1'), { condition: 'attribute_not_exists(pk)' }),
  'an update': (db) =>
    db.update({ pk: 'a', sk: '2' }, 'SET #n = :n', { names: { '#n': 'name' }, values: { ':n': NESTED } }),
  'a failed update': (db) =>
    db.update({ pk: 'a', sk: '1' }, 'SET x = :x', { condition: 'x = :x', values: { ':x': 1 } }),
  'a batch': (db) => db.batchPut(['3', '4', '5'].map((sk) => item(sk))),
  'a batch of reads': (db) => db.batchGet(['5', '9', '1'].map((sk) => ({ pk: 'a', sk }))),
  'a page': (db) =>
    db.query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'a' },
      Limit: 2,
      ExclusiveStartKey: { pk: 'a', sk: '1' },
    }),
  'a page of an index, backwards': (db) =>
    db.query({
      IndexName: 'feed',
      KeyConditionExpression: 'feedPk = :pk',
      ExpressionAttributeValues: { ':pk': 'f' },
      ScanIndexForward: false,
      Limit: 1,
    }),
  'all of a prefix': (db) => db.queryAll('a', ''),
  'a transaction': (db) =>
    db.transact([
      { put: item('6') },
      { update: { pk: 'a', sk: '3' }, expression: 'SET x = :x', values: { ':x': 1 } },
      { delete: { pk: 'a', sk: '4' } },
      { check: { pk: 'a', sk: '5' }, condition: 'attribute_exists(pk)' },
    ]),
  'a cancelled transaction': (db) =>
    db.transact([
      { put: item('7') },
      { put: item('1', NESTED), condition: 'attribute_not_exists(pk)' },
      { check: { pk: 'a', sk: '9' }, condition: 'attribute_exists(pk)' },
    ]),
  'a delete': (db) => db.delete({ pk: 'a', sk: '1' }),
  'a delete of nothing': (db) => db.delete({ pk: 'a', sk: '1' }),
  'an expression that is wrong': (db) => db.update({ pk: 'a', sk: '2' }, 'SET (', {}),
  'an item that is too large': (db) => db.put(item('8', { text: 'x'.repeat(410_000) })),
};

it.each(Object.entries(STEPS))('returns or throws for %s what the SDK does', async (_name, step) => {
  const [fromSdk, fromPlain] = await Promise.all(
    (['sdk', 'plain'] as const).map((which) => outcomeOf(step(createDatabase(clients[which], names[which])))),
  );
  expect(fromPlain).toEqual(fromSdk);
});

it('reads all pages as the SDK does', async () => {
  const [fromSdk, fromPlain] = await Promise.all(
    (['sdk', 'plain'] as const).map((which) =>
      createTablePages(clients[which], names[which]).read(undefined),
    ),
  );
  expect(fromPlain?.items.length).toBeGreaterThan(3);
  expect(fromPlain).toEqual(fromSdk);
});

it('never has so many calls in progress that one waits too long for the lock in DynamoDB Local', async () => {
  let connections = 0;
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  server.on('connection', () => {
    connections += 1;
  });
  await once(server, 'listening');
  const client = createLocalTableClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const database = createDatabase(client, 'table');
  const keys = Array.from({ length: 500 }, (_, index) => ({ pk: 'a', sk: String(index) }));
  await Promise.all(keys.map((key) => database.get(key)));
  expect(connections).toBeLessThanOrEqual(32);
  client.destroy();
  server.close();
});

async function outcomeOf(step: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await step };
  } catch (error) {
    const { name, message } = error as Error;
    return { name, message };
  }
}
