import { DAY_MS, HOUR_MS } from '../../runtime/values/durations.ts';
import type { Channel } from '../../schemas/channel.ts';
import type { ChannelOptions, InappOptions, TypeOptions } from '../../schemas/content/notification-type.ts';
import type { DeliveryOption, DigestMode } from '../../schemas/delivery/delivery-mode.ts';
import { parseDay, parseHour } from '../../schemas/delivery/delivery-time.ts';
import { instantOf, wallClockAt } from './timezone.ts';

const MINUTE_MS = 60_000;

/** The schedule of a mode: its object in the options of a channel. */
export type DigestSettings = {
  enabled?: boolean | undefined;
  hour?: string | number | undefined;
  day?: string | number | undefined;
  date?: 'first' | 'last' | undefined;
};

/** The schedule of a mode in the options of a channel. */
export function digestSettingsOf(
  options: ChannelOptions | InappOptions | undefined,
  mode: DigestMode,
): DigestSettings | undefined {
  const byMode: Partial<Record<string, DigestSettings | undefined>> = { ...(options as object | undefined) };
  return byMode[mode];
}

/** Most days that an item waits for its digest, with time for changes of clocks and zones. */
export const DIGEST_WAIT_DAYS: Readonly<Record<DigestMode, number>> = {
  hourly: 1,
  daily: 2,
  weekly: 8,
  monthly: 32,
};

const DEFAULT_MINUTES = { daily: 8 * 60, weekly: 9 * 60, monthly: 10 * 60 };
const MONDAY = 1;

/**
 * Returns the option in effect for a user: the preference if the type enables it on the channel. Falls back to the channel's
 * default. Off and instant are enabled unless the type disables them, so that people can always opt out. A channel without
 * options defaults to instant.
 */
export function effectiveDelivery(choice: {
  options?: ChannelOptions | InappOptions | undefined;
  preference?: DeliveryOption | undefined;
}): DeliveryOption {
  const { options, preference } = choice;
  if (!options) return preference === 'off' ? 'off' : 'instant';
  const enabled: Partial<Record<DeliveryOption, { enabled: boolean } | undefined>> = options;
  const isOpen = preference === 'off' || preference === 'instant';
  return preference !== undefined && (enabled[preference]?.enabled ?? isOpen)
    ? preference
    : options.defaultDeliveryOption;
}

type TypeChoices = { options?: TypeOptions | undefined; required?: boolean | undefined };

/** The delivery options of a type on a channel. A required type cannot be off. */
export function optionsOn(
  type: TypeChoices | undefined,
  channel: Channel,
): ChannelOptions | InappOptions | undefined {
  const options = type?.options?.[channel];
  if (!type?.required) return options;
  return { defaultDeliveryOption: 'instant', ...options, off: { enabled: false } };
}

/** True if people may turn the type off on the channel. */
export const mayBeOff = (type: TypeChoices | undefined, channel: Channel): boolean =>
  effectiveDelivery({ options: optionsOn(type, channel), preference: 'off' }) === 'off';

/**
 * Returns the first tick of `mode` after `nowMs` (never at it), in milliseconds since 1970: hourly at :00, daily at
 * 08:00, weekly on Monday at 09:00, monthly on the first day at 10:00 of the clocks of `zone`, unless `settings` differ.
 * A tick in a DST gap moves to the gap's end; a repeated one fires only the first time. Settings that cannot be parsed
 * count as absent. Throws RangeError for an unknown zone.
 */
export function nextFlushAt(digest: {
  mode: DigestMode;
  settings?: DigestSettings | undefined;
  zone: string;
  nowMs: number;
}): number {
  const { mode, settings = {}, zone, nowMs } = digest;
  const tick = TICKS[mode](wallClockAt(nowMs, zone), settings);
  for (let index = 0; ; index++) {
    const flushAtMs = instantOf(tick(index), zone);
    if (flushAtMs > nowMs) return flushAtMs;
  }
}

/**
 * Ticks in wall-clock time, in order, from the last tick before or the first tick after the given wall clock. A tick that the
 * clock has passed has fired, even if the clock was set back since.
 */
type Ticks = (wallClockMs: number, settings: DigestSettings) => (index: number) => number;

const TICKS: Record<DigestMode, Ticks> = {
  hourly: (wallClockMs) => {
    const hourMs = Math.floor(wallClockMs / HOUR_MS) * HOUR_MS;
    return (index) => hourMs + index * HOUR_MS;
  },
  daily: (wallClockMs, { hour }) => {
    const startMs = startOfDay(wallClockMs) + minutesOf(hour, DEFAULT_MINUTES.daily) * MINUTE_MS;
    return (index) => startMs + index * DAY_MS;
  },
  weekly: (wallClockMs, { hour, day }) => {
    const todayMs = startOfDay(wallClockMs);
    const daysAhead = (parseDay(day) ?? MONDAY) - new Date(todayMs).getUTCDay();
    const startMs = todayMs + daysAhead * DAY_MS + minutesOf(hour, DEFAULT_MINUTES.weekly) * MINUTE_MS;
    return (index) => startMs + index * 7 * DAY_MS;
  },
  monthly: (wallClockMs, { hour, date }) => {
    const today = new Date(wallClockMs);
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
    const minutesMs = minutesOf(hour, DEFAULT_MINUTES.monthly) * MINUTE_MS;
    if (date === 'last') return (index) => Date.UTC(year, month + index + 1, 0) + minutesMs;
    return (index) => Date.UTC(year, month + index, 1) + minutesMs;
  },
};

function startOfDay(wallClockMs: number): number {
  return Math.floor(wallClockMs / DAY_MS) * DAY_MS;
}

function minutesOf(hour: string | number | undefined, fallback: number): number {
  return parseHour(hour) ?? fallback;
}
