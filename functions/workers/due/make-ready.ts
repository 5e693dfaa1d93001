import type { SQSBatchItemFailure, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { digests } from '../../../shared/database/entities/digests.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { sendingContexts } from '../../../shared/database/entities/sending-context.ts';
import { usageCaps } from '../../../shared/database/entities/usage-caps.ts';
import { userErasures } from '../../../shared/database/entities/user-erasures.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { WEBHOOK_CALL_PREFIX, webhookCalls } from '../../../shared/database/entities/webhook-calls.ts';
import { DIGEST_PREFIX, ERASURE_PREFIX, LOG_PK_PREFIX } from '../../../shared/database/keys.ts';
import { DUE_QUEUE, WEBHOOK_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { recordMetrics } from '../../../shared/runtime/metrics.ts';
import { type FlushDependencies, flushBucket } from '../digest/flush.ts';
import { continueErasure } from './continue-erasure.ts';
import { readyNotifications } from './ready-notifications.ts';

const Body = v.object({ pk: v.string(), dueAtMs: v.number() });
type Due = { record: SQSRecord; pk: string; dueAtMs: number };

/**
 * Makes ready what is due: scheduled notifications, then digest buckets and webhook calls. A repeat finds nothing left to
 * do. What fails comes again, and so does what came before its time, by a clock that is ahead.
 */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const nowMs = resolve(clock).now();
  const all = event.Records.map((record): Due => ({ record, ...v.parse(Body, JSON.parse(record.body)) }));
  const early = all.filter(({ dueAtMs }) => dueAtMs > nowMs);
  const due = all.filter(({ dueAtMs }) => dueAtMs <= nowMs);
  for (const { dueAtMs } of due) recordMetrics({ DueLag: nowMs - dueAtMs });
  const scheduled = due.filter(({ pk }) => pk.startsWith(LOG_PK_PREFIX));
  const others = due.filter(({ pk }) => !pk.startsWith(LOG_PK_PREFIX));
  const batchItemFailures = [
    ...(await Promise.all(early.map((each) => postpone(each, nowMs)))),
    ...failuresOf(scheduled, await readyAll(scheduled, nowMs)),
    ...failuresOf(others, await Promise.allSettled(others.map(({ pk }) => readyOther(pk, nowMs)))),
  ];
  return { batchItemFailures };
}

async function postpone({ record, dueAtMs }: Due, nowMs: number): Promise<SQSBatchItemFailure> {
  await resolve(queues).changeVisibility(DUE_QUEUE, record.receiptHandle, (dueAtMs - nowMs) / 1000);
  return { itemIdentifier: record.messageId };
}

async function readyAll(scheduled: readonly Due[], nowMs: number): Promise<PromiseSettledResult<unknown>[]> {
  if (scheduled.length === 0) return [];
  const trackingIds = scheduled.map(({ pk }) => pk.slice(LOG_PK_PREFIX.length));
  const [outcome] = await Promise.allSettled([readyNotifications(trackingIds, nowMs)]);
  return outcome.status === 'fulfilled' ? outcome.value : scheduled.map(() => outcome);
}

async function readyOther(pk: string, nowMs: number): Promise<void> {
  if (pk.startsWith(DIGEST_PREFIX)) await flushBucket(flushDependencies(), pk, nowMs);
  else if (pk.startsWith(WEBHOOK_CALL_PREFIX)) await readyWebhookCall(pk, nowMs);
  else if (pk.startsWith(ERASURE_PREFIX)) await continueErasure(pk, nowMs);
}

function flushDependencies(): FlushDependencies {
  return {
    digests: resolve(digests),
    logs: resolve(logs),
    sendingContexts: resolve(sendingContexts),
    usageCaps: resolve(usageCaps),
    userErasures: resolve(userErasures),
    users: resolve(users),
  };
}

function failuresOf(
  tried: readonly Due[],
  outcomes: readonly PromiseSettledResult<unknown>[],
): SQSBatchItemFailure[] {
  return tried.flatMap(({ record }, index) => {
    const outcome = outcomes[index];
    if (outcome?.status !== 'rejected') return [];
    log.error('a due item was not made ready', { worker: 'make-ready' }, outcome.reason);
    return [{ itemIdentifier: record.messageId }];
  });
}

/** The claim ends by itself: a call that then finds no place on the queue becomes due again. */
async function readyWebhookCall(pk: string, nowMs: number): Promise<void> {
  const call = await resolve(webhookCalls).claimDue(pk, nowMs);
  if (!call) return;
  const message = { body: JSON.stringify(call), groupId: call.environmentId };
  const refused = await resolve(queues).send(WEBHOOK_QUEUE, [message]);
  if (refused.length > 0) throw new Error('the webhook queue did not take a due call');
}
