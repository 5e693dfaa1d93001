import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../runtime/values/durations.ts';
import type { Throttling } from '../../schemas/content/notification-type.ts';

/**
 * The state of a throttle: `total` accepted since it began, and `recent`, the times of those still in the
 * window (milliseconds, ascending, as differences in LEB128 varints, base64url). Never more times than `max`;
 * 10,000 take at most 67 KB while the window is under 10,000 years.
 */
export type ThrottleState = { total: number; recent: string };

/** Result of `evaluateThrottle`; `expiresAtMs` is when the state can be deleted, absent if never. */
export type ThrottleEvaluation = { allowed: boolean; state: ThrottleState; expiresAtMs?: number };

export type Limit = Pick<Throttling, 'max' | 'period' | 'unit' | 'forever'>;

/**
 * Returns whether another notification is accepted at `nowMs`, and the new state: at most `max` in any window of `period` x
 * `unit`, open at its start, or at most `max` indefinitely. Rejected notifications do not count and leave the state unchanged. A
 * clock behind the last accepted time counts as at that time.
 */
export function evaluateThrottle(
  state: ThrottleState | undefined,
  limit: Limit,
  nowMs: number,
): ThrottleEvaluation {
  const held = state ?? { total: 0, recent: '' };
  if (limit.forever) {
    const allowed = held.total + 1 <= limit.max;
    return { allowed, state: allowed ? { total: held.total + 1, recent: '' } : held };
  }
  const times = decodeTimes(held.recent);
  const atMs = Math.max(Math.floor(nowMs), times.at(-1) ?? 0);
  const startMs = windowStart(atMs, limit);
  const recent = times.filter((time) => time > startMs);
  const allowed = recent.length + 1 <= limit.max;
  if (allowed) recent.push(atMs);
  return {
    allowed,
    state: allowed ? { total: held.total + 1, recent: encodeTimes(recent) } : held,
    ...expiry(recent.at(-1) ?? Number.NaN, limit),
  };
}

/**
 * True if something counted at one of `times` still counts at `nowMs`: for a limit with a window, while that
 * time is in it.
 */
export function hasPlace(
  state: ThrottleState | undefined,
  limit: Limit,
  times: readonly number[],
  nowMs: number,
): boolean {
  if (!state || times.length === 0) return false;
  if (limit.forever) return true;
  const startMs = windowStart(nowMs, limit);
  return decodeTimes(state.recent).some((time) => time > startMs && times.includes(time));
}

/** Messages of a limit per shard, and shards at most: each admits its part of `max`, without the others. */
const SHARD_PLACES = 10;
const SHARDS_MAX = 16;

/**
 * Shards of a limit that all users share, whose one state would be written by every send; 1 for a limit that is reached
 * before that matters, or belongs to one user.
 */
export function throttleShards({ max, scope }: Pick<Throttling, 'max' | 'scope'>): number {
  return scope.includes('userId') ? 1 : Math.min(SHARDS_MAX, Math.max(1, Math.floor(max / SHARD_PLACES)));
}

/**
 * Names the state that a scope shares: per user and type, per user, or per type. Stable, under 60 characters,
 * for any IDs; the order of the scope's members does not matter.
 */
export function throttleScope(scope: Throttling['scope'], userId: string, notificationId: string): string {
  const perUser = scope.includes('userId');
  const perType = scope.includes('notificationId');
  const ids = JSON.stringify([perUser ? userId : null, perType ? notificationId : null]);
  const name = perUser && perType ? 'user-type' : perUser ? 'user' : 'type';
  return `${name}-${createHash('sha256').update(ids).digest('base64url')}`;
}

const UNIT_MS: Partial<Record<Limit['unit'], number>> = {
  seconds: 1000,
  minutes: 60_000,
  hours: HOUR_MS,
  days: DAY_MS,
};

/** The window is (start, `atMs`]: earlier or equal times are out of it. */
export function windowStart(atMs: number, limit: Limit): number {
  const months = monthsOf(limit);
  if (months === undefined) return atMs - durationMs(limit);
  const startMs = shiftMonths(atMs, -months);
  return Number.isNaN(startMs) ? Number.NEGATIVE_INFINITY : startMs;
}

export function expiry(lastMs: number, limit: Limit): { expiresAtMs?: number } {
  const months = monthsOf(limit);
  const expiresAtMs = months === undefined ? lastMs + durationMs(limit) : shiftMonths(lastMs, months) + 1;
  return Number.isFinite(expiresAtMs) ? { expiresAtMs } : {};
}

export function durationMs({ period, unit }: Limit): number {
  return period * (UNIT_MS[unit] ?? Number.NaN);
}

export function monthsOf({ period, unit }: Limit): number | undefined {
  if (unit === 'months') return Math.ceil(period);
  return unit === 'years' ? Math.ceil(period * 12) : undefined;
}

/**
 * The same day and time of another month, in UTC. A day that the month lacks becomes its last millisecond, so that later instants
 * never shift to earlier results and a window never includes a time again.
 */
function shiftMonths(ms: number, months: number): number {
  const from = new Date(ms);
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate()];
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  if (day > daysInMonth) return Date.UTC(year, month + 1, 1) - 1;
  return Date.UTC(year, month, day) + (ms % DAY_MS);
}

function encodeTimes(times: readonly number[]): string {
  const bytes: number[] = [];
  let previous = 0;
  for (const time of times) {
    let rest = time - previous;
    previous = time;
    // Times have 41 bits, bitwise operators 32.
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes).toString('base64url');
}

function decodeTimes(text: string): number[] {
  const times: number[] = [];
  let time = 0;
  let scale = 1;
  for (const byte of Buffer.from(text, 'base64url')) {
    time += (byte % 128) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    times.push(time);
    scale = 1;
  }
  return times;
}
