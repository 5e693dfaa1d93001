import type { Account } from '../../shared/database/entities/accounts.ts';
import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import type { Profile, ProfileChange } from '../../shared/domain/profile.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { HOUR_MS } from '../../shared/runtime/durations.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import { parseDay, parseHour } from '../../shared/schemas/delivery-time.ts';
import type { QuietHours } from '../../shared/schemas/quiet-hours.ts';

type HeldChannel = NonNullable<QuietHours['channels']>[number];

const HELD_CHANNELS = CHANNELS.filter((channel): channel is HeldChannel => channel !== 'INAPP_WEB');
/** English weekdays by their number; 0 is Sunday. */
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The user whose quiet hours and pause are shown, the account and its types, and the time. */
export type QuietFacts = {
  user: Partial<Profile> | undefined;
  account: Pick<Account, 'quietHours' | 'timezone'> | undefined;
  types: readonly Pick<StoredType, 'enabled' | 'channels'>[];
  nowMs: number;
};

/** Quiet hours as the fields show them: times such as `22:00` or empty, weekdays by English name. */
export type QuietChoices = {
  from: string;
  to: string;
  days: readonly string[];
  channels: readonly HeldChannel[];
};

/** Values of a submitted form by the field's name. */
export type SubmittedFields = ReadonlyMap<string, readonly string[]>;

/** The error in submitted quiet hours: invalid times, or no day or channel chosen. */
export type QuietProblem = 'times' | 'unchosen';

/** The user's quiet hours, or else the account's. */
const storedHours = ({ user, account }: QuietFacts) => user?.quietHours ?? account?.quietHours;

/** The channels to choose from: those of the enabled types, and those that the stored quiet hours name. */
export function quietChannels(facts: QuietFacts): HeldChannel[] {
  const used = new Set(facts.types.flatMap(({ enabled, channels }) => (enabled ? channels : [])));
  const named = storedHours(facts)?.channels ?? [];
  return HELD_CHANNELS.filter((channel) => used.has(channel) || named.includes(channel));
}

/** The stored choices. Quiet hours without days or channels apply to all of them. */
export function shownQuiet(facts: QuietFacts): QuietChoices {
  const { from, to, days, channels } = storedHours(facts) ?? {};
  return {
    from: clockTime(from),
    to: clockTime(to),
    days: WEEKDAYS.filter((_, index) => !days || days.some((day) => parseDay(day) === index)),
    channels: quietChannels(facts).filter((channel) => channels?.includes(channel) ?? true),
  };
}

/** The changes of a submitted form, or what is wrong with its quiet hours, which are then shown as submitted. */
export type QuietChange = { change: ProfileChange } & (
  | { problem?: undefined; submitted?: undefined }
  | { problem: QuietProblem; submitted: QuietChoices }
);

/** A form without these fields, such as that of an older page, changes nothing. */
export function submittedQuiet(given: SubmittedFields, facts: QuietFacts): QuietChange {
  const change = submittedPause(given, facts.nowMs);
  const shown = shownQuiet(facts);
  const submitted = submittedHours(given, shown);
  const { from, to, days, channels } = submitted;
  const [isSameDays, isSameChannels] = [isSame(days, shown.days), isSame(channels, shown.channels)];
  if (from === shown.from && to === shown.to && isSameDays && isSameChannels) return { change };
  if (from === '' && to === '') {
    return { change: shown.from === '' ? change : { ...change, quietHours: null } };
  }
  const problem = problemOf(submitted, shown);
  if (problem) return { change, problem, submitted };
  const stored = storedHours(facts);
  const kept = defined({
    days: isSameDays ? stored?.days : part(days, WEEKDAYS),
    channels: isSameChannels ? stored?.channels : part(channels, quietChannels(facts)),
    mode: stored?.mode,
  });
  return { change: { ...change, quietHours: { from, to, ...kept } } };
}

const PAUSES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const;

function submittedPause(given: SubmittedFields, nowMs: number): ProfileChange {
  const pause = given.get('pause')?.[0];
  if (pause === 'none') return { pausedUntilMs: null };
  const pauseMs = Object.entries(PAUSES).find(([name]) => name === pause)?.[1];
  return pauseMs === undefined ? {} : { pausedUntilMs: nowMs + pauseMs };
}

/** A group of checkboxes sends a hidden field too, so that none checked differs from an older page without them. */
function submittedHours(given: SubmittedFields, shown: QuietChoices): QuietChoices {
  const [days, channels] = [given.get('quiet-days'), given.get('quiet-channels')];
  return {
    from: given.get('quiet-from')?.[0] ?? shown.from,
    to: given.get('quiet-to')?.[0] ?? shown.to,
    days: days ? WEEKDAYS.filter((day) => days.includes(day)) : shown.days,
    channels: channels ? HELD_CHANNELS.filter((channel) => channels.includes(channel)) : shown.channels,
  };
}

const isSame = (one: readonly string[], other: readonly string[]) => one.join() === other.join();

/** The chosen ones; undefined if all are. */
function part<T>(chosen: readonly T[], all: readonly T[]): T[] | undefined {
  return chosen.length < all.length ? [...chosen] : undefined;
}

function problemOf(
  { from, to, days, channels }: QuietChoices,
  shown: QuietChoices,
): QuietProblem | undefined {
  if (!isClockTime(from) || !isClockTime(to) || from === to) return 'times';
  const isUnchosen = days.length === 0 || (channels.length === 0 && shown.channels.length > 0);
  return isUnchosen ? 'unchosen' : undefined;
}

function isClockTime(text: string): boolean {
  return text !== '' && clockTime(text) === text;
}

/** A time of day in a browser's format, such as `22:00`; empty if there is none. */
function clockTime(text: string | undefined): string {
  const minutes = parseHour(text);
  if (minutes === undefined) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
