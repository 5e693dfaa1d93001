import type { Log } from '../../shared/database/entities/log-reads.ts';
import type { SendingRules } from '../../shared/database/entities/sending-rules.ts';
import type { Caller } from '../../shared/http/caller.ts';
import type { RequestFacts } from '../../shared/http/endpoint.ts';
import { trackingIdOf } from '../../shared/runtime/ids.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../shared/schemas/channel.ts';
import { type AcceptDependencies, accept } from './accept.ts';

/** The channels to send again; absent fields match any. */
export type ResendFilter = { channel?: Channel | undefined; code?: string | undefined };

/** A failed channel that is sent again, by a notification of its own. */
export type Resent = { channel: Channel; trackingId: string; messages: string[] };

/** The channels of a notification that failed without having been sent. The failure of a digest is that of its items. */
export function failedChannels({ head, events }: Log, { channel: only, code }: ResendFilter): Channel[] {
  if (head.userId === '' || head.digest || head.topicId !== undefined) return [];
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
 * ID is derived from the failed message, so a repetition finds it.
 */
export async function resend(
  deps: AcceptDependencies,
  { head }: Log,
  channels: readonly Channel[],
  { caller: by, facts }: { caller: Caller; facts: RequestFacts },
): Promise<Resent[]> {
  const { accountId, environmentId, trackingId, userId, request } = head;
  const caller = { ...by, accountId, environmentId };
  const sendingRules = withoutDeduplication(deps.sendingRules);
  const resent: Resent[] = [];
  for (const channel of channels) {
    const key = `resend/${trackingId}/${channel}`;
    const id = trackingIdOf([accountId, environmentId, key]);
    const known = await deps.logs.findHead(id, facts.receivedAtMs);
    const { schedule: _, user: __, options: { steps: ___, ...options } = {}, ...content } = request;
    const body = { ...content, options, to: { id: userId }, forceChannels: [channel] };
    const accepted = known ?? {
      ...(await accept(
        { ...deps, sendingRules },
        {
          ...{ operation: 'resend', caller, body, dryRun: false },
          facts: { ...facts, headers: { 'idempotency-key': key } },
        },
      )),
    };
    resent.push({ channel, trackingId: id, messages: accepted.messages });
  }
  return resent;
}

/** The failed message is what it would be a duplicate of. */
function withoutDeduplication(rules: SendingRules): SendingRules {
  return {
    ...rules,
    commit: (head, some, nowMs) => rules.commit(head, some && { ...some, deduplication: undefined }, nowMs),
  };
}
