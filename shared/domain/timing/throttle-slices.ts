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
 * later. `free` places are left, which count in the slice at `fromMs`; the slices in `past` no longer count. `fullUntilMs`: no
 * sooner is there room.
 */
export function evaluateSlices(
  state: SlicedState,
  limit: Limit,
  nowMs: number,
): {
  free: number;
  fromMs: number;
  past: number[];
  sliceMs: number;
  fullUntilMs: number;
  expiresAtMs?: number;
} {
  const sliceMs = limit.forever ? nowMs + 1 : lengthOf(limit);
  const atMs = Math.max(Math.floor(nowMs), state.at(-1)?.[0] ?? 0);
  const startMs = limit.forever ? Number.NEGATIVE_INFINITY : windowStart(atMs, limit);
  const isCounted = ([fromMs]: SlicedState[number]) => fromMs + sliceMs > startMs;
  const counted = state.filter(isCounted);
  return {
    free: limit.max - counted.reduce((sum, [, count]) => sum + count, 0),
    fromMs: limit.forever ? 0 : Math.floor(atMs / sliceMs) * sliceMs,
    past: state.flatMap((slice) => (isCounted(slice) ? [] : [slice[0]])),
    sliceMs,
    fullUntilMs: (counted[0]?.[0] ?? atMs) + sliceMs + (atMs - startMs),
    ...expiry(limit.forever ? Number.NaN : atMs + sliceMs, limit),
  };
}

const lengthOf = (limit: Limit) =>
  Math.max(1, Math.ceil(((monthsOf(limit) ?? 0) * MONTH_MS || durationMs(limit)) / SLICES));

/** True if something counted at one of `times` is in the window that ends now. */
export const isInWindow = (times: readonly number[], limit: Limit, nowMs: number): boolean =>
  times.some((time) => limit.forever || time > windowStart(nowMs, limit));
