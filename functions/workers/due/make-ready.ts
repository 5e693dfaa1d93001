import * as v from 'valibot';
import { digests } from '../../../shared/database/entities/digests.ts';
import { userErasures } from '../../../shared/database/entities/user-erasures.ts';
import { WEBHOOK_CALL_PREFIX, webhookCalls } from '../../../shared/database/entities/webhook-calls.ts';
import { DIGEST_PREFIX, ERASURE_PREFIX, LOG_PK_PREFIX } from '../../../shared/database/keys.ts';
import { type QueueOutcome, queueBatchWorker, type Received } from '../../../shared/http/queue-worker.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { recordMetrics } from '../../../shared/runtime/metrics.ts';
import { flushBucket } from '../digest/flush.ts';
import { callMessage } from '../webhooks/raised-calls.ts';
import { continueErasure, erasureDependencies } from './continue-erasure.ts';
import { readyDependencies, readyNotifications } from './ready-notifications.ts';

const Body = v.object({ pk: v.string(), dueAtMs: v.number() });
type Due = Received<v.InferOutput<typeof Body>>;

const DEPENDENCIES = {
  ...erasureDependencies,
  ...readyDependencies,
  digests,
  queues,
  userErasures,
  webhookCalls,
};
type Deps = Resolved<typeof DEPENDENCIES> & { clock: Clock };

/**
 * Makes ready what is due: scheduled notifications, digest buckets and webhook calls. A duplicate finds nothing left to
 * do. What fails is redelivered, alone; what arrives before its time, by a clock that is ahead, waits for it.
 */
export const handler = queueBatchWorker(
  { name: DUE_QUEUE, body: Body, failed: 'a due item was not made ready' },
  DEPENDENCIES,
  ({ messages, timeLeftMs: _, ...deps }) => {
    const nowMs = deps.clock.now();
    const due = messages.filter(({ body }) => body.dueAtMs <= nowMs);
    for (const { body } of due) recordMetrics({ DueLag: nowMs - body.dueAtMs });
    const scheduled = due.filter(isScheduled);
    const made = readyNotifications(
      deps,
      scheduled.map(({ body }) => body.pk.slice(LOG_PK_PREFIX.length)),
      nowMs,
    );
    return messages.map(async (message): Promise<QueueOutcome> => {
      const { pk, dueAtMs } = message.body;
      if (dueAtMs > nowMs) return { againSeconds: (dueAtMs - nowMs) / 1000 };
      if (!isScheduled(message)) {
        // A notification that is due at the same moment may belong to the digest.
        await made.catch(() => undefined);
        await makeOtherReady(deps, pk, nowMs);
      } else {
        const outcome = (await made)[scheduled.indexOf(message)];
        if (outcome?.status === 'rejected') throw outcome.reason;
      }
      return 'done';
    });
  },
);

const isScheduled = ({ body }: Due) => body.pk.startsWith(LOG_PK_PREFIX);

async function makeOtherReady(deps: Deps, pk: string, nowMs: number): Promise<void> {
  if (pk.startsWith(DIGEST_PREFIX)) await flushBucket(deps, pk, nowMs);
  else if (pk.startsWith(WEBHOOK_CALL_PREFIX)) await enqueueCall(deps, pk, nowMs);
  else if (pk.startsWith(ERASURE_PREFIX)) await continueErasure(deps, pk, nowMs);
}

/** The claim expires: a call that then finds no place on the queue becomes due again. */
async function enqueueCall({ queues, webhookCalls }: Deps, pk: string, nowMs: number): Promise<void> {
  const call = await webhookCalls.claimDue(pk, nowMs);
  if (!call) return;
  const { queue, message } = callMessage(call);
  const refused = await queues.send(queue, [message]);
  if (refused.length > 0) throw new Error('the webhook queue did not accept a due call');
}
