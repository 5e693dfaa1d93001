import type { Account } from '../../../../shared/database/entities/accounts/accounts.ts';
import type { StoredType } from '../../../../shared/database/entities/content/notification-types.ts';
import { type Logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import type { DeliveryRetries } from '../../../../shared/database/entities/sending/delivery-retries.ts';
import { channelFields } from '../../../../shared/domain/routing/channel-fields.ts';
import { nextQuietAtMs, quietAt } from '../../../../shared/domain/timing/quiet-hours.ts';
import type { Profile } from '../../../../shared/domain/users/profile.ts';
import type { QueueOutcome } from '../../../../shared/http/workers/queue-worker.ts';
import { isoOf } from '../../../../shared/runtime/clock.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { quietInputOf } from '../../../sending/decide/decide.ts';
import type { Receive } from '../receive.ts';
import { postponedAgain } from './postpone.ts';

/** A decision is not older than this when its message is delivered without waiting. */
const RECENT_MS = 2000;

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

/** Waits until then, when everything is decided again. The log is kept and shows until when. */
export async function holdUntil(
  deps: { logs: Logs; deliveryRetries: DeliveryRetries },
  channel: Channel,
  { log: { head }, body, nowMs }: Receive,
  { attempt, untilMs, isPaused }: { attempt: number; untilMs: number; isPaused: boolean },
): Promise<QueueOutcome> {
  const kept = await deps.logs.prolong(head, untilMs);
  const fields = channelFields<Channel>(channel, { held_until: isoOf(untilMs) });
  const event = { channel, stage: 'held', seq: String(untilMs), atMs: nowMs, fields } as const;
  await deps.logs.append(head.trackingId, ownerOf(kept), event);
  const state = { calls: attempt - 1, unfinished: undefined };
  const again = { ...body, channel, postponed: postponedAgain(body.postponed, state, nowMs) };
  const { environmentId, userId } = head;
  const hold = isPaused ? 'PAUSED' : 'QUIET_HOURS';
  await deps.deliveryRetries.wait(again, untilMs, { environmentId, userId, hold });
  return 'done';
}
