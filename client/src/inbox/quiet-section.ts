import { serviceNowMs } from '../request.ts';
import type { PreferencesClient } from './api.ts';
import { clockTime } from './clock-time.ts';
import { h } from './dom.ts';

/** Texts of quiet hours and the pause by the attribute that replaces each. */
export const QUIET_TEXTS = {
  quiet: 'Quiet hours',
  'quiet-from': 'From',
  'quiet-to': 'To',
  'quiet-wrong': 'Enter two different times, or none.',
  'quiet-zone': 'Time zone',
  'quiet-days': 'They begin on',
  'quiet-channels': 'Channels',
  pause: 'Pause',
  'pause-none': 'No pause',
  'pause-hour': 'For an hour',
  'pause-day': 'For a day',
  'pause-week': 'For a week',
  paused: 'Until {time}',
};

const HOURS = { none: 0, hour: 1, day: 24, week: 168 };
const HOUR_MS = 3_600_000;
/** A Monday. */
const FIRST_DAY_MS = 345_600_000;

type Change = Parameters<PreferencesClient['users']['save']>[1];
type QuietHours = NonNullable<Change['quietHours']>;
/** The stored user data that the section shows. */
export type QuietUser = { quietHours?: QuietHours; pausedUntil?: string; timezone?: string };

export type QuietContext = {
  text: (name: string, values?: Record<string, string>) => string;
  language: string;
  /** Channels of the user's notification types. */
  channels: readonly string[];
  save: (change: Change) => void;
};

/**
 * Builds the fields of quiet hours and of the pause; `show` changes their values. Quiet hours need both times, or
 * none, and have days and channels while they are set.
 */
export function createQuietSection({ text, language, channels, save }: QuietContext) {
  let stored: QuietHours | undefined;
  // The next change can come before this change is saved.
  const change = (quietHours: QuietHours | undefined) => {
    stored = quietHours;
    // The times are meant in the zone that is shown.
    save({ quietHours: quietHours ?? null, ...(zone.value && { timezone: zone.value }) });
  };
  const timeField = { type: 'time', 'aria-describedby': 'quiet' };
  const from = h('input', timeField);
  const to = h('input', timeField);
  const problem = h('p', { class: 'problem', role: 'alert', id: 'quiet' }, text('quiet-wrong'));
  const zone = h('select', { part: 'select' });
  zone.onchange = () => save({ timezone: zone.value });
  const showProblem = (isWrong: boolean) => {
    problem.hidden = !isWrong;
    from.ariaInvalid = to.ariaInvalid = String(isWrong);
  };
  const saveTimes = () => {
    const [start, end] = [from.value, to.value];
    const isPartial = from.validity.badInput || to.validity.badInput;
    const isWrong = isPartial || (start ? !end || start === end : Boolean(end));
    showProblem(isWrong);
    if (isWrong || (start === clockTime(stored?.from) && end === clockTime(stored?.to))) return;
    change(start ? { ...stored, from: start, to: end } : undefined);
  };
  // A time field reports every digit as a change.
  from.onblur = to.onblur = ({ relatedTarget }) => {
    if (relatedTarget !== from && relatedTarget !== to) saveTimes();
  };
  from.onkeydown = to.onkeydown = ({ key }) => {
    if (key === 'Enter') saveTimes();
  };
  const choices = (field: 'days' | 'channels', values: readonly string[], labels: readonly string[]) =>
    createChoices(text(`quiet-${field}`), values, labels, (chosen) => {
      const { [field]: _, ...rest } = stored as QuietHours;
      change({ ...rest, ...(chosen ? { [field]: chosen } : {}) });
    });
  const days = dayNames('en', 'long');
  const dayChoices = choices('days', days, dayNames(language, 'short'));
  const held = channels.filter((each) => each !== 'INAPP_WEB');
  const channelChoices = choices(
    'channels',
    held,
    held.map((each) => text(each.toLowerCase())),
  );
  const pause = h('select', { part: 'select' });
  pause.onchange = () => {
    const hours = HOURS[pause.value as keyof typeof HOURS];
    if (hours !== undefined)
      save({ pausedUntil: hours ? new Date(serviceNowMs() + hours * HOUR_MS).toISOString() : null });
  };
  const element = h(
    'fieldset',
    { class: 'quiet', part: 'quiet' },
    h('legend', { class: 'title' }, text('quiet')),
    h('label', {}, text('quiet-from'), from),
    h('label', {}, text('quiet-to'), to),
    h('label', {}, text('quiet-zone'), zone),
    h('label', {}, text('pause'), pause),
    problem,
    dayChoices.element,
    channelChoices.element,
  );
  const show = ({ quietHours, pausedUntil, timezone }: QuietUser) => {
    stored = quietHours;
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    // Stored times without a zone are in the service's.
    const zones = new Set([timezone ?? (quietHours ? '' : own), own, ...Intl.supportedValuesOf('timeZone')]);
    zone.replaceChildren(...Array.from(zones, (each) => new Option(each)));
    showProblem(false);
    from.value = clockTime(stored?.from);
    to.value = clockTime(stored?.to);
    dayChoices.show(
      stored,
      stored?.days?.map((day) => dayOf(day, days)),
    );
    channelChoices.show(stored && held.length > 1, stored?.channels);
    const until = new Date(pausedUntil ?? 0);
    pause.replaceChildren(...Object.keys(HOURS).map((name) => new Option(text(`pause-${name}`), name)));
    if (until.getTime() > serviceNowMs())
      pause.prepend(new Option(text('paused', { time: until.toLocaleString(language) }), '', true, true));
  };
  return { element, show };
}

/** A group of checkboxes that always has at least one checked; reports the checked boxes, or undefined for all. */
function createChoices(
  legend: string,
  values: readonly string[],
  labels: readonly string[],
  onChange: (chosen: string[] | undefined) => void,
) {
  const inputs = values.map((value) => h('input', { type: 'checkbox', value }));
  const boxes = inputs.map((input, index) => h('label', { class: 'box' }, input, labels[index] ?? ''));
  const element = h('fieldset', { part: 'choices' }, h('legend', {}, legend), ...boxes);
  for (const input of inputs)
    input.onchange = () => {
      const chosen = inputs.filter(({ checked }) => checked).map(({ value }) => value);
      if (chosen.length === 0) input.checked = true;
      else onChange(chosen.length < inputs.length ? chosen : undefined);
    };
  const show = (isShown: unknown, chosen?: readonly unknown[]) => {
    element.hidden = !isShown;
    for (const input of inputs) input.checked = chosen?.includes(input.value) ?? true;
  };
  return { element, show };
}

/** Weekdays from Monday. */
function dayNames(language: string, weekday: 'long' | 'short'): string[] {
  const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, index) => format.format(FIRST_DAY_MS + index * 24 * HOUR_MS));
}

/** A stored day (`mon`, `Monday`, `1`; 0 is Sunday) as its English name. */
function dayOf(day: string, names: readonly string[]): string | undefined {
  const text = day.trim().toLowerCase();
  return names.find((name, index) => name.toLowerCase().startsWith(text) || text === String((index + 1) % 7));
}
