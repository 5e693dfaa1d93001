import type { Account } from '../../../shared/database/entities/accounts.ts';
import { type Logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import { channelFields } from '../../../shared/domain/channel-fields.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { quietAt } from '../../../shared/domain/quiet-hours.ts';
import type { QueueOutcome } from '../../../shared/http/queue-worker.ts';
import type { Queues } from '../../../shared/messaging/queues-port.ts';
import { type Clock, isoOf } from '../../../shared/runtime/clock.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { quietInputOf } from '../../sending/decide.ts';
import { postpone, postponedAgain } from './postpone.ts';
import type { Receive } from './receive.ts';

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

/** True if quiet hours or a pause began since: an urgent type may still send. */
export function isQuiet(
  channel: Channel,
  account: Account | undefined,
  user: Profile,
  { log: { head }, nowMs }: Receive,
): boolean {
  if (!account || head.request.urgent) return false;
  return quietAt(quietInputOf({ account }, user, head.userId, nowMs), channel) !== undefined;
}

/** Waits on the due queue, in steps after which everything is decided again; the log is kept and shows until when. */
export async function holdUntil(
  deps: { logs: Logs; queues: Queues; jitter: () => number; clock: Clock },
  channel: Channel,
  { log: { head }, body, nowMs }: Receive,
  { attempt, untilMs }: { attempt: number; untilMs: number },
): Promise<QueueOutcome> {
  const kept = await deps.logs.prolong(head, untilMs);
  const fields = channelFields<Channel>(channel, { held_until: isoOf(untilMs) });
  const event = { channel, stage: 'held', seq: String(untilMs), atMs: nowMs, fields } as const;
  await deps.logs.append(head.trackingId, ownerOf(kept), event);
  const state = { calls: attempt - 1, unfinished: undefined };
  const again = { ...body, channel, postponed: postponedAgain(body.postponed, state, nowMs) };
  await postpone(deps, again, (untilMs - nowMs) / 1000, deps.clock.now());
  return 'done';
}
