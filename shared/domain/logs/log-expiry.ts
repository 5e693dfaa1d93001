import { DAY_MS, DAY_SECONDS, secondsAfter } from '../../runtime/values/durations.ts';
import { DIGEST_WAIT_DAYS } from '../timing/delivery-options.ts';
import type { ChannelRouting, LogHead } from './log.ts';

/** Returns when a log that begins at `fromMs` and is kept for `retentionDays` expires, epoch seconds. */
export function logExpiry(retentionDays: number, fromMs: number): number {
  return secondsAfter(fromMs, Math.round(retentionDays * DAY_SECONDS));
}

/** Returns how many days after `fromMs` the last channel, or the last digest that may contain it, is sent. */
export function waitDaysOf(
  routing: Readonly<Record<string, Pick<ChannelRouting, 'routing' | 'mode' | 'heldUntilMs' | 'dueAtMs'>>>,
  fromMs: number,
): number {
  const waits = Object.values(routing).map(
    ({ routing: decided, mode, heldUntilMs = fromMs, dueAtMs = heldUntilMs }) =>
      (mode && decided !== 'IGNORE' ? DIGEST_WAIT_DAYS[mode] : 0) + (dueAtMs - fromMs) / DAY_MS,
  );
  return Math.max(0, ...waits);
}

export function keptFromMs(
  head: Pick<LogHead, 'receivedAtMs' | 'processedAtMs' | 'scheduledForMs' | 'waitedUntilMs' | 'routing'>,
): number {
  const fromMs = Math.max(head.receivedAtMs, head.processedAtMs ?? 0, head.scheduledForMs ?? 0);
  return Math.max(fromMs + waitDaysOf(head.routing, fromMs) * DAY_MS, head.waitedUntilMs ?? 0);
}
