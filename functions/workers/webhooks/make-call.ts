import { logs } from '../../../shared/database/entities/logs/logs.ts';
import type { Webhook } from '../../../shared/database/entities/webhooks/stored-webhook.ts';
import { webhookCalls } from '../../../shared/database/entities/webhooks/webhook-calls.ts';
import { webhookHistory } from '../../../shared/database/entities/webhooks/webhook-history.ts';
import { type WebhookWarning, webhooks } from '../../../shared/database/entities/webhooks/webhooks.ts';
import { webhookDelaySeconds } from '../../../shared/domain/logs/webhook-retry.ts';
import type { GuardedResponse } from '../../../shared/http-client/guarded-client.ts';
import { parseRetryAfterSeconds } from '../../../shared/http-client/retry-after.ts';
import { messageBody, sendOrThrow } from '../../../shared/messaging/message-body.ts';
import { FOLLOW_UP_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { webhookClient } from '../../../shared/providers/clients/webhook-client.ts';
import type { FollowUp } from '../../../shared/receipts/follow-up.ts';
import { type Clock, isoOf } from '../../../shared/runtime/clock.ts';
import { jitter, machineClock, type Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import type { MadeCall as HistoryCall, WebhookCall } from '../../../shared/schemas/logs/webhook.ts';
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
const RESPONSE_BYTES_MAX = 2048;
/** Only the status counts: a body that never ends must not keep a worker. */
const BODY_MS = 1_000;
/** A failed call that took this long is a strike, with any status. */
const SLOW_MS = 5_000;
const QUEUE_DELAY_SECONDS_MAX = 900;
const GONE = 410;
const BUSY_DELAY_SECONDS = 5;

export const callDependencies = {
  jitter,
  logs,
  machineClock,
  queues,
  webhookCalls,
  webhookClient,
  webhookHistory,
  webhooks,
};
type Deps = Resolved<typeof callDependencies> & { clock: Clock };

/**
 * Makes one attempt of a call: signs, posts, records the outcome, and plans the next one if it failed. `receives`
 * counts this attempt's message, from 1.
 */
export async function makeCall(deps: Deps, call: WebhookCall, receives: number): Promise<void> {
  const webhook = await deps.webhooks.find(call);
  if (!webhook || !isWanted(webhook, call)) return giveUp(deps, webhook, call);
  if (call.isStored && !(await deps.webhookCalls.isCurrent(call))) return;
  const before = call.attempt > 1 ? await deps.webhookHistory.findOf(webhook, call) : undefined;
  if (before && isDone(before, call)) return endCall(deps, call);
  const isRepeated = receives > 1;
  if ((call.attempt > 1 || isRepeated) && (await isErased(deps, call))) return giveUp(deps, webhook, call);
  const recorded = isRepeated ? await findRecordedAttempt(deps, call) : undefined;
  // A sample event is what somebody sends to see whether their endpoint responds again.
  const tried =
    !isSample(call) && !call.isResent && !recorded
      ? await deps.webhooks.takeTurn(webhook, deps.clock.now())
      : webhook;
  if (!tried) return rest(deps, webhook, call);
  const made = recorded ?? (await callNow(deps, tried, call, receives));
  if (!made) return retryLater(deps, call);
  const { response, retryAfterSeconds } = made;
  const isEnd = isDelivered(response) || response.status === GONE || call.attempt >= call.attemptsMax;
  const hasArrived = isDelivered(response) || before?.outcome === 'delivered';
  const outcome = hasArrived ? 'delivered' : isEnd ? 'failed' : 'waiting';
  const atMs = Date.parse(response.at);
  await deps.webhookHistory.record(webhook, call, { attempt: response, outcome, nowMs: atMs });
  const warning = await judge(deps, tried, call, response);
  if (warning) await warnAdmins(deps, webhook, warning);
  if (isEnd) await endCall(deps, call);
  else await planNext(deps, { ...call, firstAtMs: call.firstAtMs ?? atMs }, retryAfterSeconds);
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
async function rest(deps: Deps, webhook: Webhook, call: WebhookCall): Promise<void> {
  const { restUntilMs = 0 } = webhook;
  const nowMs = deps.clock.now();
  if (call.attempt < call.attemptsMax) {
    const restSeconds = Math.max(0, restUntilMs - nowMs) / 1000;
    return planNext(deps, call, Math.ceil(restSeconds * (1 + deps.jitter())));
  }
  const response = { status: 0, at: isoOf(nowMs), attempt: call.attempt, ms: 0, error: 'resting' };
  await recordResponse(deps, call, response, false);
  await deps.webhookHistory.record(webhook, call, { attempt: response, outcome: 'failed', nowMs });
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

/** A planned attempt is not made once the event has arrived, and a requested attempt is made once. */
function isDone({ outcome, attempts }: HistoryCall, { attempt, isResent }: WebhookCall): boolean {
  return isResent ? attempts.some((each) => each.attempt === attempt) : outcome === 'delivered';
}

/** Of a call that has been made, the outcome is known by now. */
async function giveUp(deps: Deps, webhook: Webhook | undefined, call: WebhookCall): Promise<void> {
  const nowMs = deps.clock.now();
  if (webhook && call.firstAtMs !== undefined && !call.isResent)
    await deps.webhookHistory.record(webhook, call, { outcome: 'failed', nowMs });
  await endCall(deps, call);
}

async function post(
  { webhookClient, clock, machineClock }: Deps,
  webhook: Webhook,
  call: WebhookCall,
): Promise<MadeCall | undefined> {
  const startedAtMs = performance.now();
  const response = await webhookClient.request({
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
    sizeBytesMax: RESPONSE_BYTES_MAX,
  });
  if (response.kind === 'waiting') return undefined;
  const ms = Math.round(performance.now() - startedAtMs);
  const nowMs = clock.now();
  const retryAfterSeconds =
    response.kind === 'response' ? parseRetryAfterSeconds(response.headers['retry-after'], nowMs) : undefined;
  return {
    response: responseOf(response, { at: isoOf(nowMs), attempt: call.attempt, ms }),
    retryAfterSeconds,
  };
}

/** The same attempt, slightly later. */
async function retryLater(deps: Deps, call: WebhookCall): Promise<void> {
  await sendCall(deps, call, Math.ceil(BUSY_DELAY_SECONDS * (1 + deps.jitter())));
}

async function sendCall({ queues }: Deps, call: WebhookCall, delaySeconds: number): Promise<void> {
  await sendOrThrow(queues, callMessage(call, delaySeconds));
}

/** Receivers accept the secret that they have. */
const secretsOf = ({ secret, formerSecrets }: Webhook) => [secret, ...formerSecrets];

function responseOf(
  response: GuardedResponse,
  made: Pick<CallResponse, 'at' | 'attempt' | 'ms'>,
): CallResponse {
  if (response.kind === 'response') return { status: response.status, ...made };
  const error = 'reason' in response ? `${response.kind} ${response.reason}` : response.kind;
  return { status: 0, ...made, error };
}

function judge(
  { webhooks }: Deps,
  webhook: Webhook,
  call: WebhookCall,
  response: CallResponse,
): Promise<WebhookWarning | undefined> {
  const { status, at, ms } = response;
  return webhooks.judge(webhook, status, Date.parse(at), {
    isLast: !isSample(call) && !call.isResent && call.attempt >= call.attemptsMax,
    isStrike: status === 0 || (!isDelivered(response) && ms >= SLOW_MS),
  });
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
