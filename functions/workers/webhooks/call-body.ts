import { type Logs, logs } from '../../../shared/database/entities/logs.ts';
import { withTrackingIds } from '../../../shared/domain/webhook-event.ts';
import type { WebhookCall } from '../../../shared/schemas/webhook.ts';

/** The dependencies of `readCallBody`, by name. */
export const bodyDependencies = { logs };

/** The body of an event. For a digest, lists the tracking IDs of its notifications, because senders know only those. */
export async function readCallBody(
  { logs }: { logs: Logs },
  { body, isDigest, log }: WebhookCall,
  nowMs: number,
): Promise<string> {
  const head = isDigest && log ? await logs.findHead(log.trackingId, nowMs) : undefined;
  if (!head?.digest) return body;
  return withTrackingIds(
    body,
    head.digest.items.map(({ trackingId }) => trackingId),
  );
}

/** A retry that waited outlives its user: what it reports is erased everywhere else. */
export async function isErased({ logs }: { logs: Logs }, { log }: WebhookCall): Promise<boolean> {
  return log !== undefined && log.userId !== '' && (await logs.isErased(log.trackingId));
}
