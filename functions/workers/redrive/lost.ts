import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import type { EventItem, HeadItem } from '../../../shared/database/entities/logs/log-items.ts';
import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { bucketPk } from '../../../shared/database/entities/sending/digest-bucket.ts';
import { digests } from '../../../shared/database/entities/sending/digests.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { webhooks } from '../../../shared/database/entities/webhooks/webhooks.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { nextDueAtMs, progressOf } from '../../../shared/domain/routing/steps.ts';
import { dueMessage } from '../../../shared/messaging/due-messages.ts';
import { DUE_QUEUE, TEXT_ANSWER_QUEUE } from '../../../shared/messaging/queue-names.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { SETTLED_STAGES } from '../../../shared/schemas/logs/stage.ts';
import type { WebhookCall } from '../../../shared/schemas/logs/webhook.ts';
import { readyMessage } from '../delivery/waiting/ready-message.ts';
import { isUnclaimed, isWaiting } from '../delivery/waiting/waiting.ts';
import { findNextBucket, findZone } from '../digest/next-bucket.ts';
import { optInSeqOf, textAnswerOf } from '../inbound/text-to-answer.ts';
import { callMessage, raisedCallsOf } from '../webhooks/raised-calls.ts';

/**
 * Time after which something overdue counts as lost: a schedule, a digest, a call or reply without a trace.
 */
const OVERDUE_MS = 120_000;

export type LostMessage = { trackingId: string; queue: string; message: QueueMessage };

export const lostDependencies = { accounts, digests, logs, notificationTypes, users, webhooks };
type Deps = Resolved<typeof lostDependencies>;

/**
 * Returns the messages to requeue: channels without an outcome (its own and its digests'), channels that no digest collected,
 * missed due times, webhook calls and replies to text messages without a trace. The original message can still be on its queue:
 * the duplicate follows it in the same group and finds the outcome; a webhook call has the same ID.
 */
export async function findLostMessages(
  deps: Deps,
  trackingId: string,
  nowMs: number,
): Promise<LostMessage[]> {
  const log = await deps.logs.find(trackingId, nowMs, { isHidden: true });
  if (!log) return [];
  const { head } = log;
  if (head.state === 'scheduled') {
    return overdue({ trackingId, pk: logPk(trackingId), dueAtMs: head.scheduledForMs }, nowMs);
  }
  if (head.state === 'fanning') {
    return overdue({ trackingId, pk: logPk(trackingId), dueAtMs: head.fanOut?.dueAtMs }, nowMs);
  }
  const waiting = overdue({ trackingId, pk: logPk(trackingId), dueAtMs: findUnsettledDueAtMs(log) }, nowMs);
  const carriers = log.events.flatMap(({ carrier }) => (carrier ? [carrier.trackingId] : []));
  const carried = await Promise.all(carriers.map((id) => deps.logs.find(id, nowMs, { isHidden: true })));
  const all = [log, ...carried.filter((each) => each !== undefined)];
  const uncarried = await Promise.all(
    CHANNELS.filter((channel) => isUnclaimed(log, channel)).map((channel) =>
      findUncarried(deps, log, channel, nowMs),
    ),
  );
  const calls = await Promise.all(all.map((each) => findLostCalls(deps, each, nowMs)));
  return [
    ...waiting,
    ...all.flatMap(unsentOf),
    ...uncarried.flat(),
    ...calls.flat(),
    ...unansweredOf(log, nowMs),
  ];
}

/**
 * Returns when a step or a held channel without an outcome was due; for one that started and did not complete, when
 * it started.
 */
function findUnsettledDueAtMs({ head, events }: Log): number | undefined {
  const isUnsettled = CHANNELS.some(
    (channel) =>
      head.routing[channel]?.routing === 'SCHEDULE' &&
      !events.some((event) => event.channel === channel && SETTLED_STAGES.has(event.stage)),
  );
  const progress = isUnsettled ? progressOf(head, events) : undefined;
  if (!progress || progress.isCancelled) return undefined;
  return nextDueAtMs(head, progress, events) ?? progress.stepAtMs;
}

/** Webhook calls without an attempt in the log. */
async function findLostCalls(
  { webhooks }: Deps,
  { head, items, events }: Log,
  nowMs: number,
): Promise<LostMessage[]> {
  const tried = events
    .filter(({ stage }) => stage === 'webhook')
    .map(
      ({ channel, seq = '' }) =>
        `${channel ? LOG_PREFIX[channel] : ''}/${seq.slice(0, seq.lastIndexOf('/'))}`,
    );
  const isLost = ({ log }: WebhookCall) =>
    log !== undefined && !tried.includes([log.prefix, log.stage, ...(log.seq ? [log.seq] : [])].join('/'));
  const raised = items
    .filter((item) => timeOf(item) + OVERDUE_MS <= nowMs)
    .flatMap(raisedCallsOf)
    .filter(isLost);
  if (raised.length === 0) return [];
  const subscribedEvents = await webhooks.wantedEvents(head.environmentId);
  const { trackingId } = head;
  return raised
    .filter(({ eventType }) => subscribedEvents.has(eventType))
    .map((call) => ({ trackingId, ...callMessage(call) }));
}

const timeOf = (item: HeadItem | EventItem) => (item.kind === 'head' ? item.receivedAtMs : item.atMs);

/** Text messages that need a reply or an opt-in and have none: the worker replies at most once. */
function unansweredOf({ head, items, events }: Log, nowMs: number): LostMessage[] {
  const answered = events.filter(({ stage }) => stage === 'replied').map(({ seq }) => seq);
  const optedIn = events.filter(({ stage }) => stage === 'reply_attempt').map(({ seq }) => seq);
  const isDone = ({ answer, seq = '' }: EventItem) => {
    if (answer?.kind === 'opt_out') return answered.includes(seq);
    const isReplied = answered.includes(undefined);
    if (answer?.kind !== 'opt_in') return isReplied;
    return optedIn.includes(optInSeqOf(seq)) && (answer.message === undefined || isReplied);
  };
  return items.flatMap((item) => {
    const message = timeOf(item) + OVERDUE_MS <= nowMs ? textAnswerOf(item) : undefined;
    const isLost = message && item.kind === 'event' && !isDone(item);
    return isLost ? [{ trackingId: head.trackingId, queue: TEXT_ANSWER_QUEUE, message }] : [];
  });
}

type Waiting = { trackingId: string; pk: string; dueAtMs: number | undefined };

function overdue({ trackingId, pk, dueAtMs }: Waiting, nowMs: number): LostMessage[] {
  if (dueAtMs === undefined || dueAtMs + OVERDUE_MS > nowMs) return [];
  return [{ trackingId, queue: DUE_QUEUE, message: dueMessage(pk, dueAtMs, nowMs, { isRequested: true }) }];
}

function unsentOf(log: Log): LostMessage[] {
  const { trackingId } = log.head;
  return CHANNELS.filter((channel) => isWaiting(log, channel)).map((channel) => ({
    trackingId,
    ...readyMessage({ trackingId, channel, routing: 'SEND' }),
  }));
}

/** An item in its bucket waits for the bucket's flush, unless the flush was missed. */
async function findUncarried(
  deps: Deps,
  { head }: Log,
  channel: Channel,
  nowMs: number,
): Promise<LostMessage[]> {
  const afterMs = head.processedAtMs ?? head.receivedAtMs;
  const bucket = await findNextBucket(deps, head, channel, { zone: await findZone(deps, head), afterMs });
  const { trackingId } = head;
  if (!(await deps.digests.isCollected(bucketPk(bucket), trackingId, nowMs))) {
    return [{ trackingId, ...readyMessage({ trackingId, channel, routing: 'BATCH' }) }];
  }
  return overdue({ trackingId, pk: bucketPk(bucket), dueAtMs: bucket.flushAtMs }, nowMs);
}
