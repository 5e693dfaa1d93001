import { DAY_MS } from '../../runtime/values/durations.ts';
import { durationMs, expiry, type Limit, monthsOf, windowStart } from './throttling.ts';

/** Slices of a window: a place is free again a slice after its window, at the latest. */
const SLICES = 50;
const MONTH_MS = 31 * DAY_MS;

/** How many were accepted in each slice of time that counts, by its start; since it began, if the limit has no end. */
export type SlicedState = [startMs: number, count: number][];

/** The part of `max` that a shard admits: together exactly `max`. */
export const shardMax = (max: number, shard: number, shards: number) =>
  Math.floor(max / shards) + (shard < max % shards ? 1 : 0);

/**
 * As `evaluateThrottle`, for a state that only counts: never more than `max` in any window, and room again up to a slice
 * later. `fullUntilMs`: no sooner is there room.
 */
export function evaluateSlices(
  state: SlicedState,
  limit: Limit,
  nowMs: number,
): { state?: SlicedState; sliceMs: number; fullUntilMs: number; expiresAtMs?: number } {
  const sliceMs = limit.forever ? nowMs + 1 : lengthOf(limit);
  const atMs = Math.max(Math.floor(nowMs), state.at(-1)?.[0] ?? 0);
  const startMs = limit.forever ? Number.NEGATIVE_INFINITY : windowStart(atMs, limit);
  const counted = state.filter(([fromMs]) => fromMs + sliceMs > startMs + 1);
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  if (total + 1 > limit.max)
    return { sliceMs, fullUntilMs: (counted[0]?.[0] ?? atMs) + sliceMs + (atMs - startMs) };
  const fromMs = limit.forever ? 0 : Math.floor(atMs / sliceMs) * sliceMs;
  const last = counted.at(-1)?.[0] === fromMs ? counted.pop() : undefined;
  const added: SlicedState = [...counted, [fromMs, (last?.[1] ?? 0) + 1]];
  return {
    state: added,
    sliceMs,
    fullUntilMs: 0,
    ...expiry(limit.forever ? undefined : atMs + sliceMs, limit),
  };
}

const lengthOf = (limit: Limit) =>
  Math.max(1, Math.ceil(((monthsOf(limit) ?? 0) * MONTH_MS || durationMs(limit)) / SLICES));

/** True if something counted at one of `times` is in the window that ends now. */
export const isInWindow = (times: readonly number[], limit: Limit, nowMs: number): boolean =>
  times.some((time) => limit.forever || time > windowStart(nowMs, limit));
