import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { costWatchKey } from '../keys/usage.ts';
import { readStored } from './stored.ts';

const StoredWatch = v.object({
  /** The day (UTC) of what follows. */
  date: v.string(),
  /** What the days before cost on average. */
  usualUsd: v.number(),
  /** Messages of the day at the last look. */
  messages: v.number(),
  /** Sending was stopped on that day; whoever allows it again is not overruled. */
  isStopped: v.boolean(),
  /** The loop that was last named on that day: `<environment> <type>`. */
  loop: v.optional(v.string()),
});
/** What is known of an account's costs of a day, apart from its counters. */
export type CostWatch = v.InferOutput<typeof StoredWatch>;

export type CostWatches = {
  find(accountId: string): Promise<CostWatch | undefined>;
  save(accountId: string, watch: CostWatch): Promise<void>;
};

function createCostWatches(table: Database): CostWatches {
  return {
    async find(accountId) {
      const item = await table.get(costWatchKey(accountId), { consistent: true });
      return item && readStored('cost watch', StoredWatch, item);
    },
    async save(accountId, watch) {
      await table.put({ ...costWatchKey(accountId), ...watch });
    },
  };
}

export const costWatches = dependency('costWatches', () => createCostWatches(resolve(database)));
