import { createHash } from 'node:crypto';
import { copiesFor, shardsFor } from '../shared/database/entities/accounts/account-growth.ts';
import { feedPk } from '../shared/database/keys/indexes.ts';
import { newId } from '../shared/runtime/values/ids.ts';
import type { Figure } from './report.ts';

const WRITES_PER_PARTITION = 1000;
const READS_PER_ITEM = 3000;
const WINDOW_SECONDS = 10;
/** Dispatch reads the end of a window with the next records; functions hold the account for three seconds. */
const NOTICED_SECONDS = 4;
const STEP_SECONDS = 60;

export type Minute = {
  perSecond: number;
  /** At its end. */
  shards: number;
  copies: number;
  /** Share of the rows that a partition of the feed throttled at first. */
  throttledWrites: number;
  /** Share of the requests whose key read was throttled at first. */
  throttledReads: number;
};

/**
 * A minute of each rate, in turn. Throttled requests are retried a second later, as clients do; the measured rate counts accepted
 * requests.
 */
export function simulateGrowth(
  rates: readonly number[],
  partitions: number,
  environmentId = newId(),
): Minute[] {
  let [shards, copies] = [1, 0];
  const changes: { atSecond: number; shards: number; copies: number }[] = [];
  const accepted: number[] = [];
  let backlog = 0;
  /** The partition of each shard. */
  const places: number[] = [];
  return rates.map((perSecond, step) => {
    let [attempted, refusedWrites, refusedReads] = [0, 0, 0];
    for (let second = step * STEP_SECONDS; second < (step + 1) * STEP_SECONDS; second += 1) {
      for (const change of changes.filter(({ atSecond }) => atSecond <= second)) {
        shards = Math.max(shards, change.shards);
        copies = Math.max(copies, change.copies);
      }
      const recordsPerSecond = perSecond + backlog;
      const read = Math.min(recordsPerSecond, READS_PER_ITEM * (copies + 1));
      while (places.length < shards) places.push(partitionOf(environmentId, places.length, partitions));
      const written = writtenOf(read, places);
      attempted += recordsPerSecond;
      refusedReads += recordsPerSecond - read;
      refusedWrites += read - written;
      backlog = recordsPerSecond - written;
      accepted.push(written);
      if ((second + 1) % WINDOW_SECONDS !== 0) continue;
      const measured = accepted.slice(-WINDOW_SECONDS).reduce((sum, each) => sum + each, 0) / WINDOW_SECONDS;
      changes.push({
        atSecond: second + NOTICED_SECONDS,
        shards: shardsFor(measured),
        copies: copiesFor(measured),
      });
    }
    return {
      perSecond,
      shards,
      copies,
      throttledWrites: refusedWrites / attempted,
      throttledReads: refusedReads / attempted,
    };
  });
}

/** Rows that partitions accept of `rows` in a second, each shard with an equal part of them. */
function writtenOf(rows: number, places: readonly number[]): number {
  const byPartition = new Map<number, number>();
  for (const place of places) byPartition.set(place, (byPartition.get(place) ?? 0) + rows / places.length);
  return [...byPartition.values()].reduce((sum, each) => sum + Math.min(each, WRITES_PER_PARTITION), 0);
}

/** Partitions share the space of hashed keys evenly. */
export function partitionOf(environmentId: string, shard: number, partitions: number): number {
  const hash = createHash('md5')
    .update(feedPk(environmentId, 'LOG', shard))
    .digest();
  return Math.floor((hash.readUInt32BE(0) / 2 ** 32) * partitions);
}

const LOADS = {
  'Growth of a busy account, minute by minute (simulated)': [10, 100, 1000, 3000, 10_000, 10_000],
  'A sudden load (simulated)': [10, 10_000, 10_000],
};

/** From 10 to 10,000 notifications per second, averaged over environments. */
export function growthFigures(environments: number, partitions = 40): Figure[] {
  return Object.entries(LOADS).flatMap(([part, rates]) => {
    const runs = Array.from({ length: environments }, () => simulateGrowth(rates, partitions));
    return rates.map((perSecond, index) => {
      const minutes = runs.flatMap((run) => run[index] ?? []);
      const mean = (value: (minute: Minute) => number) =>
        minutes.reduce((sum, minute) => sum + value(minute), 0) / minutes.length;
      return {
        part,
        name: `minute ${index + 1}: ${perSecond}/s`,
        value: 100 * mean(({ throttledWrites }) => throttledWrites),
        unit: '% of writes throttled',
        note: `${(100 * mean(({ throttledReads }) => throttledReads)).toFixed(1)} % of key reads; at its end ${mean(({ shards }) => shards).toFixed(0)} shards, ${mean(({ copies }) => copies).toFixed(0)} copies of the key`,
      };
    });
  });
}
