import { DAY_MS } from '../runtime/durations.ts';
import { shardOf } from '../runtime/ids.ts';
import type { Channel } from '../schemas/channel.ts';
import { parseDay, parseEnd, parseHour } from '../schemas/delivery-time.ts';
import type { QuietHours } from '../schemas/quiet-hours.ts';
import { instantOf, wallClockAt } from './timezone.ts';

const MINUTE_MS = 60_000;
const JITTER_MS = 15 * MINUTE_MS;

/** True if a channel may not disturb the user now: it is held until a time, or dropped. */
export type Quiet = { kind: 'held'; untilMs: number; isPaused: boolean } | { kind: 'dropped' };

/** The input for that decision. */
export type QuietInput = {
  quietHours: QuietHours | undefined;
  pausedUntilMs: number | undefined;
  zone: string;
  userId: string;
  nowMs: number;
};

/**
 * Returns whether a channel is quiet; undefined if it may be sent. A hold ends with the last of consecutive
 * windows and the pause, and up to 15 minutes later, so that a timezone's messages are not all sent together.
 */
export function quietAt(input: QuietInput, channel: Channel): Quiet | undefined {
  const { quietHours, pausedUntilMs = 0, zone, userId, nowMs } = input;
  if (channel === 'INAPP_WEB') return undefined;
  const applies = quietHours && appliesTo(quietHours, channel) ? quietHours : undefined;
  const endOf = (ms: number) => (applies ? quietUntilMs(applies, zone, ms) : undefined);
  if (applies?.mode === 'drop' && endOf(nowMs) !== undefined) return { kind: 'dropped' };
  const untilMs = endOfQuiet(nowMs, (ms) => Math.max(pausedUntilMs, endOf(ms) ?? 0));
  return untilMs === nowMs
    ? undefined
    : {
        kind: 'held',
        untilMs: untilMs + shardOf(`${userId}#${untilMs}`, JITTER_MS),
        isPaused: pausedUntilMs > nowMs,
      };
}

/** Returns when the channel is next quiet; undefined if it never is. */
export function nextQuietAtMs(
  { quietHours, zone, nowMs }: Pick<QuietInput, 'quietHours' | 'zone' | 'nowMs'>,
  channel: Channel,
): number | undefined {
  if (!quietHours || !appliesTo(quietHours, channel)) return undefined;
  const fromMs = (parseHour(quietHours.from) ?? 0) * MINUTE_MS;
  const days = quietHours.days?.map(parseDay);
  const todayMs = dayOf(nowMs, zone);
  for (let day = 0; day <= WINDOWS_MAX; day += 1) {
    const dayMs = todayMs + day * DAY_MS;
    if (days && !days.includes(new Date(dayMs).getUTCDay())) continue;
    const startsAtMs = instantOf(dayMs + fromMs, zone);
    if (startsAtMs > nowMs) return startsAtMs;
  }
  return undefined;
}

const appliesTo = ({ channels }: QuietHours, channel: Channel) =>
  channel !== 'INAPP_WEB' && (channels?.includes(channel) ?? true);

/** Midnight of the day in the zone, as if its clock were UTC. */
const dayOf = (ms: number, zone: string) => Math.floor(wallClockAt(ms, zone) / DAY_MS) * DAY_MS;

/** Whole quiet days may follow one another without end: what they hold is evaluated again after a week. */
const WINDOWS_MAX = 8;

/** A pause may end within a window, and a window within the pause. */
function endOfQuiet(nowMs: number, endAfter: (ms: number) => number): number {
  let untilMs = nowMs;
  for (let count = 0; count < WINDOWS_MAX; count += 1) {
    const endMs = endAfter(untilMs);
    if (endMs <= untilMs) break;
    untilMs = endMs;
  }
  return untilMs;
}

/**
 * Returns the end of the window that `ms` is in; undefined outside. A time that a DST gap skips is the gap's end, one that
 * occurs twice is the first. Throws RangeError for an unknown zone.
 */
export function quietUntilMs(quietHours: QuietHours, zone: string, ms: number): number | undefined {
  const fromMs = (parseHour(quietHours.from) ?? 0) * MINUTE_MS;
  const toMs = (parseEnd(quietHours.to) ?? 0) * MINUTE_MS;
  const days = quietHours.days?.map(parseDay);
  const todayMs = dayOf(ms, zone);
  for (const dayMs of [todayMs - DAY_MS, todayMs]) {
    if (days && !days.includes(new Date(dayMs).getUTCDay())) continue;
    const startsAtMs = instantOf(dayMs + fromMs, zone);
    const endsAtMs = instantOf(dayMs + toMs + (toMs > fromMs ? 0 : DAY_MS), zone);
    if (startsAtMs <= ms && ms < endsAtMs) return endsAtMs;
  }
  return undefined;
}
