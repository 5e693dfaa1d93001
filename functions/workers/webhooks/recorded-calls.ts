import * as v from 'valibot';
import type { Logs } from '../../../shared/database/entities/logs/logs.ts';
import { isLogField } from '../../../shared/domain/logs/log-record.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { DAY_SECONDS, secondsAfter } from '../../../shared/runtime/values/durations.ts';
import { channelOfPrefix } from '../../../shared/schemas/channel.ts';
import { channelOfEvent, WebhookAttempt, type WebhookCall } from '../../../shared/schemas/logs/webhook.ts';

const CallResponse = v.omit(WebhookAttempt, ['webhookMessageId', 'eventType']);
export type CallResponse = v.InferOutput<typeof CallResponse>;

export type MadeCall = { response: CallResponse; retryAfterSeconds?: number | undefined };

type Deps = { logs: Logs; clock: Clock };
type Logged = NonNullable<WebhookCall['log']>;

/** The log that records a call. The repeats of one without a log get a separate log for a day, which is not shown. */
function recordOf({ id, accountId, environmentId, eventType, attempt, log }: WebhookCall, nowMs: number) {
  if (!log) {
    const expiresAtSeconds = secondsAfter(nowMs, DAY_SECONDS);
    const owner = { accountId, environmentId, userId: '', notificationId: '', expiresAtSeconds };
    return { trackingId: id, channel: channelOfEvent(eventType), seq: `sample/${attempt}`, owner };
  }
  const { trackingId, prefix, stage, seq, ...named } = log;
  return {
    trackingId,
    channel: channelOfPrefix(prefix),
    seq: [stage, ...(seq === undefined ? [] : [seq]), attempt].join('/'),
    owner: { accountId, environmentId, ...named },
  };
}

/**
 * Records that the call is about to be made again: the outcome of an earlier receive is unknown, and a receive that
 * cannot record its outcome must not call repeatedly. Throws if another receive is making the call, or if storage fails.
 */
export async function recordRepeat(
  { logs, clock }: Deps,
  call: WebhookCall,
  receives: number,
): Promise<void> {
  const atMs = clock.now();
  const { trackingId, channel, seq, owner } = recordOf(call, atMs);
  const event = { channel, stage: 'webhook_attempt', seq: `${seq}/${receives}`, atMs, fields: {} } as const;
  const isNew = await logs.append(trackingId, owner, event);
  if (!isNew) throw new Error('this call is already recorded: another receive may be making it');
}

/** The log field of a response: every event has one. */
const responseField = (log: Logged) => `${fieldStart(log)}_webhook_res`;

const fieldStart = ({ prefix, stage }: Logged) => (prefix ? `${prefix}_${stage}` : stage);

/** Returns the response that an earlier receive of the same attempt recorded. */
export async function findRecordedAttempt(
  { logs, clock }: Deps,
  call: WebhookCall,
): Promise<MadeCall | undefined> {
  const { log } = call;
  if (!log) return undefined;
  const { trackingId, channel, seq } = recordOf(call, clock.now());
  const events = await logs.listEvents(trackingId, channel);
  const recorded = events.find((event) => event.stage === 'webhook' && event.seq === seq);
  const [, text] = Object.entries(recorded?.fields ?? {}).find(([name]) => name === responseField(log)) ?? [];
  return typeof text === 'string' ? { response: v.parse(CallResponse, JSON.parse(text)) } : undefined;
}

/** Records the response in the log. Redrive repeats calls that left no record. */
export async function recordResponse(
  { logs }: Deps,
  call: WebhookCall,
  response: CallResponse,
  isDelivered: boolean,
): Promise<void> {
  const { log } = call;
  if (!log) return;
  const atMs = Date.parse(response.at);
  const { trackingId, channel, seq, owner } = recordOf(call, atMs);
  const fields = Object.fromEntries(
    [
      [responseField(log), JSON.stringify(response)] as const,
      [`${fieldStart(log)}_webhook_delivered`, isDelivered] as const,
    ].filter(([name]) => isLogField(name)),
  );
  await logs.append(trackingId, owner, { channel, stage: 'webhook', seq, atMs, fields });
}
