import { BatchWriteCommand, DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { handler as sweep } from '../../../functions/workers/due/sweep.ts';
import { DUE_SHARDS, dueKeys } from '../../../shared/database/keys/indexes.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { headKey, retryKey } from '../../../shared/database/keys/log.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { chunksOf } from '../../../shared/runtime/async/chunks.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { newTrackingId, shardOf } from '../../../shared/runtime/values/ids.ts';
import { isFew } from '../../support/cases.ts';
import { inLanes } from '../../support/lanes.ts';
import { useApp } from '../../support/use-app.ts';

const MINUTE_MS = 60_000;
const app = useApp();
/** Each test begins an hour later, after a sweep: what is due within the two minutes of it, the stream has enqueued. */
beforeEach(async () => {
  app.clock.nowMs += 3_600_000;
  await sweep();
  app.clock.nowMs += 2 * MINUTE_MS;
  app.sent.clear();
});

const BATCH = 25;

let stored: string[] = [];
afterEach(async () => {
  await inLanes(chunksOf(stored, BATCH), async (batch) => {
    const requests = batch.map((trackingId) => ({ DeleteRequest: { Key: headKey(trackingId) } }));
    await app.documents.send(new BatchWriteCommand({ RequestItems: { [app.tableName]: requests } }));
  });
  stored = [];
});

/** Entries of the due index, one for each time, spread over its shards or in one; their tracking IDs. */
async function storeDue(times: readonly number[], inShard?: number): Promise<string[]> {
  const entries = times.map((dueAtMs) => ({ dueAtMs, trackingId: newTrackingId(app.clock.nowMs) }));
  await inLanes(chunksOf(entries, BATCH), async (batch) => {
    const requests = batch.map(({ dueAtMs, trackingId }) => ({
      PutRequest: {
        Item: {
          ...headKey(trackingId),
          ...dueKeys(dueAtMs, inShard ?? shardOf(trackingId, DUE_SHARDS), logPk(trackingId)),
        },
      },
    }));
    await app.documents.send(new BatchWriteCommand({ RequestItems: { [app.tableName]: requests } }));
  });
  const trackingIds = entries.map(({ trackingId }) => trackingId);
  stored.push(...trackingIds);
  return trackingIds;
}

/** Returns the arrival times, by partition, of messages that the sweeper has enqueued since the last call. */
function takeArrivals(): Map<string, number[]> {
  const arrivals = new Map<string, number[]>();
  for (const { body, delaySeconds = 0 } of app.sent.get(DUE_QUEUE) ?? []) {
    const { pk } = JSON.parse(body);
    arrivals.set(pk, [...(arrivals.get(pk) ?? []), app.clock.nowMs + delaySeconds * 1000]);
  }
  app.sent.clear();
  return arrivals;
}

it('enqueues everything that became due while the sweeper was down for ten minutes', async () => {
  const beganAtMs = app.clock.nowMs;
  const times = Array.from({ length: 600 }, (_, second) => beganAtMs + 130_000 + second * 1000);
  const trackingIds = await storeDue(times);
  app.clock.nowMs = beganAtMs + 130_000 + 10 * MINUTE_MS;
  expect(await sweep()).toEqual({ found: 600 });
  const arrivals = takeArrivals();
  for (const trackingId of trackingIds) expect(arrivals.get(logPk(trackingId))).toEqual([app.clock.nowMs]);
});

it.skipIf(isFew)('enqueues 10,000 of one minute with one sweep, each once and for its second', async () => {
  const minuteMs = Math.ceil(app.clock.nowMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  app.clock.nowMs = minuteMs - MINUTE_MS;
  const times = Array.from({ length: 10_000 }, (_, index) => minuteMs + index * 6);
  const trackingIds = await storeDue(times);
  expect(await sweep()).toEqual({ found: 10_000 });
  const arrivals = takeArrivals();
  const wrong = trackingIds.filter((trackingId, index) => {
    const [first = 0, ...more] = arrivals.get(logPk(trackingId)) ?? [];
    const lateMs = first - (times[index] ?? 0);
    return more.length > 0 || lateMs < 0 || lateMs >= 1000;
  });
  expect(wrong).toEqual([]);
});

it('goes on where it stopped: what more than a sweep can enqueue is enqueued once, and what others have later is not lost', async () => {
  const startMs = app.clock.nowMs;
  // A round takes 1,000 of a shard.
  const times = Array.from({ length: 1050 }, () => startMs + 100_000);
  const trackingIds = [...(await storeDue(times, 3)), ...(await storeDue(times, 7))];
  const later = await storeDue([startMs + 110_000], 3);
  const ids = [...trackingIds, ...later].map((trackingId) => logPk(trackingId));
  const briefly = (rounds: number) => {
    const left = Array.from({ length: rounds }, () => 11_000);
    const getRemainingTimeInMillis = () => left.pop() ?? 10_000;
    return sweep({}, { getRemainingTimeInMillis } as unknown as Context);
  };
  const { found } = await briefly(1);
  expect(found).toBe(2000);
  expect(await briefly(2)).toEqual({ found: 101 });
  expect(await briefly(2)).toEqual({ found: 0 });
  const arrivals = takeArrivals();
  expect(ids.filter((pk) => arrivals.get(pk)?.length !== 1)).toEqual([]);
  app.clock.nowMs = startMs + 100_000 + 59_000;
  expect(await sweep()).toEqual({ found: 0 });
  // Still there a minute later: they were lost on their way. The oldest come first, as many as one round takes.
  app.clock.nowMs += 2000;
  expect((await sweep()).found).toBe(found);
});

it('enqueues what stays in the index, as started steps do, in the minutes after its time and no more', async () => {
  const [trackingId = ''] = await storeDue([app.clock.nowMs + 150_000]);
  for (let minute = 0; minute < 15; minute += 1) {
    app.clock.nowMs += MINUTE_MS;
    await sweep();
  }
  const arrivals = takeArrivals().get(logPk(trackingId)) ?? [];
  expect(arrivals.length).toBeGreaterThanOrEqual(2);
  expect(arrivals.length).toBeLessThanOrEqual(3);
});

it.each([
  { of: 'from yesterday', beforeMs: 86_400_000 },
  { of: 'of the last minute', beforeMs: 50_000 },
])(
  'finds a retry that was written after the sweeps had passed its time, behind 1,100 items $of',
  async ({ beforeMs }) => {
    const retry = retryKey(newTrackingId(app.clock.nowMs), 'EMAIL');
    const shard = shardOf(retry.pk, DUE_SHARDS);
    await storeDue(
      Array.from({ length: 1100 }, () => app.clock.nowMs - beforeMs),
      shard,
    );
    await sweep();
    const due = dueKeys(app.clock.nowMs + 70_000, shard, retry.pk);
    await app.documents.send(new PutCommand({ TableName: app.tableName, Item: { ...retry, ...due } }));
    app.clock.nowMs += MINUTE_MS;
    app.sent.clear();
    await sweep();
    await app.documents.send(new DeleteCommand({ TableName: app.tableName, Key: retry }));
    expect(takeArrivals().get(retry.pk)).toEqual([app.clock.nowMs + 10_000]);
  },
);

it('goes on behind what the queue refuses once, in the same sweep, and ends at what it keeps refusing', async () => {
  const shard = 3;
  const stored = await storeDue(
    Array.from({ length: 60 }, (_, index) => app.clock.nowMs + 1000 + index),
    shard,
  );
  const order = stored.map(logPk);
  const refusedOnce = new Set(order.filter((_, index) => index % 10 === 5));
  const sent = new Set<string>();
  let isFirst = true;
  replace(queues, () => ({
    send: async (_queue, messages) => {
      const pks = messages.map(({ body }) => JSON.parse(body).pk);
      return pks.flatMap((pk, index) => {
        if (isFirst && pk === order[55]) return [index];
        if (refusedOnce.delete(pk) && pk !== order[55]) return [index];
        sent.add(pk);
        return [];
      });
    },
    changeVisibility: async () => {},
    countWaiting: async () => 0,
  }));
  await expect(sweep()).rejects.toThrow('did not accept');
  expect(order.filter((pk) => !sent.has(pk))).toEqual([order[55]]);
  isFirst = false;
  await sweep();
  expect(sent.size).toBe(60);
});

it('stops a shard at what the queue refuses, and sends the rest of it next time', async () => {
  const [first = '', second = '', third = ''] = await storeDue(
    [1, 2, 3].map((s) => app.clock.nowMs + s * 1000),
  );
  let isRefusing = true;
  const sent: string[] = [];
  replace(queues, () => ({
    send: async (_queue, messages) => {
      const pks = messages.map(({ body }) => JSON.parse(body).pk);
      const refused = isRefusing ? pks.flatMap((pk, index) => (pk === logPk(second) ? [index] : [])) : [];
      sent.push(...pks.filter((_, index) => !refused.includes(index)));
      return refused;
    },
    changeVisibility: async () => {},
    countWaiting: async () => 0,
  }));
  await expect(sweep()).rejects.toThrow('did not accept');
  isRefusing = false;
  await sweep();
  expect(new Set(sent)).toEqual(new Set([first, second, third].map((id) => logPk(id))));
  expect(sent.filter((pk) => pk === logPk(second))).toHaveLength(1);
});
