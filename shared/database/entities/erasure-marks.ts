import { dependency, resolve } from '../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../runtime/durations.ts';
import { type Database, database } from '../database.ts';
import { erasureKey } from '../keys/user.ts';
import type { Item } from '../table.ts';

/** A notification may wait a year for its time and a month more in a digest. */
const MARK_SECONDS = 400 * DAY_SECONDS;

/** Deletion marks of users. */
export type ErasureMarks = {
  /**
   * Records that everything accepted for the user until `nowMs` must not be sent, with a mark that contains
   * no personal data. It precedes the removal: an interrupted one still stops waiting messages, and writers
   * of the user's data read it afterwards, so that either the removal finds the data or they find the mark.
   */
  mark(environmentId: string, userId: string, nowMs: number): Promise<void>;
  /** Time at which the user was last deleted; undefined if never, or over 400 days ago. */
  findErasedAtMs(environmentId: string, userId: string): Promise<number | undefined>;
  /** The same for several users, in their order. */
  listErasedAtMs(environmentId: string, userIds: readonly string[]): Promise<(number | undefined)[]>;
  /** True if the user was deleted at or after `sinceMs`, such as the receipt of a notification. */
  isErasedSince(environmentId: string, userId: string, sinceMs: number): Promise<boolean>;
};

/** Reads a stored mark. */
export const erasedAtMsOf = (mark: Item | undefined) => mark && Number(mark.erasedAtMs);

function createErasureMarks(table: Database): ErasureMarks {
  async function findErasedAtMs(environmentId: string, userId: string): Promise<number | undefined> {
    return erasedAtMsOf(await table.get(erasureKey(environmentId, userId), { consistent: true }));
  }

  return {
    async mark(environmentId, userId, nowMs) {
      const mark = { erasedAtMs: nowMs, expiresAt: secondsAfter(nowMs, MARK_SECONDS) };
      // The step of an earlier deletion may still be running.
      await table.put(
        { ...erasureKey(environmentId, userId), ...mark },
        { condition: 'attribute_not_exists(pk) OR erasedAtMs <= :at', values: { ':at': nowMs } },
      );
    },

    findErasedAtMs,

    async listErasedAtMs(environmentId, userIds) {
      const keys = userIds.map((userId) => erasureKey(environmentId, userId));
      const marks = await table.batchGet(keys, { consistent: true });
      return marks.map(erasedAtMsOf);
    },

    async isErasedSince(environmentId, userId, sinceMs) {
      const erasedAtMs = await findErasedAtMs(environmentId, userId);
      return erasedAtMs !== undefined && erasedAtMs >= sinceMs;
    },
  };
}

export const erasureMarks = dependency('erasureMarks', () => createErasureMarks(resolve(database)));
