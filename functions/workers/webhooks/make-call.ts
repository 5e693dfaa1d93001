import { logs } from '../../../shared/database/entities/logs.ts';
import type { Webhook } from '../../../shared/database/entities/stored-webhook.ts';
import { webhookCalls } from '../../../shared/database/entities/webhook-calls.ts';
import { type WebhookWarning, webhooks } from '../../../shared/database/entities/webhooks.ts';
import { isLogField } from '../../../shared/domain/log-record.ts';
import { webhookDelaySeconds } from '../../../shared/domain/webhook-retry.ts';
import type { GuardedAnswer } from '../../../shared/http-client/guarded-client.ts';
import { parseRetryAfterSeconds } from '../../../shared/http-client/retry-after.ts';
import { messageBody } from '../../../shared/messaging/message-body.ts';
import { FOLLOW_UP_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { guardedClient } from '../../../shared/providers/http-clients.ts';
import type { FollowUp } from '../../../shared/receipts/follow-up.ts';
import { type Clock, isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import { jitter, machineClock, type Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { channelOfPrefix } from '../../../shared/schemas/channel.ts';
import type { WebhookCall } from '../../../shared/schemas/webhook.ts';
import { signWebhook } from '../../../shared/tokens/webhook-signature.ts';
import { isErased, readCallBody } from './call-body.ts';
import { callMessage } from './raised-calls.ts';

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 2048;
const QUEUE_DELAY_SECONDS_MAX = 900;
const GONE = 410;
/**
 * As many as one batch has. In AWS, a function has one batch at a time; on one machine, all share a process.
 */
const CALLS_AT_ONCE = 10;
const BUSY_DELAY_SECONDS = 5;

/** Calls of this process that wait for their receiver, by webhook. */
const waiting = new Map<string, number>();

type Outcome = { status: number; ms: number; error?: string; retryAfterSeconds?: number | undefined };

/** The dependencies of `makeCall`, by name. */
export const callDependencies = { guardedClient, jitter, logs, machineClock, queues, webhookCalls, webhooks };
type Deps = Resolved<typeof callDependencies> & { clock: Clock };

/** Makes one attempt of a call: signs, posts, records the outcome, and plans the next one if it failed. */
export async function makeCall(deps: Deps, call: WebhookCall): Promise<void> {
  const webhook = await deps.webhooks.find(call);
  if (!webhook || !isWanted(webhook, call)) return endCall(deps, call);
  if (call.isStored && !(await deps.webhookCalls.isCurrent(call))) return;
  if (call.attempt > 1 && (await isErased(deps, call))) return endCall(deps, call);
  const body = await readCallBody(deps, call, deps.clock.now());
  const outcome = await inTurn(webhook, () => post(deps, webhook, { ...call, body }));
  if (!outcome) return retryLater(deps, call);
  const atMs = deps.clock.now();
  const warning = await recordOutcome(deps, webhook, call, { outcome, atMs });
  if (warning) await warnAdmins(deps, webhook, warning);
  const isEnd = isDelivered(outcome) || outcome.status === GONE || call.attempt >= call.attemptsMax;
  if (isEnd) await endCall(deps, call);
  else await planNext(deps, call, outcome, atMs);
}

function isWanted(webhook: Webhook, { eventType, log }: WebhookCall): boolean {
  return log === undefined || (webhook.disabledAtMs === undefined && webhook.events.includes(eventType));
}

const isDelivered = ({ status }: Outcome) => status >= 200 && status < 300;

async function endCall({ webhookCalls }: Deps, call: WebhookCall): Promise<void> {
  if (call.isStored) await webhookCalls.end(call);
}

async function post(
  { guardedClient, clock, machineClock }: Deps,
  webhook: Webhook,
  call: WebhookCall,
): Promise<Outcome> {
  const startedAtMs = performance.now();
  const answer = await guardedClient.request({
    url: webhook.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signWebhook(secretsOf(webhook), call.id, machineClock.now(), call.body),
    },
    body: call.body,
    timeoutMs: TIMEOUT_MS,
    sizeBytesMax: ANSWER_BYTES_MAX,
  });
  return outcomeOf(answer, Math.round(performance.now() - startedAtMs), clock.now());
}

/** Undefined if so many calls wait for one receiver that, if it hangs, it would block everyone's. */
async function inTurn<T>({ webhookId }: Webhook, run: () => Promise<T>): Promise<T | undefined> {
  const count = waiting.get(webhookId) ?? 0;
  if (count >= CALLS_AT_ONCE) return undefined;
  waiting.set(webhookId, count + 1);
  try {
    return await run();
  } finally {
    const left = (waiting.get(webhookId) ?? 1) - 1;
    if (left > 0) waiting.set(webhookId, left);
    else waiting.delete(webhookId);
  }
}

/** The same attempt, slightly later. */
async function retryLater(deps: Deps, call: WebhookCall): Promise<void> {
  await sendCall(deps, call, Math.ceil(BUSY_DELAY_SECONDS * (1 + deps.jitter())));
}

async function sendCall({ queues }: Deps, call: WebhookCall, delaySeconds: number): Promise<void> {
  const { queue, message } = callMessage(call, delaySeconds);
  const refused = await queues.send(queue, [message]);
  if (refused.length > 0) throw new Error('the webhook queue did not accept the next attempt');
}

/** The former secret signs last: receivers accept the one they have. */
const secretsOf = ({ secret, formerSecret }: Webhook) => [secret, ...(formerSecret ? [formerSecret] : [])];

function outcomeOf(answer: GuardedAnswer, ms: number, nowMs: number): Outcome {
  if (answer.kind === 'answer') {
    const retryAfterSeconds = parseRetryAfterSeconds(answer.headers['retry-after'], nowMs);
    return { status: answer.status, ms, retryAfterSeconds };
  }
  const why = 'reason' in answer ? `${answer.kind} ${answer.reason}` : answer.kind;
  return { status: 0, ms, error: why };
}

async function recordOutcome(
  deps: Deps,
  webhook: Webhook,
  call: WebhookCall,
  { outcome, atMs }: { outcome: Outcome; atMs: number },
): Promise<WebhookWarning | undefined> {
  const { status, ms, error } = outcome;
  const response = {
    status,
    at: isoOf(atMs),
    attempt: call.attempt,
    ms,
    ...defined({ error: error || undefined }),
  };
  const warning = await deps.webhooks.recordAttempt(
    webhook,
    { webhookMessageId: call.id, eventType: call.eventType, ...response },
    atMs,
    call.log !== undefined && call.attempt >= call.attemptsMax,
  );
  await appendOutcome(deps, call, { isDone: isDelivered(outcome), response: JSON.stringify(response), atMs });
  return warning;
}

/** Redrive repeats calls that left no trace. */
async function appendOutcome(
  { logs }: Deps,
  { accountId, environmentId, attempt, log }: WebhookCall,
  { isDone, response, atMs }: { isDone: boolean; response: string; atMs: number },
): Promise<void> {
  if (!log) return;
  const { trackingId, prefix, stage, seq, ...owner } = log;
  const fields = Object.fromEntries(
    [
      [`${prefix}_${stage}_webhook_res`, response] as const,
      [`${prefix}_${stage}_webhook_delivered`, isDone] as const,
    ].filter(([name]) => isLogField(name)),
  );
  const eventSeq = [stage, ...(seq === undefined ? [] : [seq]), attempt].join('/');
  await logs.append(
    trackingId,
    { accountId, environmentId, ...owner },
    { channel: channelOfPrefix(prefix), stage: 'webhook', seq: eventSeq, atMs, fields },
  );
}

/** Another function sends the email: this one calls strangers and may do little else. */
async function warnAdmins(
  { queues }: Deps,
  { accountId, url }: Webhook,
  warning: WebhookWarning,
): Promise<void> {
  const notice: FollowUp = { followUp: 'notice', kind: 'webhook', accountId, url, warning };
  const refused = await queues.send(FOLLOW_UP_QUEUE, [{ body: messageBody(notice) }]);
  if (refused.length > 0) log.warn('the administrators were not notified about their webhook', { accountId });
}

/** An attempt within a queue's longest delay waits there, a later one in the table. */
async function planNext(deps: Deps, call: WebhookCall, outcome: Outcome, nowMs: number): Promise<void> {
  const seconds = webhookDelaySeconds(call.attempt, outcome.retryAfterSeconds, deps.jitter());
  const next = { ...call, attempt: call.attempt + 1 };
  if (call.isStored || seconds > QUEUE_DELAY_SECONDS_MAX) {
    if (await isErased(deps, call)) return endCall(deps, call);
    await deps.webhookCalls.wait(next, nowMs + seconds * 1000);
    return;
  }
  await sendCall(deps, next, seconds);
}
