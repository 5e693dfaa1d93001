import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { costWatchKey } from '../../keys/usage.ts';

const StoredWatch = v.object({
  /** The day (UTC) of what follows. */
  date: v.optional(v.string(), ''),
  /** What the days before cost on average. */
  usualUsd: v.optional(v.number(), 0),
  /** Messages of the day at the last look. */
  messages: v.optional(v.number(), 0),
  /** Sending was stopped on that day. It is not stopped again if somebody allows it. */
  isStopped: v.optional(v.boolean(), false),
  /** The loops that were named on that day, a line each: `<environment> <type>`. */
  loop: v.optional(v.string()),
  /** What the operator lets a day of the account cost, in the place of the deployment's floor. */
  floorUsd: v.optional(v.number()),
});
/** What is known of an account's costs of a day, apart from its counters. */
export type CostWatch = v.InferOutput<typeof StoredWatch>;

function createCostWatches(table: Database) {
  return {
    async find(accountId: string): Promise<CostWatch | undefined> {
      const item = await table.get(costWatchKey(accountId), { consistent: true });
      return item && readStored('cost watch', StoredWatch, item);
    },
    async save(accountId: string, watch: CostWatch): Promise<void> {
      const { date, usualUsd, messages, isStopped, loop = '' } = watch;
      const names = { '#date': 'date', '#loop': 'loop' };
      const values = { ':date': date, ':usual': usualUsd, ':messages': messages, ':isStopped': isStopped };
      await table.update(
        costWatchKey(accountId),
        'SET #date = :date, usualUsd = :usual, messages = :messages, isStopped = :isStopped, #loop = :loop',
        { names, values: { ...values, ':loop': loop } },
      );
    },
    async setFloor(accountId: string, floorUsd: number): Promise<void> {
      await table.update(costWatchKey(accountId), 'SET floorUsd = :usd', { values: { ':usd': floorUsd } });
    },
  };
}

export const costWatches = dependency('costWatches', () => createCostWatches(resolve(database)));
