import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import { createTable, localClient } from '../../../../infra/local/database/create-table.ts';
import { launchDynamoDbLocal } from '../../../../infra/local/database/dynamodb-local.ts';
import { openQueueStore } from '../../../../infra/local/queue/queue.ts';
import type { LocalStreamEvent } from '../../../../infra/local/stream/stream-event.ts';
import type { StreamReaderOptions } from '../../../../infra/local/stream/stream-options.ts';
import { readStream, type StreamReader } from '../../../../infra/local/stream/stream-reader.ts';
import { dynamodbEndpoint } from '../../../support/dynamodb.ts';

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Handler = (event: LocalStreamEvent) => DynamoDBBatchResponse | undefined;

/** A table of its own, and readers of its stream that share one store of checkpoints. */
async function openTable(given?: string) {
  const endpoint = given ?? (await dynamodbEndpoint());
  const client = localClient(endpoint);
  const tableName = `stream-${randomBytes(8).toString('hex')}`;
  const streamArn = await createTable(endpoint, tableName);
  const store: DatabaseSync = openQueueStore(':memory:');
  cleanups.push(
    () => store.close(),
    () => client.destroy(),
  );
  const put = (pk: string, data: Record<string, Uint8Array> = {}) => {
    const attributes = Object.entries(data).map(([name, bytes]) => [name, { B: bytes }]);
    const Item = { pk: { S: pk }, sk: { S: 'HEAD' }, ...Object.fromEntries(attributes) };
    return client.send(new PutItemCommand({ TableName: tableName, Item }));
  };
  const read = (handler: Handler, overrides: Partial<StreamReaderOptions> = {}): StreamReader => {
    const reader = readStream({
      endpoint,
      streamArn,
      store,
      batchSize: 100,
      prefixes: ['LOG#'],
      handler: async (event) => handler(event),
      onError: () => {},
      ...overrides,
    });
    cleanups.push(() => reader.stop());
    return reader;
  };
  return { put, read, streamArn, store };
}

async function putAll(put: (pk: string) => Promise<unknown>, names: readonly string[]): Promise<void> {
  for (const name of names) await put(`LOG#${name}`);
}

function keysOf(event: LocalStreamEvent): string[] {
  return event.Records.map((record) => record.dynamodb?.Keys?.pk?.S?.slice('LOG#'.length) ?? '');
}

function failureOf(event: LocalStreamEvent, ...names: string[]): DynamoDBBatchResponse {
  const failed = event.Records.filter((_record, index) => names.includes(keysOf(event)[index] ?? ''));
  return {
    batchItemFailures: failed.map((record) => ({ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' })),
  };
}

const countTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

describe('the event', () => {
  it('has the shape that Lambda gives for a source with a window', async () => {
    const { put, read, streamArn } = await openTable();
    const events: LocalStreamEvent[] = [];
    await put('LOG#a', { sealed: Uint8Array.of(1, 2, 255) });
    await read((event) => void events.push(event)).caughtUp();
    expect(events).toEqual([
      {
        Records: [
          {
            eventID: expect.any(String),
            eventName: 'INSERT',
            eventVersion: '1.1',
            eventSource: 'aws:dynamodb',
            awsRegion: expect.any(String),
            eventSourceARN: streamArn,
            dynamodb: {
              ApproximateCreationDateTime: expect.any(Number),
              Keys: { pk: { S: 'LOG#a' }, sk: { S: 'HEAD' } },
              NewImage: { pk: { S: 'LOG#a' }, sk: { S: 'HEAD' }, sealed: { B: 'AQL/' } },
              SequenceNumber: expect.stringMatching(/^\d+$/),
              SizeBytes: expect.any(Number),
              StreamViewType: 'NEW_IMAGE',
            },
          },
        ],
        shardId: expect.stringMatching(/^shardId-/),
        state: {},
        window: {
          start: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d0Z$/),
          end: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d0Z$/),
        },
        isFinalInvokeForWindow: false,
        isWindowTerminatedEarly: false,
        eventSourceARN: streamArn,
      },
    ]);
    const created = events[0]?.Records[0]?.dynamodb?.ApproximateCreationDateTime ?? 0;
    expect(Math.abs(Date.now() / 1000 - created)).toBeLessThan(120);
  });
});

describe('reading', () => {
  it('delivers what was put before and after it started, in order, in batches of at most the size given', async () => {
    const { put, read } = await openTable();
    const batches: string[][] = [];
    await putAll(put, countTo(25));
    const reader = read((event) => void batches.push(keysOf(event)), { batchSize: 10 });
    await reader.caughtUp();
    await putAll(put, ['later']);
    await reader.caughtUp();
    expect(batches.flat()).toEqual([...countTo(25), 'later']);
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(10);
  });

  it('shows the handler the prefixes asked for only, and passes over the rest', async () => {
    const { put, read, store } = await openTable();
    const seen: string[] = [];
    for (const pk of ['USER#a', 'LOG#b', 'DIGEST#c', 'LOGBOOK#d', 'USER#e']) await put(pk);
    await read((event) => void seen.push(...keysOf(event))).caughtUp();
    expect(seen).toEqual(['b']);
    expect(store.prepare('SELECT count(*) AS count FROM checkpoints').get()).toEqual({ count: 1 });
    const again: string[] = [];
    await read((event) => void again.push(...keysOf(event))).caughtUp();
    expect(again).toEqual([]);
  });

  it('notices a write while it sleeps, immediately when poked', async () => {
    const { put, read } = await openTable();
    const seen: string[] = [];
    const reader = read((event) => void seen.push(...keysOf(event)));
    await reader.caughtUp();
    await putAll(put, ['a']);
    await expect.poll(() => seen).toEqual(['a']);
    await putAll(put, ['b']);
    reader.poke();
    await expect.poll(() => seen, { interval: 1 }).toEqual(['a', 'b']);
  });

  it('is caught up only when everything put before the call was handled', async () => {
    const { put, read } = await openTable();
    const seen: string[] = [];
    const reader = read((event) => void seen.push(...keysOf(event)), { batchSize: 3 });
    for (let round = 1; round <= 20; round += 1) {
      await Promise.all(countTo(10).map((name) => put(`LOG#${round}-${name}`)));
      await reader.caughtUp();
      expect(seen).toHaveLength(round * 10);
    }
  });
});

describe('the checkpoint', () => {
  it('lets the next reader go on where the last one stopped', async () => {
    const { put, read } = await openTable();
    const seen: string[] = [];
    const handler = (event: LocalStreamEvent) => void seen.push(...keysOf(event));
    const first = read(handler);
    await putAll(put, ['a', 'b']);
    await first.caughtUp();
    await first.stop();
    await putAll(put, ['c']);
    await read(handler).caughtUp();
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('is not stored before the handler has returned: an unfinished batch is redelivered', async () => {
    const { put, read, store } = await openTable();
    const given: string[] = [];
    await putAll(put, ['a']);
    const noAnswer = read(() => undefined, {
      handler: (event) => {
        given.push(...keysOf(event));
        return Promise.reject(new Error('killed'));
      },
    });
    await expect.poll(() => given.length).toBeGreaterThan(0);
    expect(store.prepare('SELECT * FROM checkpoints').all()).toEqual([]);
    await noAnswer.stop();
    const seen: string[] = [];
    await read((event) => void seen.push(...keysOf(event))).caughtUp();
    expect(seen).toEqual(['a']);
  });
});

describe('failures', () => {
  it('come again from the lowest one named, with all after it and none before', async () => {
    const { put, read } = await openTable();
    const batches: string[][] = [];
    await putAll(put, ['a', 'b', 'c', 'd', 'e']);
    const reader = read((event) => {
      batches.push(keysOf(event));
      return batches.length === 1 ? failureOf(event, 'd', 'c') : undefined;
    });
    await reader.caughtUp();
    expect(batches[0]).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(batches.slice(1).flat()).toEqual(['c', 'd', 'e']);
  });

  it('that name no record of the batch fail it whole', async () => {
    const { put, read } = await openTable();
    const batches: string[][] = [];
    await putAll(put, ['a', 'b']);
    const reader = read((event) => {
      batches.push(keysOf(event));
      return batches.length === 1 ? { batchItemFailures: [{ itemIdentifier: '' }] } : undefined;
    });
    await reader.caughtUp();
    expect(batches.flat()).toEqual(['a', 'b', 'a', 'b']);
  });

  it('named too often cost that record alone', async () => {
    const { put, read } = await openTable();
    const errors: unknown[] = [];
    const counts = new Map<string, number>();
    await putAll(put, ['a', 'poison', 'c', 'd']);
    const reader = read(
      (event) => {
        const failure = failureOf(event, 'poison');
        const isFailed = failure.batchItemFailures.length > 0;
        const taken = isFailed ? keysOf(event).slice(0, keysOf(event).indexOf('poison') + 1) : keysOf(event);
        for (const key of taken) counts.set(key, (counts.get(key) ?? 0) + 1);
        return isFailed ? failure : undefined;
      },
      { attemptsMax: 3, onError: (error) => errors.push(error) },
    );
    await reader.caughtUp();
    expect(Object.fromEntries(counts)).toEqual({ a: 1, poison: 3, c: 1, d: 1 });
    expect(errors).toHaveLength(1);
  });

  it('thrown halve the batch until the record at fault stands alone, and then cost that record alone', async () => {
    const { put, read } = await openTable();
    const done: string[] = [];
    const names = [...countTo(6), 'poison', '7', '8'];
    await putAll(put, names);
    const reader = read(
      (event) => {
        if (keysOf(event).includes('poison')) throw new Error('unreadable');
        done.push(...keysOf(event));
        return undefined;
      },
      { attemptsMax: 2 },
    );
    await reader.caughtUp();
    expect(done).toEqual(names.filter((name) => name !== 'poison'));
  });

  it('without a limit hold the stream until the handler takes the record', async () => {
    const { put, read } = await openTable();
    let isBroken = true;
    const tries: string[] = [];
    await putAll(put, ['a', 'b']);
    const reader = read((event) => {
      tries.push(...keysOf(event));
      return isBroken ? failureOf(event, 'a') : undefined;
    });
    await expect.poll(() => tries.filter((key) => key === 'a').length).toBeGreaterThan(3);
    isBroken = false;
    await reader.caughtUp();
    expect(tries.at(-1)).toBe('b');
  });
});

describe('DynamoDB Local killed with SIGKILL and started again on its folder', () => {
  it('loses no acknowledged put, before or after; the reader resumes automatically and a new one repeats nothing', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'stream-'));
    cleanups.push(() => rmSync(dataFolder, { recursive: true, force: true }));
    let local = await launchDynamoDbLocal({ dataFolder });
    const { port } = local;
    cleanups.push(() => local.stop());
    const { put, read } = await openTable(local.endpoint);
    const answered: string[] = [];
    const seen: string[] = [];
    const errors: unknown[] = [];
    const reader = read((event) => void seen.push(...keysOf(event)), {
      batchSize: 10,
      onError: (error) => errors.push(error),
    });
    const putUntilKilled = async (lane: string) => {
      for (let index = 0; ; index += 1) {
        const name = `${lane}-${index}`;
        const isAnswered = await put(`LOG#${name}`).then(
          () => true,
          () => false,
        );
        if (!isAnswered) return;
        answered.push(name);
        if (lane === '0' && index === 30) process.kill(local.pid, 'SIGKILL');
      }
    };
    await Promise.all(countTo(4).map(putUntilKilled));
    expect(answered.length).toBeGreaterThan(30);
    local = await launchDynamoDbLocal({ dataFolder, port });
    const after = countTo(20).map((name) => `after-${name}`);
    await putAll(put, after);
    await reader.caughtUp();
    expect([...answered, ...after].filter((name) => !seen.includes(name))).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);

    await reader.stop();
    await local.stop();
    local = await launchDynamoDbLocal({ dataFolder, port });
    await putAll(put, ['last']);
    const again: string[] = [];
    await read((event) => void again.push(...keysOf(event))).caughtUp();
    expect(again).toEqual(['last']);
  });
});
