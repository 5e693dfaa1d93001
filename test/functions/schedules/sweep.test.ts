import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { handler as sweep } from '../../../functions/workers/due/sweep.ts';
import { DUE_SHARDS, dueKeys } from '../../../shared/database/keys/indexes.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { chunksOf } from '../../../shared/runtime/chunks.ts';
import { newTrackingId, shardOf } from '../../../shared/runtime/ids.ts';
import { inLanes } from '../../support/lanes.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();
/** Each test begins an hour later, after a sweep. */
beforeEach(async () => {
  app.clock.nowMs += 3_600_000;
  await sweep();
  app.sent.clear();
});

const MINUTE_MS = 60_000;
const BATCH = 25;

/** Entries of the due index, one for each time; their tracking IDs. */
async function storeDue(times: readonly number[]): Promise<string[]> {
  const entries = times.map((dueAtMs) => ({ dueAtMs, trackingId: newTrackingId(app.clock.nowMs) }));
  await inLanes(chunksOf(entries, BATCH), async (batch) => {
    const requests = batch.map(({ dueAtMs, trackingId }) => ({
      PutRequest: {
        Item: {
          ...headKey(trackingId),
          ...dueKeys(dueAtMs, shardOf(trackingId, DUE_SHARDS), logPk(trackingId)),
        },
      },
    }));
    await app.documents.send(new BatchWriteCommand({ RequestItems: { [app.tableName]: requests } }));
  });
  return entries.map(({ trackingId }) => trackingId);
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

it('enqueues 10,000 due in the same minute with one sweep, each once and for its second', async () => {
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
