import { type Logs, logs } from '../../../shared/database/entities/logs/logs.ts';
import { withHeadFields } from '../../../shared/domain/logs/webhook-event.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { WebhookCall } from '../../../shared/schemas/logs/webhook.ts';

export const bodyDependencies = { logs };

/**
 * The body of an event, with the metadata of its request. For a digest, lists the tracking IDs of its notifications,
 * because senders know only those.
 */
export async function readCallBody(
  { logs }: { logs: Logs },
  { body, isDigest, hasMetadata, log }: WebhookCall,
  nowMs: number,
): Promise<string> {
  const isRead = log && (isDigest || hasMetadata);
  const head = isRead ? await logs.findHead(log.trackingId, nowMs) : undefined;
  const { digest, request: { metadata } = {} } = head ?? {};
  if (!digest && !metadata) return body;
  const trackingIds = digest?.items.map(({ trackingId }) => trackingId);
  return withHeadFields(body, defined({ trackingIds, metadata }));
}

/** A retry that waited outlives its user: what it reports is erased everywhere else. */
export async function isErased({ logs }: { logs: Logs }, { log }: WebhookCall): Promise<boolean> {
  return log !== undefined && log.userId !== '' && (await logs.isErased(log.trackingId));
}
