import { blobFolderOf } from '../../../blobs/blob-life.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { headKey } from '../../keys/log.ts';
import type { StoredLogHead } from './log-head.ts';
import { KEPT_SECONDS } from './log-head-items.ts';
import type { LogParts } from './log-reads.ts';

/** A log that is kept for this long after a wait needs no change. */
const MARGIN_SECONDS = 7 * DAY_SECONDS;

/** See `Logs`. */
export async function prolong(parts: LogParts, head: StoredLogHead, untilMs: number): Promise<StoredLogHead> {
  const { trackingId, receivedAtMs, processedAtMs = receivedAtMs, expiresAtSeconds, parentId } = head;
  const { keptUntilSeconds: keptSeconds = expiresAtSeconds } = head;
  if (secondsAfter(untilMs, MARGIN_SECONDS) <= keptSeconds) return head;
  const shown = secondsAfter(untilMs, Math.max(0, expiresAtSeconds - secondsAfter(processedAtMs, 0)));
  const kept = Math.max(shown, secondsAfter(untilMs, KEPT_SECONDS));
  // The request of a topic's member is in the log of the topic.
  for (const each of parentId === undefined ? [trackingId] : [parentId, trackingId]) {
    await prolongRequest(parts, each, kept);
    await parts.table.update(
      headKey(each),
      'SET shownUntil = :shown, kept = :kept, expiresAt = :kept, waited = :waited',
      {
        condition: 'attribute_exists(pk) AND expiresAt < :kept',
        values: { ':shown': shown, ':kept': kept, ':waited': untilMs },
      },
    );
  }
  return { ...head, expiresAtSeconds: shown, keptUntilSeconds: kept };
}

/** Moves a large request to a folder whose objects live as long as the log now does. */
async function prolongRequest({ table, store }: LogParts, trackingId: string, kept: number): Promise<void> {
  const item = await table.get(headKey(trackingId), { consistent: true });
  const blob = typeof item?.blob === 'string' ? item.blob : undefined;
  if (!item || blob === undefined) return;
  const folder = blobFolderOf('requests', String(item.a), {
    storedAtMs: Number(item.at),
    expiresAtSeconds: kept,
  });
  const moved = `${folder}/${blob.slice(blob.lastIndexOf('/') + 1)}`;
  const bytes = moved === blob ? undefined : await store().get(blob);
  if (!bytes) return;
  await store().put(moved, bytes);
  await table.update(headKey(trackingId), 'SET #blob = :moved', {
    condition: '#blob = :blob',
    names: { '#blob': 'blob' },
    values: { ':moved': moved, ':blob': blob },
  });
  await store().delete(blob);
}
