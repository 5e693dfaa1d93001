import { describe, expect, it } from 'vitest';
import type { LocalStreamEvent } from '../../../../../infra/local/database/stream/stream-event.ts';
import { countTo, keysOf, openTable, putAll, useStreams } from './stream-setup.ts';

useStreams();

describe('the Lambda event of a stream', () => {
  it('keeps the shape that Lambda uses for a source with a window', async () => {
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

  it('detects a write while it sleeps, immediately when notified', async () => {
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
