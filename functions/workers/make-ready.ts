import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { sendingContexts } from '../../shared/database/entities/sending-context.ts';
import { sendingRules } from '../../shared/database/entities/sending-rules.ts';
import { usageCaps } from '../../shared/database/entities/usage-caps.ts';
import { users } from '../../shared/database/entities/users.ts';
import { WEBHOOK_CALL_PREFIX, webhookCalls } from '../../shared/database/entities/webhook-calls.ts';
import { clock, resolve } from '../../shared/deps/dependency.ts';
import { log } from '../../shared/logger.ts';
import { WEBHOOK_QUEUE } from '../../shared/messaging/queue-names.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { recordMetrics } from '../../shared/metrics.ts';
import { makeReady } from '../sending/due.ts';
import { flushBucket } from './digest/flush.ts';

const Body = v.object({ pk: v.string(), dueAtMs: v.number() });
const LOG = 'LOG#';
const DIGEST = 'DIGEST#';

/** Makes ready what is due: scheduled notifications, digest buckets, webhook calls. A repeat finds nothing left to do. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures = await Promise.all(
    event.Records.map(async (record) => {
      try {
        await ready(record);
        return undefined;
      } catch (error) {
        log.error('a due item was not made ready', { worker: 'make-ready' }, error);
        return { itemIdentifier: record.messageId };
      }
    }),
  );
  return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
}

async function ready(record: SQSRecord): Promise<void> {
  const { pk, dueAtMs } = v.parse(Body, JSON.parse(record.body));
  const nowMs = resolve(clock).now();
  recordMetrics({ DueLag: Math.max(0, nowMs - dueAtMs) });
  if (pk.startsWith(DIGEST)) await flushBucket(pk, nowMs);
  else if (pk.startsWith(LOG)) await readyNotification(pk.slice(LOG.length), nowMs);
  else if (pk.startsWith(WEBHOOK_CALL_PREFIX)) await readyWebhookCall(pk, nowMs);
}

/** The claim ends by itself: a call that then finds no place on the queue becomes due again. */
async function readyWebhookCall(pk: string, nowMs: number): Promise<void> {
  const call = await resolve(webhookCalls).claimDue(pk, nowMs);
  if (!call) return;
  const message = { body: JSON.stringify(call), groupId: call.environmentId };
  const refused = await resolve(queues).send(WEBHOOK_QUEUE, [message]);
  if (refused.length > 0) throw new Error('the webhook queue did not take a due call');
}

/** A message that comes before its notification's time belongs to a time that was changed: the new one has its own. */
async function readyNotification(trackingId: string, nowMs: number): Promise<void> {
  const head = await resolve(logs).findHead(trackingId, nowMs);
  if (head?.state !== 'scheduled' || head.scheduledForMs === undefined || head.scheduledForMs > nowMs) return;
  const deps = {
    logs: resolve(logs),
    sendingRules: resolve(sendingRules),
    sendingContexts: resolve(sendingContexts),
    users: resolve(users),
    notificationTypes: resolve(notificationTypes),
    usageCaps: resolve(usageCaps),
  };
  await makeReady(deps, head, nowMs);
}
