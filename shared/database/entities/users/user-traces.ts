import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { newId } from '../../../runtime/values/ids.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { userPk } from '../../keys/key.ts';
import { TRACE_PREFIX, traceKey } from '../../keys/user.ts';

type TracedUser = { environmentId: string; userId: string };

/**
 * Traces of a user's data in other partitions, so that their deletion finds it. A trace is written before the
 * data it refers to, and may outlast it.
 */
export type UserTraces = {
  /**
   * Writes a trace of the partition `pk`, until it can no longer contain data: `untilSeconds`, epoch seconds,
   * or permanently. `atMs`: when the data was requested.
   */
  enter(user: TracedUser, pk: string, life?: { untilSeconds?: number; atMs?: number }): Promise<void>;
  /** Writes the trace again if it was removed since: a deletion came between the trace and the data. */
  reenter(user: TracedUser, pk: string): Promise<void>;
  /** The partitions entered and not left. */
  list(user: TracedUser): Promise<string[]>;
  /** Removes a trace, unless its data was requested after `untilMs`: the user may have been created again. */
  leave(user: TracedUser, pk: string, untilMs: number): Promise<void>;
  /**
   * Runs `remove`, which deletes the data in the partition, then removes the trace, unless it was written
   * again in the meantime, or `remove` returns false because data remains.
   */
  leaveAfter(user: TracedUser, pk: string, remove: () => Promise<unknown>): Promise<void>;
};

const StoredTrace = v.object({ traced: v.string() });

export function createUserTraces(table: Database): UserTraces {
  const traces: UserTraces = {
    async enter({ environmentId, userId }, pk, { untilSeconds, atMs } = {}) {
      const key = traceKey(environmentId, userId, pk);
      await table.put({ ...key, traced: pk, entry: newId(), ...defined({ atMs }), expiresAt: untilSeconds });
    },
    async reenter(user, pk) {
      const key = traceKey(user.environmentId, user.userId, pk);
      if (!(await table.get(key, { consistent: true }))) await traces.enter(user, pk);
    },
    async list({ environmentId, userId }) {
      const items = await table.queryAll(userPk(environmentId, userId), TRACE_PREFIX, { consistent: true });
      return items.map((item) => readStored('user trace', StoredTrace, item).traced);
    },
    async leave({ environmentId, userId }, pk, untilMs) {
      await table.delete(traceKey(environmentId, userId, pk), {
        condition: 'attribute_not_exists(atMs) OR atMs <= :until',
        values: { ':until': untilMs },
      });
    },
    async leaveAfter({ environmentId, userId }, pk, remove) {
      const key = traceKey(environmentId, userId, pk);
      const entry = (await table.get(key, { consistent: true }))?.entry;
      if ((await remove()) === false) return;
      await table.delete(
        key,
        entry === undefined
          ? { condition: 'attribute_not_exists(entry)' }
          : { condition: 'entry = :entry', values: { ':entry': entry } },
      );
    },
  };
  return traces;
}

export const userTraces = dependency('userTraces', () => createUserTraces(resolve(database)));
