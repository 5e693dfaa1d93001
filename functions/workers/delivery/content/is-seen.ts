import { type InappItems, inappTimeMs } from '../../../../shared/database/entities/inapp/inapp-items.ts';
import type { Log } from '../../../../shared/database/entities/logs/log-reads.ts';
import type { Logs } from '../../../../shared/database/entities/logs/logs.ts';
import { isVisited } from '../../../../shared/domain/routing/steps.ts';

/** True if the user saw the notification, by consistent reads: a mark whose response was sent before is seen here. */
export async function isSeen(
  { inappItems, logs }: { inappItems: InappItems; logs: Logs },
  { head, events }: Log,
  nowMs: number,
): Promise<boolean> {
  if (!head.steps?.some(({ when }) => when === 'unseen')) return false;
  if (isVisited(events) || isVisited(await logs.listDigestEvents(events, nowMs))) return true;
  if (!head.routing.INAPP_WEB) return false;
  const position = { trackingId: head.trackingId, atMs: inappTimeMs(head) };
  return inappItems.isSeen(head.environmentId, head.userId, position);
}
