import { DAY_MS } from '../../runtime/values/durations.ts';
import { shardOf } from '../../runtime/values/ids.ts';
import type { Channel } from '../../schemas/channel.ts';
import { parseDay, parseEnd, parseHour } from '../../schemas/delivery/delivery-time.ts';
import type { QuietHours, QuietWindow, QuietWindows } from '../../schemas/users/quiet-hours.ts';
import { instantOf, wallClockAt } from './timezone.ts';

const MINUTE_MS = 60_000;
const JITTER_MS = 15 * MINUTE_MS;

/** True if a channel may not disturb the user now: it is held until a time, or dropped. */
export type Quiet = { kind: 'held'; untilMs: number; isPaused: boolean } | { kind: 'dropped' };

/** A window and the zones whose clocks it follows: it lasts while it does in any of them. */
type ZonedWindow = { hours: QuietHours; zones: readonly string[] };

export type QuietInput = {
  windows: readonly ZonedWindow[];
  pausedUntilMs: number | undefined;
  userId: string;
  nowMs: number;
};

/**
 * The windows that apply to a user: the user's own. Defaults to the type's windows, then to the account's. Windows with `floor`
 * always apply, and alone apply to urgent messages.
 */
export function windowsFor(
  own: QuietHours | undefined,
  {
    type,
    account,
    isUrgent,
  }: { type?: QuietWindows | undefined; account?: QuietWindows | undefined; isUrgent: boolean },
): QuietWindow[] {
  const lists = [own, type, account].map(listOf);
  const floors = lists.flat().filter(({ floor }) => floor);
  if (isUrgent) return floors;
  const free = lists.map((windows) => windows.filter(({ floor }) => !floor));
  return [...(free.find(({ length }) => length > 0) ?? []), ...floors];
}

const listOf = (windows: QuietWindows | undefined): QuietWindow[] => [windows ?? []].flat();

/**
 * Returns whether a channel is quiet; undefined if it may be sent. A hold ends with the last of consecutive
 * windows and the pause, and up to 15 minutes later, so that a timezone's messages are not all sent together.
 */
export function quietAt(input: QuietInput, channel: Channel): Quiet | undefined {
  const { pausedUntilMs = 0, userId, nowMs } = input;
  if (channel === 'INAPP_WEB') return undefined;
  const windows = input.windows.filter(({ hours }) => appliesTo(hours, channel));
  const dropping = windows.filter(({ hours }) => hours.mode === 'drop');
  if (lastEndMs(dropping, nowMs) > 0) return { kind: 'dropped' };
  const endMs = endOfQuiet(nowMs, (ms) => Math.max(pausedUntilMs, lastEndMs(windows, ms)));
  if (endMs === nowMs) return undefined;
  const nextMs = nextQuietAtMs({ windows, nowMs: endMs }, channel) ?? Number.POSITIVE_INFINITY;
  // In the first half of the free time: what is due at its end might be handled in the next window.
  const untilMs = endMs + shardOf(`${userId}#${endMs}`, Math.min(JITTER_MS, Math.ceil((nextMs - endMs) / 2)));
  return { kind: 'held', untilMs, isPaused: pausedUntilMs > nowMs };
}

export function nextQuietAtMs(
  { windows, nowMs }: Pick<QuietInput, 'windows' | 'nowMs'>,
  channel: Channel,
): number | undefined {
  const starts = windows
    .filter(({ hours }) => appliesTo(hours, channel))
    .flatMap(({ hours, zones }) => zones.map((zone) => nextStartMs(hours, zone, nowMs)));
  const first = Math.min(...starts);
  return Number.isFinite(first) ? first : undefined;
}

function nextStartMs(hours: QuietHours, zone: string, nowMs: number): number {
  const fromMs = (parseHour(hours.from) ?? 0) * MINUTE_MS;
  const days = hours.days?.map(parseDay);
  const todayMs = dayOf(nowMs, zone);
  for (let day = 0; day <= WINDOWS_MAX; day += 1) {
    const dayMs = todayMs + day * DAY_MS;
    if (days && !days.includes(new Date(dayMs).getUTCDay())) continue;
    const startsAtMs = instantOf(dayMs + fromMs, zone);
    if (startsAtMs > nowMs) return startsAtMs;
  }
  return Number.POSITIVE_INFINITY;
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

/** The end of the last of the windows that `ms` is in; 0 outside of them. */
const lastEndMs = (windows: readonly ZonedWindow[], ms: number) =>
  Math.max(
    0,
    ...windows.flatMap(({ hours, zones }) => zones.map((zone) => quietUntilMs(hours, zone, ms) ?? 0)),
  );

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
