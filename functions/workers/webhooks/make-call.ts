import { logs } from '../../../shared/database/entities/logs.ts';
import type { Webhook } from '../../../shared/database/entities/stored-webhook.ts';
import { webhookCalls } from '../../../shared/database/entities/webhook-calls.ts';
import { type WebhookWarning, webhooks } from '../../../shared/database/entities/webhooks.ts';
import { webhookDelaySeconds } from '../../../shared/domain/webhook-retry.ts';
import type { GuardedAnswer } from '../../../shared/http-client/guarded-client.ts';
import { parseRetryAfterSeconds } from '../../../shared/http-client/retry-after.ts';
import { messageBody } from '../../../shared/messaging/message-body.ts';
import { FOLLOW_UP_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { webhookClient } from '../../../shared/providers/webhook-client.ts';
import type { FollowUp } from '../../../shared/receipts/follow-up.ts';
import { type Clock, isoOf } from '../../../shared/runtime/clock.ts';
import { jitter, machineClock, type Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import type { WebhookCall } from '../../../shared/schemas/webhook.ts';
import { signWebhook } from '../../../shared/tokens/webhook-signature.ts';
import { isErased, readCallBody } from './call-body.ts';
import { callMessage } from './raised-calls.ts';
import {
  type CallResponse,
  findRecordedAttempt,
  type MadeCall,
  recordRepeat,
  recordResponse,
} from './recorded-calls.ts';

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 2048;
/** Only the status counts: a body that never ends must not keep a worker. */
const BODY_MS = 1_000;
/** A failed call that took this long is a strike, whatever its status. */
const SLOW_MS = 5_000;
const QUEUE_DELAY_SECONDS_MAX = 900;
const GONE = 410;
const BUSY_DELAY_SECONDS = 5;

/** The dependencies of `makeCall`, by name. */
export const callDependencies = { jitter, logs, machineClock, queues, webhookCalls, webhookClient, webhooks };
type Deps = Resolved<typeof callDependencies> & { clock: Clock };

/**
 * Makes one attempt of a call: signs, posts, records the outcome, and plans the next one if it failed. `receives`
 * counts this attempt's message, from 1.
 */
export async function makeCall(deps: Deps, call: WebhookCall, receives: number): Promise<void> {
  const webhook = await deps.webhooks.find(call);
  if (!webhook || !isWanted(webhook, call)) return endCall(deps, call);
  if (call.isStored && !(await deps.webhookCalls.isCurrent(call))) return;
  const isRepeated = receives > 1;
  if ((call.attempt > 1 || isRepeated) && (await isErased(deps, call))) return endCall(deps, call);
  const recorded = isRepeated ? await findRecordedAttempt(deps, call) : undefined;
  // A sample event is what somebody sends to see whether their endpoint responds again.
  const tried =
    !isSample(call) && !recorded ? await deps.webhooks.takeTurn(webhook, deps.clock.now()) : webhook;
  if (!tried) return rest(deps, webhook, call);
  const made = recorded ?? (await callNow(deps, tried, call, receives));
  if (!made) return retryLater(deps, call);
  const { response, retryAfterSeconds } = made;
  const warning = await recordAttempt(deps, tried, call, response);
  if (warning) await warnAdmins(deps, webhook, warning);
  const isEnd = isDelivered(response) || response.status === GONE || call.attempt >= call.attemptsMax;
  if (isEnd) await endCall(deps, call);
  else await planNext(deps, call, retryAfterSeconds);
}

/** Posts and records the response in the log; undefined if the account has too many calls waiting. */
async function callNow(
  deps: Deps,
  webhook: Webhook,
  call: WebhookCall,
  receives: number,
): Promise<MadeCall | undefined> {
  const body = await readCallBody(deps, call, deps.clock.now());
  if (receives > 1) await recordRepeat(deps, call, receives);
  const made = await post(deps, webhook, { ...call, body });
  if (made) await recordResponse(deps, call, made.response, isDelivered(made.response));
  return made;
}

/** An attempt of a webhook that rests fails without a call: the next one is planned as after a failure. */
async function rest(deps: Deps, { restUntilMs = 0 }: Webhook, call: WebhookCall): Promise<void> {
  const nowMs = deps.clock.now();
  if (call.attempt < call.attemptsMax) {
    const restSeconds = Math.max(0, restUntilMs - nowMs) / 1000;
    return planNext(deps, call, Math.ceil(restSeconds * (1 + deps.jitter())));
  }
  const response = { status: 0, at: isoOf(nowMs), attempt: call.attempt, ms: 0, error: 'resting' };
  await recordResponse(deps, call, response, false);
  await endCall(deps, call);
}

const isSample = ({ log, isAboutUser }: WebhookCall) => !log && !isAboutUser;

function isWanted(webhook: Webhook, call: WebhookCall): boolean {
  return isSample(call) || (webhook.disabledAtMs === undefined && webhook.events.includes(call.eventType));
}

const isDelivered = ({ status }: CallResponse) => status >= 200 && status < 300;

async function endCall({ webhookCalls }: Deps, call: WebhookCall): Promise<void> {
  if (call.isStored) await webhookCalls.end(call);
}

async function post(
  { webhookClient, clock, machineClock }: Deps,
  webhook: Webhook,
  call: WebhookCall,
): Promise<MadeCall | undefined> {
  const startedAtMs = performance.now();
  const answer = await webhookClient.request({
    accountId: webhook.accountId,
    url: webhook.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signWebhook(secretsOf(webhook), call.id, machineClock.now(), call.body),
    },
    body: call.body,
    timeoutMs: TIMEOUT_MS,
    bodyMs: BODY_MS,
    sizeBytesMax: ANSWER_BYTES_MAX,
  });
  if (answer.kind === 'waiting') return undefined;
  const ms = Math.round(performance.now() - startedAtMs);
  const nowMs = clock.now();
  const retryAfterSeconds =
    answer.kind === 'answer' ? parseRetryAfterSeconds(answer.headers['retry-after'], nowMs) : undefined;
  return { response: responseOf(answer, { at: isoOf(nowMs), attempt: call.attempt, ms }), retryAfterSeconds };
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

/** Receivers accept the one they have. */
const secretsOf = ({ secret, formerSecrets }: Webhook) => [secret, ...formerSecrets];

function responseOf(answer: GuardedAnswer, made: Pick<CallResponse, 'at' | 'attempt' | 'ms'>): CallResponse {
  if (answer.kind === 'answer') return { status: answer.status, ...made };
  const error = 'reason' in answer ? `${answer.kind} ${answer.reason}` : answer.kind;
  return { status: 0, ...made, error };
}

async function recordAttempt(
  { webhooks }: Deps,
  webhook: Webhook,
  call: WebhookCall,
  response: CallResponse,
): Promise<WebhookWarning | undefined> {
  return webhooks.recordAttempt(
    webhook,
    { webhookMessageId: call.id, eventType: call.eventType, ...response },
    Date.parse(response.at),
    {
      isLast: !isSample(call) && call.attempt >= call.attemptsMax,
      isStrike: response.status === 0 || (!isDelivered(response) && response.ms >= SLOW_MS),
    },
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
async function planNext(deps: Deps, call: WebhookCall, retryAfterSeconds: number | undefined): Promise<void> {
  const seconds = webhookDelaySeconds(call.attempt, retryAfterSeconds, deps.jitter());
  const next = { ...call, attempt: call.attempt + 1 };
  if (call.isStored || seconds > QUEUE_DELAY_SECONDS_MAX) {
    if (await isErased(deps, call)) return endCall(deps, call);
    await deps.webhookCalls.wait(next, deps.clock.now() + seconds * 1000);
    return;
  }
  await sendCall(deps, next, seconds);
}
