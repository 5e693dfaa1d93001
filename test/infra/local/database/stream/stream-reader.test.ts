import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTable, localClient } from '../../../../../infra/local/database/dynamodb-local/create-table.ts';
import {
  lambdaRecordOf,
  openServerStream,
} from '../../../../../infra/local/database/dynamodb-local/server-stream.ts';
import type { LocalStreamEvent } from '../../../../../infra/local/database/stream/stream-event.ts';
import {
  readStream,
  retryDelayMs,
  type StreamReader,
  type StreamReaderOptions,
} from '../../../../../infra/local/database/stream/stream-reader.ts';
import { readableShards } from '../../../../../infra/local/database/stream/stream-shards.ts';
import type { StreamShard } from '../../../../../infra/local/database/stream/stream-source.ts';
import { openQueueStore } from '../../../../../infra/local/queue/queue.ts';
import { dynamodbEndpoint } from '../../../../support/dynamodb.ts';

type Handler = (event: LocalStreamEvent) => DynamoDBBatchResponse | undefined;

/** A separate table, and readers of its stream that share one store of checkpoints. */
async function openTable() {
  const endpoint = await dynamodbEndpoint();
  const client = localClient(endpoint);
  const tableName = `stream-${randomBytes(8).toString('hex')}`;
  const streamArn = await createTable(endpoint, tableName);
  const store: DatabaseSync = openQueueStore(':memory:');
  onTestFinished(() => {
    client.destroy();
    store.close();
  });
  const put = (pk: string, data: Record<string, Uint8Array> = {}) => {
    const attributes = Object.entries(data).map(([name, bytes]) => [name, { B: bytes }]);
    const Item = { pk: { S: pk }, sk: { S: 'HEAD' }, ...Object.fromEntries(attributes) };
    return client.send(new PutItemCommand({ TableName: tableName, Item }));
  };
  const read = (handler: Handler, overrides: Partial<StreamReaderOptions> = {}): StreamReader => {
    const reader = readStream({
      source: openServerStream(endpoint, streamArn),
      store,
      batchSize: 100,
      prefixes: ['LOG#'],
      handler: async (event) => handler(event),
      onError: () => {},
      ...overrides,
    });
    onTestFinished(() => reader.stop());
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

const countTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

describe('the Lambda event of a stream', () => {
  it('keeps the shape that Lambda uses for a source with a window', async () => {
    const { put, read, streamArn } = await openTable();
    const events: LocalStreamEvent[] = [];
    const beganAtSeconds = Math.floor(Date.now() / 1000);
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
    expect(created).toBeGreaterThanOrEqual(beganAtSeconds);
    expect(created).toBeLessThanOrEqual(Date.now() / 1000);
  });
});

describe('reading the stream', () => {
  it('delivers records from before and after the start, in order, in batches up to the limit', async () => {
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

  it('passes only the requested prefixes to the handler and skips the rest', async () => {
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

  it('detects a write while it sleeps', async () => {
    const { put, read } = await openTable();
    const seen: string[] = [];
    const reader = read((event) => void seen.push(...keysOf(event)));
    await reader.caughtUp();
    await putAll(put, ['a']);
    await expect.poll(() => seen).toEqual(['a']);
  });

  it('catches up only when everything put before the call was handled', async () => {
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

describe('the checkpoint of a reader', () => {
  it('lets the next reader continue where the last one stopped', async () => {
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

  it('moves only after the handler has returned: an unfinished batch is redelivered', async () => {
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

function failureOf(event: LocalStreamEvent, ...names: string[]): DynamoDBBatchResponse {
  const failed = event.Records.filter((_record, index) => names.includes(keysOf(event)[index] ?? ''));
  return {
    batchItemFailures: failed.map((record) => ({ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' })),
  };
}

describe('failures of a handler', () => {
  it('redeliver from the lowest one named, with all records after it and none before', async () => {
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

  it('fail the batch completely when they name no record of it', async () => {
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

  it('block the stream until the handler accepts the record', async () => {
    const { put, read } = await openTable();
    let isBroken = true;
    const tries: string[] = [];
    await putAll(put, ['a', 'b']);
    const reader = read((event) => {
      tries.push(...keysOf(event));
      return isBroken ? failureOf(event, 'a') : undefined;
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const passUntil = async (isOver: () => boolean) => {
      while (!isOver()) await Promise.all([vi.advanceTimersByTimeAsync(100), sleep(5)]);
    };
    await passUntil(() => tries.filter((key) => key === 'a').length > 3);
    isBroken = false;
    const count = tries.length;
    await passUntil(() => tries.length >= count + 2);
    await reader.stop();
    expect(tries.slice(count)).toEqual(['a', 'b']);
  });
});

/** Shards that each descend from an earlier shard, from an unlisted shard, or from none. */
const shardTree = fc.array(fc.option(fc.nat(20), { nil: undefined }), { maxLength: 12 }).map((parents) =>
  parents.map((parent, index): StreamShard => {
    if (parent === undefined) return { id: `s${index}` };
    return { id: `s${index}`, parentId: parent < index ? `s${parent}` : 'trimmed' };
  }),
);

describe('stream shards', () => {
  it('reach the reader once, each after its parent, in whatever order they end', () => {
    fc.assert(
      fc.property(shardTree, fc.infiniteStream(fc.nat(20)), (shards, picks) => {
        const ended: string[] = [];
        for (const pick of picks) {
          const readable = readableShards(shards, (id) => ended.includes(id));
          if (readable.length === 0) break;
          const shardId = readable[pick % readable.length] ?? '';
          const parent = shards.find((shard) => shard.id === shardId)?.parentId;
          expect(parent === undefined || parent === 'trimmed' || ended.includes(parent)).toBe(true);
          ended.push(shardId);
        }
        expect(ended.sort()).toEqual(shards.map((shard) => shard.id).sort());
      }),
    );
  });
});

describe('the delay before a retry', () => {
  it('doubles from 100 ms to 5 s', () => {
    expect([1, 2, 3, 6, 7, 50].map(retryDelayMs)).toEqual([100, 200, 400, 3200, 5000, 5000]);
  });
});

describe('a record of a server', () => {
  it('restores empty maps that DynamoDB Local omits', () => {
    const nothing = {} as AttributeValue;
    const NewImage = { f: nothing, l: { L: [] }, n: { M: { m: nothing, l: { L: [nothing] } } } };
    expect(lambdaRecordOf({ dynamodb: { NewImage } }, 'arn').dynamodb?.NewImage).toEqual({
      f: { M: {} },
      l: { L: [] },
      n: { M: { m: { M: {} }, l: { L: [{ M: {} }] } } },
    });
  });
});
