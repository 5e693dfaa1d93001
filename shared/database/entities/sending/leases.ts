import { dependency, resolve } from '../../../runtime/dependency.ts';
import { secondsAfter } from '../../../runtime/values/durations.ts';
import { type Database, database } from '../../database.ts';
import { leaseKey } from '../../keys/key.ts';

/** Short locks by name, freed by time when their holder dies. */
function createLeases(table: Database) {
  return {
    /** True if the caller now holds the lease until `nowMs + durationMs`. */
    async take(name: string, nowMs: number, durationMs: number): Promise<boolean> {
      const untilMs = nowMs + durationMs;
      const outcome = await table.put(
        { ...leaseKey(name), untilMs, expiresAt: secondsAfter(untilMs, 3600) },
        { condition: 'attribute_not_exists(pk) OR untilMs <= :now', values: { ':now': nowMs } },
      );
      return outcome.written;
    },
    async free(name: string): Promise<void> {
      await table.delete(leaseKey(name));
    },
  };
}

export const leases = dependency('leases', () => createLeases(resolve(database)));
