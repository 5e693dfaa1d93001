import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTable } from '../../../infra/local/database/dynamodb-local/create-table.ts';
import type { WireItem } from '../../../infra/local/database/embedded/values/wire.ts';
import { fromWireItem } from '../../../infra/local/database/embedded/wire-form.ts';
import { openEmbeddedStream } from '../../../infra/local/database/embedded-stream.ts';
import { openEmbeddedTable } from '../../../infra/local/database/embedded-table.ts';
import type { StreamSource } from '../../../infra/local/database/stream/stream-source.ts';
import { createDatabase } from '../../../shared/database/database.ts';
import { localTable, newTableName } from '../test-table.ts';
import { pagesOf, perform, step, type Table } from './arbitrary-steps.ts';
import { CASES, type Operation } from './cases.ts';

export const PAGES = 'pages of 1 MB';
export const STREAM = 'the stream';

/**
 * Compares the embedded table with another server, a judge. `unlike` are cases, and parts of steps, where AWS's documentation
 * differs from the judge.
 */
export function compareWith(
  judge: string,
  endpointOf: () => Promise<string>,
  unlike: { cases: readonly string[]; steps: readonly string[] } = { cases: [], steps: [] },
): void {
  const isUnlike = new Set(unlike.cases);
  const isStep = (given: object) => !unlike.steps.some((text) => JSON.stringify(given).includes(text));
  let real: Table & { stream: StreamSource };
  let memory: typeof real;

  beforeAll(async () => {
    const name = newTableName();
    const endpoint = await endpointOf();
    const table = localTable(endpoint, name, await createTable(endpoint, name));
    const { documents } = table;
    const database = createDatabase(documents, name);
    real = { name, documents, database, stream: table.openStream() };
    const { engine, client } = openEmbeddedTable({ file: ':memory:', tableName: name });
    memory = {
      name,
      documents: client,
      database: createDatabase(client, name),
      stream: openEmbeddedStream(engine.table(name)),
    };
  });

  async function outcomesOf(operation: Operation): Promise<[expected: unknown, found: unknown]> {
    return [await outcomeOf(operation, real), await outcomeOf(operation, memory)];
  }

  async function expectSame(operation: Operation): Promise<void> {
    const [expected, found] = await outcomesOf(operation);
    expect(found).toEqual(expected);
  }

  describe(`the embedded table and ${judge}`, () => {
    it('returns the same for any sequence of operations', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
          for (const table of [real, memory]) await clear(table);
          for (const each of steps.filter(isStep)) {
            const [expected, found] = await outcomesOf((table) => perform(table, each));
            if (!isTransactionRefused(each, expected, found))
              expect(withoutReason(found)).toEqual(withoutReason(expected));
          }
        }),
        { numRuns: 40 },
      );
    });

    it.skipIf(isUnlike.has(STREAM))('keeps the same stream of changes', async () => {
      const expected = await changesOf(real.stream);
      expect(expected.length).toBeGreaterThan(50);
      expect(await changesOf(memory.stream)).toEqual(expected);
    });

    it.each(CASES.filter(([name]) => !isUnlike.has(name)))('treats %s the same way', async (_, given) => {
      await expectSame(given);
    });

    it.skipIf(isUnlike.has(PAGES))('reads the same pages of 1 MB', async () => {
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
}

/** The result of the operation, or the name of its error. */
async function outcomeOf(operation: Operation, table: Table): Promise<unknown> {
  try {
    return { value: await operation(table) };
  } catch (error) {
    return { error: (error as Error).name };
  }
}

/** An expression that never fits an item is rejected immediately, or with the reasons why a transaction was cancelled. */
function withoutReason(outcome: unknown): unknown {
  return typeof outcome === 'object' && outcome && 'error' in outcome ? 'rejected' : outcome;
}

/**
 * A member's error cancels a transaction with a reason for each member, as AWS documents. DynamoDB Local rejects the whole;
 * others list only the conditions. In either case, nothing is written.
 */
function isTransactionRefused(given: object, expected: unknown, found: unknown): boolean {
  const isRefused = (outcome: unknown) =>
    withoutReason(outcome) === 'rejected' || JSON.stringify(outcome).includes('"written":false');
  const isRejected = [expected, found].some((outcome) => withoutReason(outcome) === 'rejected');
  return 'transact' in given && isRejected && isRefused(expected) && isRefused(found);
}

/** A run that fails can be repeated alone. */
async function clear({ database }: Table): Promise<void> {
  for (const pk of ['p', 'q'])
    for (const found of await database.queryAll(pk, '')) await database.delete({ pk, sk: String(found.sk) });
}

/** Records of a stream, without the names and times that each server gives them. */
async function changesOf(source: StreamSource): Promise<unknown[]> {
  const records: DynamoDBRecord[] = [];
  for (const { id } of await source.listShards()) {
    const cursor = source.openShard(id);
    let after: string | undefined;
    for (;;) {
      const page = await cursor.read(after, 1000);
      if (page === 'trimmed' || page.records.length === 0) break;
      records.push(...page.records);
      after = page.records.at(-1)?.dynamodb?.SequenceNumber;
    }
  }
  return records.map(({ eventName, dynamodb }) => ({
    eventName,
    keys: dynamodb?.Keys,
    // Numbers have more than one form.
    image: dynamodb?.NewImage && fromWireItem(dynamodb.NewImage as WireItem),
    view: dynamodb?.StreamViewType,
  }));
}
