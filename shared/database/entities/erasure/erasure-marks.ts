import { clock, dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import type { Signer } from '../../../tokens/signer.ts';
import { type Database, database } from '../../database.ts';
import type { Key } from '../../keys/key.ts';
import { earlierErasureKey, erasureKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';
import { type KeyedHashes, keyedHash, keyedHashes } from '../access/keyed-hashes.ts';

/** A notification may wait a year for its time and a month more in a digest. */
const MARK_SECONDS = 400 * DAY_SECONDS;

export type ErasureMarks = ReturnType<typeof createErasureMarks>;

export function erasedAtMsIn(marks: readonly (Item | undefined)[]): number | undefined {
  const times = marks.flatMap((mark) => (mark ? [Number(mark.erasedAtMs)] : []));
  return times.length > 0 ? Math.max(...times) : undefined;
}

const markedText = (environmentId: string, userId: string) => `${environmentId} ${userId}`;

function createErasureMarks(table: Database, hashes: () => KeyedHashes, now: () => number) {
  /** By every secret that the deployment has had; last where earlier releases stored it. */
  async function places(environmentId: string, userId: string): Promise<Key[]> {
    const known = await hashes().list(markedText(environmentId, userId));
    return [...known.map(erasureKey), earlierErasureKey(environmentId, userId)];
  }

  async function put(hash: string, mark: Item): Promise<void> {
    // The step of an earlier deletion may still be running.
    await table.put(
      { ...erasureKey(hash), ...mark },
      { condition: 'attribute_not_exists(pk) OR erasedAtMs <= :at', values: { ':at': mark.erasedAtMs } },
    );
  }

  async function listErasedAtMs(environmentId: string, userIds: readonly string[]) {
    const keys = await Promise.all(userIds.map((userId) => places(environmentId, userId)));
    const items = await table.batchGet(keys.flat(), { consistent: true });
    return Promise.all(
      keys.map(async ({ length }, index) => {
        const own = items.splice(0, length);
        const earlier = own.at(-1);
        if (length > 1 && earlier && !earlier.moved)
          await moveEarlier(environmentId, userIds[index] ?? '', earlier);
        return erasedAtMsIn(own);
      }),
    );
  }

  /** Leaves an item that expires now: readers may not delete. */
  async function moveEarlier(environmentId: string, userId: string, { erasedAtMs, expiresAt }: Item) {
    const [hash = ''] = await hashes().list(markedText(environmentId, userId));
    await put(hash, { erasedAtMs, expiresAt });
    const expired = { moved: true, erasedAtMs, expiresAt: secondsAfter(now()) };
    await table.put({ ...earlierErasureKey(environmentId, userId), ...expired });
  }

  const findErasedAtMs = async (environmentId: string, userId: string) =>
    (await listErasedAtMs(environmentId, [userId]))[0];

  return {
    /** Keys of every mark that the user may have, to read or check them with other items. */
    places,
    /** When the user was last deleted; undefined if never, or over 400 days ago. */
    findErasedAtMs,
    /** The same for several users, in their order. */
    listErasedAtMs,

    /**
     * Records that everything accepted for the user until `nowMs` must not be sent, with a mark that contains
     * no personal data. It precedes the removal: an interrupted one still stops waiting messages, and writers
     * of the user's data read it afterwards, so that either the removal finds the data or they find the mark.
     */
    async mark(environmentId: string, userId: string, nowMs: number, signer: Signer): Promise<void> {
      const mark = { erasedAtMs: nowMs, expiresAt: secondsAfter(nowMs, MARK_SECONDS) };
      const current = await keyedHash(signer, markedText(environmentId, userId));
      // After a rotation, other processes know only the former secrets for some minutes.
      const known = await hashes().list(markedText(environmentId, userId));
      await Promise.all([...new Set([current, ...known])].map((hash) => put(hash, mark)));
    },

    /** True if the user was deleted at or after `sinceMs`, such as the receipt of a notification. */
    async isErasedSince(environmentId: string, userId: string, sinceMs: number): Promise<boolean> {
      const erasedAtMs = await findErasedAtMs(environmentId, userId);
      return erasedAtMs !== undefined && erasedAtMs >= sinceMs;
    },
  };
}

export const erasureMarks = dependency('erasureMarks', () =>
  createErasureMarks(
    resolve(database),
    () => resolve(keyedHashes),
    () => resolve(clock).now(),
  ),
);
