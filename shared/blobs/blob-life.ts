import { DAY_SECONDS } from '../runtime/values/durations.ts';
import { RETENTION_DAYS_MAX } from '../schemas/account/account.ts';
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
export const BLOB_LIFE_DAYS = [
  ...[18, 25, 33, 48, 63, 93, 123, 183, 275, 370, 400, 480, 600, 800],
  ...[1000, 1250, 1600, 2000, 2500, 3100, RETENTION_DAYS_MAX + 5, RETENTION_DAYS_MAX + AHEAD_DAYS],
] as const;

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

export function blobFoldersOf(kinds: readonly LifeFolder[], accountId: string): string[] {
  return kinds.flatMap((kind) => BLOB_LIFE_DAYS.map((days) => folderOf(kind, days, accountId)));
}

function folderOf(kind: LifeFolder, days: number, accountId: string): string {
  return `${kind}/${days}d/${accountId}`;
}
