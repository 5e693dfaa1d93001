import type { Account } from '../../../shared/database/entities/accounts.ts';
import { requestedAtMs } from '../../../shared/database/entities/log-head.ts';
import { type Logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import type { StoredType } from '../../../shared/database/entities/notification-types.ts';
import type { UserTraces } from '../../../shared/database/entities/user-traces.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { channelFields } from '../../../shared/domain/channel-fields.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { nextQuietAtMs, quietAt } from '../../../shared/domain/quiet-hours.ts';
import type { QueueOutcome } from '../../../shared/http/queue-worker.ts';
import type { Queues } from '../../../shared/messaging/queues-port.ts';
import { type Clock, isoOf } from '../../../shared/runtime/clock.ts';
import { DAY_SECONDS, secondsAfter } from '../../../shared/runtime/durations.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { quietInputOf } from '../../sending/decide.ts';
import { postpone, postponedAgain } from './postpone.ts';
import type { Receive } from './receive.ts';

/** A decision is not older than this when its message is delivered without waiting. */
const RECENT_MS = 2000;
/** A message that is held is sent within minutes of the end. */
const TRACED_AFTER_SECONDS = DAY_SECONDS;

/** True if the message waited since it was decided: for its turn, for a retry, or on its queue. */
export function isWaitedFor({
  log: { head },
  body: { postponed, started },
  receives,
  nowMs,
}: Receive): boolean {
  const decidedAtMs = started?.atMs ?? head.processedAtMs ?? head.receivedAtMs;
  return postponed !== undefined || receives > 1 || nowMs - decidedAtMs > RECENT_MS;
}

/** What decides about quiet hours. */
export type QuietFacts = { account: Account | undefined; type: StoredType | undefined; user: Profile };

/** True if quiet hours or a pause began since. */
export function isQuiet(channel: Channel, facts: QuietFacts, receive: Receive): boolean {
  const input = inputOf(facts, receive);
  return input !== undefined && quietAt(input, channel) !== undefined;
}

/** Returns when quiet hours next begin for the message; undefined if none apply to it. */
export function quietFrom(channel: Channel, facts: QuietFacts, receive: Receive): number | undefined {
  const input = receive.log.head.test ? undefined : inputOf(facts, receive);
  return input && nextQuietAtMs(input, channel);
}

const inputOf = ({ account, type, user }: QuietFacts, { log: { head }, nowMs }: Receive) =>
  account && quietInputOf({ account, type }, user, { ...head, nowMs });

/**
 * Waits on the due queue, in steps after which everything is decided again. The log is kept and shows until when; its trace
 * lists it among what waits for the user.
 */
export async function holdUntil(
  deps: { logs: Logs; queues: Queues; userTraces: UserTraces; jitter: () => number; clock: Clock },
  channel: Channel,
  { log: { head }, body, nowMs }: Receive,
  { attempt, untilMs }: { attempt: number; untilMs: number },
): Promise<QueueOutcome> {
  const untilSeconds = secondsAfter(untilMs, TRACED_AFTER_SECONDS);
  await deps.userTraces.enter(head, logPk(head.trackingId), { untilSeconds, atMs: requestedAtMs(head) });
  const kept = await deps.logs.prolong(head, untilMs);
  const fields = channelFields<Channel>(channel, { held_until: isoOf(untilMs) });
  const event = { channel, stage: 'held', seq: String(untilMs), atMs: nowMs, fields } as const;
  await deps.logs.append(head.trackingId, ownerOf(kept), event);
  const state = { calls: attempt - 1, unfinished: undefined };
  const again = { ...body, channel, postponed: postponedAgain(body.postponed, state, nowMs) };
  await postpone(deps, again, (untilMs - nowMs) / 1000, deps.clock.now());
  return 'done';
}
