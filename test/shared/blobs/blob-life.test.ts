import { describe, expect, it } from 'vitest';
import { BLOB_LIFE_DAYS, blobFolderOf } from '../../../shared/blobs/blob-life.ts';
import { RETENTION_DAYS_MAX } from '../../../shared/schemas/account/account.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-21T08:30:00Z');
const folderAfter = (days: number) =>
  blobFolderOf('requests', 'shop', { storedAtMs: NOW_MS, expiresAtSeconds: (NOW_MS + days * DAY_MS) / 1000 });

describe('the folder of a large part of a log', () => {
  it.each([
    [1, 'requests/18d/shop'],
    [30, 'requests/33d/shop'],
    [32, 'requests/48d/shop'],
    [60, 'requests/63d/shop'],
    [90, 'requests/93d/shop'],
    [180, 'requests/183d/shop'],
    [365, 'requests/370d/shop'],
    [30 + 366, 'requests/400d/shop'],
    [399, 'requests/480d/shop'],
    [400, 'requests/480d/shop'],
    [RETENTION_DAYS_MAX + 366 + 32, 'requests/4050d/shop'],
  ])('covers %d days as %s', (days, folder) => {
    expect(folderAfter(days)).toBe(folder);
  });

  it('outlives the log by at least a day, although rules round to midnight, and by half its life at most', () => {
    for (let days = 1; days <= RETENTION_DAYS_MAX + 366 + 32; days += 1) {
      const lived = Number(/(\d+)d\/shop$/.exec(folderAfter(days))?.[1]);
      expect(lived).toBeGreaterThan(days + 1);
      expect(lived).toBeLessThan(Math.max(20, days * 1.56));
    }
    expect(BLOB_LIFE_DAYS).toEqual([...BLOB_LIFE_DAYS].sort((left, right) => left - right));
  });
});
