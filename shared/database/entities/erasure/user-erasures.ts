import { inChunks } from '../../../runtime/async/chunks.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { TOPIC_PREFIX } from '../../keys/environment.ts';
import { type Key, userPk } from '../../keys/key.ts';
import { formerContactKey, INAPP_PREFIX, profileKey, TRACE_PREFIX } from '../../keys/user.ts';
import type { Item } from '../../table.ts';
import { connectionKeys } from '../inapp/connections.ts';

const DELETES_AT_ONCE = 25;

/** Removes the stored data of users, after their deletion mark. */
export type UserErasures = ReturnType<typeof createUserErasures>;

function createUserErasures(table: Database) {
  async function keysOfPage(environmentId: string, userId: string, startAt: Item | undefined) {
    const page = await table.query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': userPk(environmentId, userId) },
      ProjectionExpression: 'pk, sk, connectionId',
      ConsistentRead: true,
      ExclusiveStartKey: startAt,
    });
    const profile = profileKey(environmentId, userId);
    const isElsewhere = (sk: unknown) =>
      [TRACE_PREFIX, TOPIC_PREFIX].some((prefix) => String(sk).startsWith(prefix));
    const own = page.items.filter(({ sk }) => sk !== profile.sk && !isElsewhere(sk));
    const keys = own.flatMap((item): Key[] =>
      typeof item.connectionId === 'string'
        ? connectionKeys({ environmentId, userId, connectionId: item.connectionId })
        : [{ pk: String(item.pk), sk: String(item.sk) }],
    );
    return { keys, lastKey: page.lastKey };
  }

  return {
    /**
     * Removes the user's partition except the profile, whose removal releases its device tokens, and traces and
     * topics, which are removed with the data they refer to. Safe to repeat.
     */
    async removeOwn(environmentId: string, userId: string): Promise<void> {
      let lastKey: Item | undefined;
      do {
        const page = await keysOfPage(environmentId, userId, lastKey);
        await inChunks(page.keys, DELETES_AT_ONCE, (key) => table.delete(key));
        lastKey = page.lastKey;
      } while (lastKey);
    },

    /** Removes the user from those who had the address of this partition. */
    async removeFormer(pk: string, { userId }: { userId: string }): Promise<void> {
      await table.delete(formerContactKey(pk, userId));
    },

    /** True if anything is stored under the user's partition. */
    async hasOwn(environmentId: string, userId: string): Promise<boolean> {
      const page = await table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': userPk(environmentId, userId) },
        ProjectionExpression: 'pk',
        ConsistentRead: true,
        Limit: 1,
      });
      return page.items.length > 0;
    },

    /** Removes in-app items up to `atMs` that a delivery in progress stored after the removal; the user may be back. */
    async removeLate(environmentId: string, userId: string, atMs: number): Promise<void> {
      const items = await table.queryAll(userPk(environmentId, userId), INAPP_PREFIX, { consistent: true });
      const late = items.filter(({ sk }) => String(sk) < `${INAPP_PREFIX}${isoOf(atMs + 1)}`);
      await Promise.all(late.map(({ pk, sk }) => table.delete({ pk: String(pk), sk: String(sk) })));
    },
  };
}

export const userErasures = dependency('userErasures', () => createUserErasures(resolve(database)));
