import type { DeliveryBase } from './channel.ts';

/**
 * Returns for how many seconds a provider may keep a message that it cannot deliver at once: `usual`, or until quiet hours
 * begin if that is earlier, at least `least`. Undefined if neither limits it.
 */
export function validSeconds<U extends number | undefined>(
  { validUntilMs }: DeliveryBase,
  nowMs: number,
  { usual, least = 1 }: { usual: U; least?: number },
): U | number {
  if (validUntilMs === undefined) return usual;
  const untilQuiet = Math.max(least, Math.floor((validUntilMs - nowMs) / 1000));
  return usual === undefined ? untilQuiet : Math.min(usual, untilQuiet);
}
