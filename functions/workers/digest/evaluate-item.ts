import type { Bucket } from '../../../shared/database/entities/digests.ts';
import { preferredDelivery } from '../../../shared/database/entities/preferences.ts';
import type { SendingContext } from '../../../shared/database/entities/sending-context.ts';
import { channelsOff } from '../../../shared/domain/deployed-channels.ts';
import type { ChannelRouting, LogEvent } from '../../../shared/domain/log-record.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { isGoing, routeNotification } from '../../../shared/domain/routing.ts';
import { type Cap, findHitCap } from '../../../shared/domain/usage-caps.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../shared/schemas/log-record.ts';
import type { SendRequest } from '../../../shared/schemas/send-request.ts';
import { capMessage } from '../../sending/usage-limit.ts';

/** What the items of a bucket are evaluated by, as it is at the flush. */
export type Known = {
  context: SendingContext;
  user: Profile | undefined;
  exceeded: readonly Cap[];
  nowMs: number;
};

/** Whether an item goes out with its digest, or the event that says why not. `content` names the template of the mode. */
export type Evaluated =
  | { kind: 'going'; content: Pick<ChannelRouting, 'template'> }
  | { kind: 'withheld'; event: LogEvent };

/** Evaluates one collected item again: preferences, addresses, type, caps and switches may have changed since. */
export function evaluateItem(bucket: Bucket, known: Known, request: SendRequest): Evaluated {
  const { channel } = bucket;
  const { context, exceeded, nowMs } = known;
  if (!context.type) {
    const failed_internal = 'The notification type does not exist any more.';
    return withheld(
      bucket,
      nowMs,
      { routing: 'IGNORE' },
      general(nowMs, 'MISSING_NOTIFICATION_TYPE', failed_internal),
    );
  }
  const { routing, message } = routeItem(bucket, known, request);
  if (!isGoing(routing)) return withheld(bucket, nowMs, routing, {}, message);
  const cap = findHitCap(exceeded, [channel]);
  if (cap) return withheld(bucket, nowMs, { routing: 'IGNORE' }, general(nowMs, 'UNKNOWN', capMessage(cap)));
  const { template } = routing;
  return { kind: 'going', content: template ? { template } : {} };
}

function general(
  nowMs: number,
  failed_code: NonNullable<LogFields['failed_code']>,
  failed_internal: string,
): LogFields {
  return { failed_at: isoOf(nowMs), failed_code, failed_internal };
}

function routeItem(
  { channel, mode, notificationId, subNotificationId }: Bucket,
  { context, user }: Known,
  request: SendRequest,
): { routing: ChannelRouting; message: string | undefined } {
  const { type, preferences, environment, account } = context;
  if (!type) return { routing: { routing: 'IGNORE' }, message: undefined };
  const decided = routeNotification({
    type,
    forceChannels: request.forceChannels,
    content: request,
    user: user ?? {},
    preferenceOf: (each) => preferredDelivery(preferences, notificationId, subNotificationId, each),
    disableSending: [...environment.disableSending, ...channelsOff()],
    accountDisabled: account.disabled,
    scheduled: false,
    collectedBy: mode,
  });
  const routing = decided.routing[channel];
  const message = decided.messages.find((each) => each.startsWith(`${channel} is not sent: `));
  return {
    routing,
    message: message ?? `${channel} is not sent: the channel is not enabled on the notification type.`,
  };
}

/** An item without an address or content fails, as it would have when it was accepted; the others are withheld. */
function withheld(
  { channel }: Bucket,
  atMs: number,
  { reason, failureCode }: ChannelRouting,
  fields: LogFields,
  message?: string,
): Evaluated {
  const prefix = LOG_PREFIX[channel];
  const named: Record<string, string | undefined> = {
    [`${prefix}_routing`]: 'IGNORE',
    [`${prefix}_routing_reason`]: reason,
    [`${prefix}_failed_code`]: failureCode,
    [`${prefix}_failed_internal`]: message,
  };
  const stage = failureCode === undefined ? 'withheld' : 'failed';
  return { kind: 'withheld', event: { prefix, stage, atMs, fields: { ...fields, ...named } } };
}
