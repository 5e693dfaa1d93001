import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { type Log, type Logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';

const STAGE = 'attempt';

/**
 * Calls to the provider before this receive. The first call is not recorded, to save a write on every message: from the
 * second receive on it counts as made, because its outcome may have been lost.
 */
export function attemptsBefore({ events }: Log, channel: Channel, receives: number): number {
  const prefix = LOG_PREFIX[channel];
  const recorded = events.filter((event) => event.prefix === prefix && event.stage === STAGE);
  const last = Math.max(0, ...recorded.map(({ seq }) => Number(seq)));
  return Math.max(last, receives > 1 ? 1 : 0);
}

/** Records the call that is about to be made. Throws when another receive is making it, or when storage fails. */
export async function recordAttempt(
  { logs, clock }: { logs: Logs; clock: Clock },
  channel: Channel,
  head: StoredLogHead,
  attempt: number,
): Promise<void> {
  const event = { prefix: LOG_PREFIX[channel], stage: STAGE, seq: String(attempt), fields: {} };
  const isNew = await logs.append(head.trackingId, ownerOf(head), { ...event, atMs: clock.now() });
  if (!isNew) throw new Error('this attempt is recorded already: another receive may be making it');
}
