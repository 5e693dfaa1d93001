import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import type { Log } from '../../../../shared/database/entities/logs/log-reads.ts';
import { type Logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { Postponed } from '../waiting/postponed.ts';

/**
 * Returns the number of calls to the provider before this receive. The first call is not recorded, to save a
 * write on every message: from the second receive on, it counts as made, because its outcome may have been
 * lost. A postponed delivery includes the calls made before, and records its own separately.
 */
export function attemptsBefore(
  { events }: Log,
  channel: Channel,
  { receives, postponed }: { receives: number; postponed?: Postponed | undefined },
): number {
  const start = seqStart(postponed);
  const numbers = events
    .filter((event) => event.channel === channel && event.stage === 'attempt' && event.seq?.startsWith(start))
    .map(({ seq = '' }) => Number(seq.slice(start.length)))
    .filter((number) => Number.isInteger(number));
  const calls = postponed?.calls ?? 0;
  return Math.max(calls, ...numbers, receives > 1 ? calls + 1 : 0);
}

const seqStart = (postponed: Postponed | undefined) =>
  postponed ? `${postponed.sinceMs}/${postponed.times}/` : '';

/** Records the call that is about to be made. Throws if another receive is making it, or if storage fails. */
export async function recordAttempt(
  { logs, clock }: { logs: Logs; clock: Clock },
  channel: Channel,
  head: StoredLogHead,
  { attempt, postponed }: { attempt: number; postponed?: Postponed | undefined },
): Promise<void> {
  const seq = `${seqStart(postponed)}${attempt}`;
  const event = { channel, stage: 'attempt', seq, fields: {} } as const;
  const isNew = await logs.append(head.trackingId, ownerOf(head), { ...event, atMs: clock.now() });
  if (!isNew) throw new Error('this attempt is already recorded: another receive may be making it');
}
