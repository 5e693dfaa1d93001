import type { SesEvent } from '../../../shared/channels/email/ses-event.ts';
import { parseSesEvent } from '../../../shared/channels/email/ses-events.ts';
import type { Receipt } from '../../../shared/channels/receipt.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { SES_EVENTS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { ingestReceipt } from '../../../shared/receipts/receipts.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { eachRecord } from './each-record.ts';

/** Stages that one message may reach more than once: every recipient bounces, opens and clicks by themselves. */
const REPEATABLE: readonly SesEvent['type'][] = ['opened', 'clicked', 'failed', 'delayed'];

/** Takes SES events from SNS into the log: deliveries, bounces, complaints, opens, clicks, rejections, delays. */
export const handler = eachRecord(SES_EVENTS_QUEUE, async ({ body }) => {
  const event = parseSesEvent(body);
  const receipt = event && receiptOf(event);
  if (!receipt) return;
  await ingestReceipt({ logs: resolve(logs), users: resolve(users) }, receipt, resolve(clock).now());
});

/** Undefined for mail that is not ours and for what the deliverer knows already. */
function receiptOf(event: SesEvent): Receipt | undefined {
  const { type, trackingId, accountId, atMs, suppress, transientBounce, recipients, eventId } = event;
  if (!trackingId || type === 'sent' || type === 'other') return undefined;
  // Not a failure: what SES says of it is kept for whoever looks into the log.
  const fields = type === 'delayed' ? { email_failed_internal: event.internal } : event.fields;
  return {
    trackingId,
    ...(accountId === undefined ? {} : { accountId }),
    prefix: 'email',
    stage: type,
    ...(REPEATABLE.includes(type) ? { seq: eventId } : {}),
    atMs,
    fields,
    ...(suppress ? { suppress } : {}),
    ...(transientBounce ? { transientBounce } : {}),
    recipients,
  };
}
