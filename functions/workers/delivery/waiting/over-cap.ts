import { type Cap, capMessage } from '../../../../shared/domain/costs/usage-caps.ts';
import type { LogEvent } from '../../../../shared/domain/logs/log.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { failureFields, withheldEvent } from '../outcome/withheld-event.ts';
import type { Postponed } from './postponed.ts';

/** Until then, messages that were just sent are counted. */
export const COUNTED_AFTER_SECONDS = 10;

/** A price that is still unknown by then arrives days later, or never. */
const PRICE_WAIT_MS_MAX = 3_600_000;

/** True if a message waits for the counts and prices of those before it: until then, they count as estimated. */
export function mayWait(
  { isReached }: { isReached: boolean },
  postponed: Postponed | undefined,
  nowMs: number,
): boolean {
  return !isReached && nowMs - (postponed?.sinceMs ?? nowMs) < PRICE_WAIT_MS_MAX;
}

export function overCapEvent(channel: Channel, cap: Cap, atMs: number): LogEvent {
  const because = capMessage(cap);
  const fields = failureFields(atMs, 'UNKNOWN', because);
  return withheldEvent(channel, { reason: 'OVER_CAP' }, { atMs, because, fields });
}
