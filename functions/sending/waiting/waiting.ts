import type { Account } from '../../../shared/database/entities/accounts/accounts.ts';
import type { StoredType } from '../../../shared/database/entities/content/notification-types.ts';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import type { ChannelRouting } from '../../../shared/domain/logs/log.ts';
import { digestSettingsOf, nextFlushAt } from '../../../shared/domain/timing/delivery-options.ts';
import { firstTimezone } from '../../../shared/domain/timing/timezone.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import type { Routing, RoutingReason } from '../../../shared/schemas/logs/log-record.ts';
import type { Waiting, WaitingReason } from '../../../shared/schemas/sending/waiting.ts';

/** The parts of a head that determine what waits. */
type Decided = Pick<StoredLogHead, 'routing' | 'receivedAtMs'> &
  Partial<Pick<StoredLogHead, 'scheduledForMs' | 'processedAtMs' | 'topicId' | 'request'>>;

/** The type, account and timezone that determine when a digest is sent. */
export type WaitingContext = {
  account: Account;
  type: StoredType | undefined;
  timezone: string | undefined;
};

export function waitingContextOf({ account, type, profile }: SendingContext): WaitingContext {
  return { account, type, timezone: profile?.timezone };
}

/** The accepted notification: a new notification, or the notification that the request duplicates. */
export type Committed = {
  trackingId: string;
  messages: string[];
  waiting?: Waiting[];
  routing?: RoutedChannel[];
};

export type RoutedChannel = { channel: Channel; routing: Routing; reason?: RoutingReason };

/** What a response says of the decision for a channel: one that is not stored is off. */
export function routedChannel(channel: Channel, decided: ChannelRouting | undefined): RoutedChannel {
  const { routing, reason = undefined } = decided ?? { routing: 'OFF' };
  return { channel, routing, ...defined({ reason: routing === 'OFF' ? 'NOT_ENABLED' : reason }) };
}

export function acceptedOf(
  head: Decided & Pick<StoredLogHead, 'trackingId' | 'messages'>,
  context: WaitingContext,
): Committed {
  const { trackingId, messages } = head;
  const waiting = waitingOf(head, context);
  // The channels of a topic are decided for each member.
  const routing =
    head.topicId === undefined ? CHANNELS.map((each) => routedChannel(each, head.routing[each])) : undefined;
  return { trackingId, messages, ...(waiting.length > 0 ? { waiting } : undefined), ...defined({ routing }) };
}

/** Lists the channels that are accepted and not sent yet, with the reason and the time if it is known. */
export function waitingOf(head: Decided, context: WaitingContext): Waiting[] {
  return channelsOf(head, context).flatMap(([channel, decided]) => {
    const wait = waitOf(head, channel, decided, context);
    if (!wait) return [];
    const { reason, atMs } = wait;
    return [{ channel, reason, ...defined({ until: atMs === undefined ? undefined : isoOf(atMs) }) }];
  });
}

/** The channels of a scheduled topic are decided for each member, when it is due. */
function channelsOf(head: Decided, { type }: WaitingContext): [Channel, ChannelRouting][] {
  const { topicId, routing, scheduledForMs, request } = head;
  const ofTopic = topicId === undefined || scheduledForMs === undefined ? [] : (type?.channels ?? []);
  return CHANNELS.flatMap((channel): [Channel, ChannelRouting][] => {
    const isOfTopic = (ofTopic.length > 0 ? (request?.forceChannels ?? ofTopic) : []).includes(channel);
    const decided = routing[channel] ?? (isOfTopic ? { routing: 'SCHEDULE' } : undefined);
    return decided ? [[channel, decided]] : [];
  });
}

function waitOf(
  { scheduledForMs, processedAtMs, receivedAtMs }: Decided,
  channel: Channel,
  { routing, mode, dueAtMs, heldUntilMs, isPaused }: ChannelRouting,
  { account, type, timezone }: WaitingContext,
): { reason: WaitingReason; atMs: number | undefined } | undefined {
  if (routing === 'BATCH' && mode) {
    const settings = digestSettingsOf(type?.options?.[channel], mode);
    const zone = firstTimezone([timezone, account.timezone]);
    const nowMs = processedAtMs ?? receivedAtMs;
    return { reason: 'BATCH', atMs: nextFlushAt({ mode, zone, nowMs, settings }) };
  }
  if (routing !== 'SCHEDULE') return undefined;
  if (dueAtMs !== undefined) return { reason: 'STEP', atMs: dueAtMs };
  if (heldUntilMs !== undefined) return { reason: isPaused ? 'PAUSED' : 'QUIET_HOURS', atMs: heldUntilMs };
  return { reason: 'SCHEDULE', atMs: scheduledForMs };
}
