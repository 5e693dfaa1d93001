import type { Account } from '../../shared/database/entities/accounts/accounts.ts';
import type { StoredType } from '../../shared/database/entities/content/notification-types.ts';
import type { Profile, ProfileChange } from '../../shared/domain/users/profile.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { HOUR_MS } from '../../shared/runtime/values/durations.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import { parseDay, parseEnd } from '../../shared/schemas/delivery/delivery-time.ts';
import type { QuietHours } from '../../shared/schemas/users/quiet-hours.ts';

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

/** The user's quiet hours, by default the first of the account that the user can change. */
const storedHours = ({ user, account }: QuietFacts): QuietHours | undefined =>
  user?.quietHours ?? [account?.quietHours ?? []].flat().find(({ floor }) => !floor);

/** The channels to choose from: the channels of the enabled types, and of the stored quiet hours. */
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

/** What the form leaves as it was shown, and a form without these fields, changes nothing: it may have changed since. */
export function submittedQuiet(given: SubmittedFields, facts: QuietFacts): QuietChange {
  const change = submittedPause(given, facts.nowMs);
  const current = shownQuiet(facts);
  const submitted = submittedHours(given, current);
  const { from, to, days, channels } = submitted;
  const [isSameDays, isSameChannels] = [isSame(days, current.days), isSame(channels, current.channels)];
  if (from === current.from && to === current.to && isSameDays && isSameChannels) return { change };
  if (from === '' && to === '') {
    return { change: current.from === '' ? change : { ...change, quietHours: null } };
  }
  const problem = problemOf(submitted, current);
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

/** The fields of a group, which are one choice: a change of one of them submits the whole group. */
const QUIET_GROUPS = [['from', 'to'], ['days'], ['channels']] as const;
type QuietName = (typeof QUIET_GROUPS)[number][number];

/** The hidden field with what a group showed. */
export const shownName = (name: QuietName) => `quiet-${name}-shown`;

/** The value of that field, in the order of the page. */
export function shownValue(choices: QuietChoices, name: QuietName): string {
  return [choices[name]].flat().join();
}

/** A group of checkboxes sends a hidden field too, so that none checked differs from an older page without them. */
function submittedHours(given: SubmittedFields, current: QuietChoices): QuietChoices {
  const [days, channels] = [given.get('quiet-days'), given.get('quiet-channels')];
  const submitted = {
    from: given.get('quiet-from')?.[0] ?? current.from,
    to: given.get('quiet-to')?.[0] ?? current.to,
    days: days ? WEEKDAYS.filter((day) => days.includes(day)) : current.days,
    channels: channels ? HELD_CHANNELS.filter((channel) => channels.includes(channel)) : current.channels,
  };
  const isAsShown = (name: QuietName) => given.get(shownName(name))?.[0] === shownValue(submitted, name);
  const unchanged = QUIET_GROUPS.filter((names) => names.every(isAsShown)).flat();
  return { ...submitted, ...Object.fromEntries(unchanged.map((name) => [name, current[name]])) };
}

const isSame = (one: readonly string[], other: readonly string[]) => one.join() === other.join();

/** The chosen values; undefined if all are chosen. */
function part<T>(chosen: readonly T[], all: readonly T[]): T[] | undefined {
  return chosen.length < all.length ? [...chosen] : undefined;
}

function problemOf(
  { from, to, days, channels }: QuietChoices,
  current: QuietChoices,
): QuietProblem | undefined {
  const isSameTimes = from === current.from && to === current.to;
  if (!isSameTimes && (!isClockTime(from) || !isClockTime(to) || from === to)) return 'times';
  const isUnchosen = days.length === 0 || (channels.length === 0 && current.channels.length > 0);
  return isUnchosen ? 'unchosen' : undefined;
}

function isClockTime(text: string): boolean {
  return text !== '' && clockTime(text) === text;
}

/** A time of day in a browser's format, such as `22:00`, which has no `24:00`; empty if there is none. */
function clockTime(text: string | undefined): string {
  const minutes = parseEnd(text);
  if (minutes === undefined) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}
