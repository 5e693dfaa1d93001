import { dependency, resolve } from '../../runtime/dependency.ts';
import { secondsAfter } from '../../runtime/durations.ts';
import { type Database, database } from '../database.ts';
import { leaseKey } from '../keys/key.ts';

/** Short locks by name, freed by time when their holder dies. */
export type Leases = {
  /** True if the caller now holds the lease until `nowMs + durationMs`. */
  take(name: string, nowMs: number, durationMs: number): Promise<boolean>;
  free(name: string): Promise<void>;
};

/** Builds leases on the table. */
function createLeases(table: Database): Leases {
  return {
    async take(name, nowMs, durationMs) {
      const untilMs = nowMs + durationMs;
      const outcome = await table.put(
        { ...leaseKey(name), untilMs, expiresAt: secondsAfter(untilMs, 3600) },
        { condition: 'attribute_not_exists(pk) OR untilMs <= :now', values: { ':now': nowMs } },
      );
      return outcome.written;
    },
    async free(name) {
      await table.delete(leaseKey(name));
    },
  };
}

export const leases = dependency('leases', () => createLeases(resolve(database)));
