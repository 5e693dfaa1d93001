import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { launchDynamoDbLocal } from '../../../../../infra/local/database/dynamodb-local/launch.ts';
import type { LocalStreamEvent } from '../../../../../infra/local/database/stream/stream-event.ts';
import { cleanups, countTo, keysOf, openTable, putAll, useStreams } from './stream-setup.ts';

useStreams();

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

  it('drop only a record that is named too often', async () => {
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

  it('halve the batch when they are thrown until the faulty record is alone, then drop only that record', async () => {
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

  it('without a retry limit block the stream until the handler accepts the record', async () => {
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

describe('DynamoDB Local killed with SIGKILL and restarted on its folder', () => {
  it('loses no acknowledged write; the reader resumes automatically and a new one repeats nothing', async () => {
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
