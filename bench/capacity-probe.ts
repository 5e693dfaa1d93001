import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTable, localClient } from '../infra/local/database/dynamodb-local/create-table.ts';
import { createDatabase, type Database } from '../shared/database/database.ts';
import { unitsOf } from './capacity.ts';

/** A rule of DynamoDB's capacity units that the server does not follow. */
export type Deviation = { rule: string; expected: number; found: number };

type Probe = {
  rule: string;
  kind: 'write' | 'read';
  expected: number;
  run: (table: Database) => Promise<unknown>;
};

const key = (name: string) => ({ pk: `PROBE#${name}`, sk: 'ITEM' });
const feed = { feedPk: 'PROBE', feedSk: '1' };
const body = (sizeBytes: number) => ({ text: 'x'.repeat(sizeBytes) });
const queryOf = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

/** The rules as AWS documents them (Developer Guide, "Read and write operations"). They run in this order. */
const PROBES: readonly Probe[] = [
  { rule: 'put, under 1 KB', kind: 'write', expected: 1, run: (t) => t.put({ ...key('a'), ...body(500) }) },
  { rule: 'put, 1.5 KB', kind: 'write', expected: 2, run: (t) => t.put({ ...key('b'), ...body(1500) }) },
  {
    rule: 'put with an index entry',
    kind: 'write',
    expected: 2,
    run: (t) => t.put({ ...key('c'), ...feed, ...body(500) }),
  },
  {
    rule: 'put that leaves its index entry as it is',
    kind: 'write',
    expected: 1,
    run: (t) => t.put({ ...key('c'), ...feed, ...body(600) }),
  },
  {
    rule: 'update, under 1 KB',
    kind: 'write',
    expected: 1,
    run: (t) => t.update(key('a'), 'SET seen = if_not_exists(seen, pk)'),
  },
  {
    rule: 'strong get, under 4 KB',
    kind: 'read',
    expected: 1,
    run: (t) => t.get(key('a'), { consistent: true }),
  },
  { rule: 'eventual get, under 4 KB', kind: 'read', expected: 0.5, run: (t) => t.get(key('a')) },
  {
    rule: 'strong get of nothing',
    kind: 'read',
    expected: 1,
    run: (t) => t.get(key('none'), { consistent: true }),
  },
  {
    rule: 'strong batch get of 3 items and 2 missing ones',
    kind: 'read',
    expected: 5,
    run: (t) => t.batchGet(['a', 'b', 'c', 'none', 'nothing'].map(key), { consistent: true }),
  },
  {
    rule: 'strong query, items of 4.1 KB in all',
    kind: 'read',
    expected: 2,
    run: async (t) => {
      await t.put({ pk: 'PROBE#many', sk: '1', ...body(2050) });
      await t.put({ pk: 'PROBE#many', sk: '2', ...body(2050) });
      return t.query({ ...queryOf('PROBE#many'), ConsistentRead: true });
    },
  },
  {
    rule: 'transaction of two puts',
    kind: 'write',
    expected: 4,
    run: (t) => t.transact([{ put: { ...key('d') } }, { put: { ...key('e') } }]),
  },
];

/** Requests the units of operations whose cost AWS documents, and returns the differences. */
export async function probeCapacity(endpoint: string): Promise<Deviation[]> {
  const tableName = `probe-${Date.now()}`;
  await createTable(endpoint, tableName);
  const client = localClient(endpoint);
  const found: { operation: string; write: number; read: number }[] = [];
  const table = createDatabase(DynamoDBDocumentClient.from(client), tableName, (operation, capacity) =>
    found.push({ operation, ...unitsOf(operation, capacity).total }),
  );
  const deviations: Deviation[] = [];
  for (const { rule, kind, expected, run } of PROBES) {
    found.length = 0;
    await run(table);
    const units = found.at(-1)?.[kind] ?? 0;
    if (units !== expected) deviations.push({ rule, expected, found: units });
  }
  client.destroy();
  return deviations;
}
