import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import type { SendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';
import type { RequestFacts } from '../../../shared/http/endpoint/endpoint.ts';
import { numberSetting } from '../../../shared/runtime/config.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { VALIDITY_SECONDS_MIN } from '../../../shared/schemas/sending/phone-settings.ts';
import { type AcceptDependencies, accept } from '../accept/accept.ts';
import { aboutStored } from '../accept/intake.ts';

/** The channels to send again; absent fields match any. */
export type ResendFilter = { channel?: Channel | undefined; code?: string | undefined };

/** A failed channel that is sent again, by a notification of its own; not a new one if it was sent again before. */
type Resent = { channel: Channel; trackingId: string; messages: string[]; isNew: boolean };

export function failedChannels({ head, events }: Log, { channel: only, code }: ResendFilter): Channel[] {
  // The content of a sensitive one is gone.
  if (head.userId === '' || head.digest || head.topicId !== undefined || head.isSensitive) return [];
  return CHANNELS.filter((channel) => {
    if (only !== undefined && channel !== only) return false;
    const own = events.filter((event) => event.channel === channel);
    const failed = own.find(({ stage }) => stage === 'failed');
    if (!failed || own.some(({ stage }) => stage === 'sent')) return false;
    return code === undefined || failed.fields[`${LOG_PREFIX[channel]}_failed_code`] === code;
  });
}

/**
 * Sends the failed channels again, once each: a new notification with the same request, evaluated as it is now. Its tracking
 * ID is derived from the failed message, so a repetition finds it. A text message has what is left of its validity. Throws
 * INVALID_REQUEST if that of every channel is over.
 */
export async function resend(
  deps: AcceptDependencies,
  { head }: Log,
  channels: readonly Channel[],
  { caller: by, facts, dryRun = false }: { caller: Caller; facts: RequestFacts; dryRun?: boolean },
): Promise<[Resent, ...Resent[]]> {
  const { accountId, environmentId, trackingId, userId, request } = head;
  const caller = { ...by, accountId, environmentId };
  const sendingRules = withoutDeduplication(deps.sendingRules);
  const resent: Resent[] = [];
  for (const channel of channels) {
    const key = `resend/${trackingId}/${channel}`;
    const id = trackingIdOf([accountId, environmentId, key]);
    let known = await deps.logs.findHead(id, facts.receivedAtMs);
    const left = known || channel !== 'SMS' ? undefined : await secondsLeft(deps, head, facts.receivedAtMs);
    if (left !== undefined && left < VALIDITY_SECONDS_MIN) continue;
    const { schedule: _, user: __, options: { steps: ___, ...options } = {}, ...content } = request;
    const sms = left === undefined ? options.sms : { ...options.sms, validitySeconds: left };
    const body = {
      ...content,
      options: { ...options, ...defined({ sms }) },
      to: { id: userId },
      forceChannels: [channel],
    };
    const asked = {
      ...{ operation: 'resend', caller, body, dryRun },
      facts: { ...facts, headers: { 'idempotency-key': key } },
    } as const;
    const accepted =
      known ??
      (await accept({ ...deps, sendingRules }, asked).catch(async (error: unknown) => {
        if (!(error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED'))
          throw aboutStored(error, {}, () => 'send the notification anew.');
        // Sent again at the same moment, with what was left of its validity then.
        known = await deps.logs.findHead(id, facts.receivedAtMs);
        if (!known) throw error;
        return known;
      }));
    resent.push({ channel, trackingId: id, messages: accepted.messages, isNew: !known });
  }
  const [first, ...rest] = resent;
  if (!first) throw expired();
  return [first, ...rest];
}

/** How long a text message is still valid; undefined for any time. */
async function secondsLeft(
  { notificationTypes }: AcceptDependencies,
  { environmentId, notificationId, request, routing, processedAtMs, receivedAtMs }: Log['head'],
  nowMs: number,
): Promise<number | undefined> {
  const type = await notificationTypes.find(environmentId, notificationId);
  const { validitySeconds = numberSetting('SMS_VALIDITY_SECONDS') } = {
    ...type?.options?.sms,
    ...request.options?.sms,
  };
  const fromMs = routing.SMS?.dueAtMs ?? processedAtMs ?? receivedAtMs;
  return validitySeconds ? validitySeconds - Math.ceil((nowMs - fromMs) / 1000) : undefined;
}

const expired = () =>
  new AppError('INVALID_REQUEST', {
    message: 'The text message is no longer valid: its validitySeconds have passed.',
    path: 'channel',
    fix: 'Send a new notification. What is no longer valid is not sent again.',
  });

/** The failed message is what it would be a duplicate of. */
function withoutDeduplication(rules: SendingRules): SendingRules {
  return {
    ...rules,
    commit: (head, some, nowMs) => rules.commit(head, some && { ...some, deduplication: undefined }, nowMs),
  };
}
