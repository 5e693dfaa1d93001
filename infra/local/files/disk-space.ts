import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

export type DiskSpace = {
  /** True while there is too little to store anything safely; as of the last 10 ms. */
  isFull(): boolean;
};

const MEGABYTE = 1024 * 1024;
/** More than what is under way writes, so that neither database runs into the end of the disk. */
const FREE_MB_MIN = 16;
const CHECK_MS = 10;

export function assertSpace(folder: string): void {
  if (!isShort(folder)) return;
  throw new Error(
    `The disk of ${folder} has less than ${FREE_MB_MIN} MB left. Free some space, or choose another folder with --data.`,
  );
}

/** Watches the folder's disk. Reports once that it is full, and once that it has space again. */
export function watchDiskSpace(
  folder: string,
  report: (line: string) => void,
  isShortNow = () => isShort(folder),
  now = () => performance.now(),
): DiskSpace {
  let isFull = false;
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  return {
    isFull() {
      if (now() - checkedAtMs < CHECK_MS) return isFull;
      checkedAtMs = now();
      const wasFull = isFull;
      isFull = isShortNow();
      if (isFull && !wasFull) report(fullText(folder));
      if (!isFull && wasFull) report(`The disk of ${folder} has space again: the service continues.`);
      return isFull;
    },
  };
}

const fullText = (folder: string) =>
  `The disk of ${folder} has less than ${FREE_MB_MIN} MB left: changes get 503 and nothing is delivered until there is more. Free some space. Nothing accepted is lost.`;

/** A folder whose disk cannot be measured counts as one with space; one that does not exist is on its parent's. */
function isShort(folder: string): boolean {
  const parent = dirname(folder);
  if (!existsSync(folder) && parent !== folder) return isShort(parent);
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < FREE_MB_MIN * MEGABYTE;
  } catch {
    return false;
  }
}
