import type { SesEvent } from '../../../shared/channels/email/ses/ses-event.ts';
import { parseSesEvents } from '../../../shared/channels/email/ses/ses-events.ts';
import type { Receipt } from '../../../shared/channels/receipt.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { consents } from '../../../shared/database/entities/users/consents.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { topicWorker } from '../../../shared/http/workers/topic-worker.ts';
import { ingestReceipt } from '../../../shared/receipts/receipts.ts';

/** Stages that one message may reach more than once: every recipient bounces, opens and clicks separately. */
const REPEATABLE: readonly SesEvent['type'][] = ['opened', 'clicked', 'failed', 'delayed'];

/** Records SES events: deliveries, bounces, complaints, opens, clicks, rejections, delays. */
export const handler = topicWorker(
  { name: 'ingest-ses', failed: 'an SES event was not recorded' },
  { consents, logs, signer, users, suppressions },
  async (text, { clock, ...deps }) => {
    for (const event of parseSesEvents(text)) {
      const receipt = receiptOf(event);
      if (receipt) await ingestReceipt(deps, receipt, clock.now());
    }
  },
);

/** Undefined for email that this service did not send and for events that the deliverer has recorded. */
function receiptOf(event: SesEvent): Receipt | undefined {
  const { type, trackingId, accountId, atMs, suppress, transientBounce, recipients, eventId } = event;
  if (!trackingId || type === 'sent' || type === 'other') return undefined;
  // A delay is not a failure: the log shows the reason SES gives.
  const fields = type === 'delayed' ? { email_failed_internal: event.internal } : event.fields;
  return {
    trackingId,
    accountId,
    channel: 'EMAIL',
    stage: type,
    seq: REPEATABLE.includes(type) ? eventId : undefined,
    atMs,
    fields,
    provider: 'ses',
    suppress,
    transientBounce,
    recipients,
  };
}
