import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { TRACE_PREFIX, traceKey, userPk } from '../keys.ts';
import { readStored } from './stored.ts';

/** A user of an environment. */
export type TracedUser = { environmentId: string; userId: string };

/**
 * Where else than under the user something of them is stored, so that their deletion finds it. A trace is entered before
 * what it leads to, and may outlast it.
 */
export type UserTraces = {
  /** Enters the partition `pk`, until nothing can be there any more: `untilSeconds`, epoch seconds, or for good. */
  enter(user: TracedUser, pk: string, untilSeconds?: number): Promise<void>;
  /** The partitions entered and not left. */
  list(user: TracedUser): Promise<string[]>;
  leave(user: TracedUser, pk: string): Promise<void>;
};

const StoredTrace = v.object({ traced: v.string() });

/** Builds the access patterns on the table. */
export function createUserTraces(table: Database): UserTraces {
  return {
    async enter({ environmentId, userId }, pk, untilSeconds) {
      const expiry = untilSeconds === undefined ? {} : { expiresAt: untilSeconds };
      await table.put({ ...traceKey(environmentId, userId, pk), traced: pk, ...expiry });
    },
    async list({ environmentId, userId }) {
      const items = await table.queryAll(userPk(environmentId, userId), TRACE_PREFIX, { consistent: true });
      return items.map((item) => readStored('user trace', StoredTrace, item).traced);
    },
    async leave({ environmentId, userId }, pk) {
      await table.delete(traceKey(environmentId, userId, pk));
    },
  };
}

/** Traces of this deployment's users. */
export const userTraces = dependency('userTraces', () => createUserTraces(resolve(database)));
