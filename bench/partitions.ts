import { newId, newTrackingId, shardOf } from '../shared/runtime/values/ids.ts';
import { partitionOf } from './growth.ts';
import { type Figure, medianOf } from './report.ts';

const PART = 'Feed index at 10,000 rows/s: hot partitions (simulated)';
const ROWS_PER_SECOND = 10_000;
const PARTITION_UNITS_PER_SECOND = 1000;
const SHARDS = [1, 16, 32, 64, 128] as const;
/** An index warmed for twice the load, and for the account's quota of 40,000 write units per second. */
const PARTITIONS = [20, 40] as const;
const HOT_START_MS = Date.UTC(2026, 0, 1);

/** One second of one environment: rows of the busiest partition, and rows over the limit of partitions. */
type Second = { busiest: number; over: number };

/**
 * Shards are partition keys, and DynamoDB places each by its hash: some partitions get several. A key's
 * writes all go to the end of its range, so splitting never spreads one key. Over `environments` random
 * environments: how often a partition gets more than its 1,000 units, and which share of the rows that is.
 */
export function simulatePartitions(environments: number): Figure[] {
  const figures: Figure[] = [];
  for (const partitions of PARTITIONS) {
    for (const shards of SHARDS) {
      const seconds = Array.from({ length: environments }, () => simulateSecond(shards, partitions));
      const overloaded = seconds.filter(({ over }) => over > 0).length / environments;
      const share = seconds.reduce((sum, { over }) => sum + over, 0) / environments / ROWS_PER_SECOND;
      figures.push({
        part: PART,
        name: `${shards} shard${shards === 1 ? '' : 's'} on ${partitions} partitions`,
        value: overloaded * 100,
        unit: '% of environments throttled',
        note: `${(share * 100).toFixed(1)} % of rows over, busiest partition ${medianOf(seconds.map(({ busiest }) => busiest))} rows/s`,
      });
    }
  }
  return figures;
}

function simulateSecond(shards: number, partitions: number): Second {
  const environmentId = newId();
  const placeOf = Array.from({ length: shards }, (_, shard) => partitionOf(environmentId, shard, partitions));
  const rows = new Array<number>(partitions).fill(0);
  for (let row = 0; row < ROWS_PER_SECOND; row += 1) {
    const place = placeOf[shardOf(newTrackingId(HOT_START_MS + row / 10), shards)] ?? 0;
    rows[place] = (rows[place] ?? 0) + 1;
  }
  return {
    busiest: Math.max(...rows),
    over: rows.reduce((sum, each) => sum + Math.max(0, each - PARTITION_UNITS_PER_SECOND), 0),
  };
}
