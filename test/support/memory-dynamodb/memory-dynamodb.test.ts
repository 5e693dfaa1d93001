import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTable } from '../../../infra/local/database/create-table.ts';
import { streamArn } from '../../../infra/local/database/embedded/operations/arns.ts';
import { openEmbeddedTable } from '../../../infra/local/database/embedded-table.ts';
import { createDatabase } from '../../../shared/database/database.ts';
import { dynamodbEndpoint } from '../dynamodb.ts';
import { createTestStreams } from '../test-streams.ts';
import { localTable, newTableName } from '../test-table.ts';
import { pagesOf, perform, step, type Table } from './arbitrary-steps.ts';
import { CASES, type Operation } from './cases.ts';

let real: Table & { streams: DynamoDBStreamsClient; streamArn: string };
let memory: typeof real;

beforeAll(async () => {
  const name = newTableName();
  const endpoint = await dynamodbEndpoint();
  const table = localTable(endpoint, name, await createTable(endpoint, name));
  const { documents } = table;
  const database = createDatabase(documents, name);
  real = { name, documents, database, streams: table.openStream(), streamArn: table.streamArn };
  const { engine, client } = openEmbeddedTable({ file: ':memory:', tableName: name });
  memory = {
    name,
    documents: client,
    database: createDatabase(client, name),
    streams: createTestStreams(engine),
    streamArn: streamArn(engine.table(name).definition),
  };
});

/** The result of the operation, or the name of its error. */
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

/** An expression that never fits an item is rejected immediately, or with the reasons why a transaction was cancelled. */
function withoutReason(outcome: unknown): unknown {
  return typeof outcome === 'object' && outcome && 'error' in outcome ? 'rejected' : outcome;
}

/** DynamoDB Local rejects a transaction for one member's error. AWS cancels it, with a reason for each member. */
function isTransactionRejected(given: object, expected: unknown, found: unknown): boolean {
  const isCancelled =
    withoutReason(found) === 'rejected' || JSON.stringify(found).includes('"written":false');
  return 'transact' in given && withoutReason(expected) === 'rejected' && isCancelled;
}

describe('a table in memory', () => {
  it('returns what DynamoDB Local returns for any sequence of operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        for (const table of [real, memory]) await clear(table);
        for (const each of steps) {
          const [expected, found] = await outcomesOf((table) => perform(table, each));
          if (!isTransactionRejected(each, expected, found))
            expect(withoutReason(found)).toEqual(withoutReason(expected));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the same stream of changes', async () => {
    const expected = await changesOf(real.streams, real.streamArn);
    expect(expected.length).toBeGreaterThan(50);
    expect(await changesOf(memory.streams, memory.streamArn)).toEqual(expected);
  });

  it.each(CASES)('treats %s as DynamoDB Local does', async (_, given) => {
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
