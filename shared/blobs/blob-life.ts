import { DAY_SECONDS } from '../runtime/durations.ts';
import { RETENTION_DAYS_MAX } from '../schemas/account.ts';
import type { LifeFolder } from './blob-folders.ts';

/**
 * A schedule is at most a leap year ahead, its digest 32 days more; a log kept for an idempotency key lasts a
 * day longer.
 */
const AHEAD_DAYS = 400;

/**
 * Days after which the bucket deletes objects in the folder `<days>d` of a kind. Retention differs by account
 * and type, but bucket rules match only prefixes: an object is stored in the first folder that outlives its
 * log.
 */
export const BLOB_LIFE_DAYS = [33, 63, 93, 183, 400, 800, 1600, RETENTION_DAYS_MAX + AHEAD_DAYS] as const;

const LONGEST_DAYS = BLOB_LIFE_DAYS[BLOB_LIFE_DAYS.length - 1] ?? AHEAD_DAYS;

/** Folder of an account's object whose log expires at `expiresAtSeconds` (epoch): `requests/33d/<account>`. */
export function blobFolderOf(
  kind: LifeFolder,
  accountId: string,
  { storedAtMs, expiresAtSeconds }: { storedAtMs: number; expiresAtSeconds: number },
): string {
  const neededDays = (expiresAtSeconds - storedAtMs / 1000) / DAY_SECONDS + 2;
  const days = BLOB_LIFE_DAYS.find((each) => each >= neededDays) ?? LONGEST_DAYS;
  return folderOf(kind, days, accountId);
}

/** Every folder in which `blobFolderOf` may have stored objects of the kinds. */
export function blobFoldersOf(kinds: readonly LifeFolder[], accountId: string): string[] {
  return kinds.flatMap((kind) => BLOB_LIFE_DAYS.map((days) => folderOf(kind, days, accountId)));
}

function folderOf(kind: LifeFolder, days: number, accountId: string): string {
  return `${kind}/${days}d/${accountId}`;
}
