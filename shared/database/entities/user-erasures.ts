import { isoOf } from '../../runtime/clock.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { erasureKey, INAPP_PREFIX, type Key, profileKey, TRACE_PREFIX, userPk } from '../keys.ts';
import type { Item } from '../table.ts';
import { connectionKeys } from './connections.ts';

const DELETES_AT_ONCE = 25;
/** A notification may wait a year for its time and a month more in a digest. */
const MARK_SECONDS = 400 * 86_400;

/** Deletion of users, and who was deleted when. */
export type UserErasures = {
  /**
   * Notes that everything accepted for the user until `nowMs` is not to be sent, by a mark that holds no personal data.
   * It comes before the removal: one that stops half way still stops what waits, and who stores something of the user
   * reads it afterwards, so that either the removal finds that or they find the mark.
   */
  mark(environmentId: string, userId: string, nowMs: number): Promise<void>;
  /**
   * Removes what the user's partition holds except the profile, whose removal releases its device tokens, and traces of
   * what is stored elsewhere, which leave with it. Safe to repeat.
   */
  removeOwn(environmentId: string, userId: string): Promise<void>;
  /** Whether anything is stored under the user's partition. */
  hasOwn(environmentId: string, userId: string): Promise<boolean>;
  /** Removes in-app items up to `atMs` that a delivery in progress stored after the removal; the user may be back. */
  removeLate(environmentId: string, userId: string, atMs: number): Promise<void>;
  /** When the user was deleted last; undefined when never, or over 400 days ago. */
  findErasedAtMs(environmentId: string, userId: string): Promise<number | undefined>;
  /** Whether the user was deleted at or after `sinceMs`, such as when a notification was received. */
  isErasedSince(environmentId: string, userId: string, sinceMs: number): Promise<boolean>;
};

/** Builds the deletion on the table. */
export function createUserErasures(table: Database): UserErasures {
  async function keysOfPage(environmentId: string, userId: string, startAt: Item | undefined) {
    const page = await table.query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': userPk(environmentId, userId) },
      ProjectionExpression: 'pk, sk, connectionId',
      ConsistentRead: true,
      ...(startAt ? { ExclusiveStartKey: startAt } : {}),
    });
    const profile = profileKey(environmentId, userId);
    const own = page.items.filter(({ sk }) => sk !== profile.sk && !String(sk).startsWith(TRACE_PREFIX));
    const keys = own.flatMap((item): Key[] =>
      typeof item.connectionId === 'string'
        ? connectionKeys({ environmentId, userId, connectionId: item.connectionId })
        : [{ pk: String(item.pk), sk: String(item.sk) }],
    );
    return { keys, lastKey: page.lastKey };
  }

  async function findErasedAtMs(environmentId: string, userId: string): Promise<number | undefined> {
    const mark = await table.get(erasureKey(environmentId, userId), { consistent: true });
    return mark && Number(mark.erasedAtMs);
  }

  return {
    async mark(environmentId, userId, nowMs) {
      await table.put({
        ...erasureKey(environmentId, userId),
        erasedAtMs: nowMs,
        expiresAt: Math.ceil(nowMs / 1000) + MARK_SECONDS,
      });
    },

    async removeOwn(environmentId, userId) {
      let lastKey: Item | undefined;
      do {
        const page = await keysOfPage(environmentId, userId, lastKey);
        for (let start = 0; start < page.keys.length; start += DELETES_AT_ONCE) {
          await Promise.all(page.keys.slice(start, start + DELETES_AT_ONCE).map((key) => table.delete(key)));
        }
        lastKey = page.lastKey;
      } while (lastKey);
    },

    async hasOwn(environmentId, userId) {
      const page = await table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': userPk(environmentId, userId) },
        ProjectionExpression: 'pk',
        ConsistentRead: true,
        Limit: 1,
      });
      return page.items.length > 0;
    },

    async removeLate(environmentId, userId, atMs) {
      const items = await table.queryAll(userPk(environmentId, userId), INAPP_PREFIX, { consistent: true });
      const late = items.filter(({ sk }) => String(sk) < `${INAPP_PREFIX}${isoOf(atMs + 1)}`);
      await Promise.all(late.map(({ pk, sk }) => table.delete({ pk: String(pk), sk: String(sk) })));
    },

    findErasedAtMs,

    async isErasedSince(environmentId, userId, sinceMs) {
      const erasedAtMs = await findErasedAtMs(environmentId, userId);
      return erasedAtMs !== undefined && erasedAtMs >= sinceMs;
    },
  };
}

/** Deletion of this deployment's users. */
export const userErasures = dependency('userErasures', () => createUserErasures(resolve(database)));
