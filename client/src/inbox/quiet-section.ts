import type { PreferencesClient } from './api.ts';
import { clockTime } from './clock-time.ts';
import { h } from './dom.ts';

/** Texts of quiet hours and the pause by the attribute that replaces each. */
export const QUIET_TEXTS = {
  quiet: 'Quiet hours',
  'quiet-from': 'From',
  'quiet-to': 'To',
  pause: 'Pause',
  'pause-none': 'No pause',
  'pause-hour': 'For an hour',
  'pause-day': 'For a day',
  'pause-week': 'For a week',
  paused: 'Until {time}',
};

const HOURS = { none: 0, hour: 1, day: 24, week: 168 };

type Change = Parameters<PreferencesClient['users']['save']>[1];
/** The stored user data that the section shows. */
export type QuietUser = { quietHours?: NonNullable<Change['quietHours']>; pausedUntil?: string };

/**
 * Builds the fields of quiet hours and of the pause, with the stored values. Quiet hours need both times, or
 * none.
 */
export function createQuietSection(
  text: (name: keyof typeof QUIET_TEXTS, values?: Record<string, string>) => string,
  { quietHours, pausedUntil }: QuietUser,
  save: (change: Change) => void,
): HTMLElement {
  const [from, to] = [quietHours?.from, quietHours?.to].map((value) => {
    const field = h('input', { type: 'time' });
    field.value = clockTime(value);
    field.addEventListener('change', () => {
      if (!from || !to || !from.value !== !to.value || (from.value && from.value === to.value)) return;
      save({ quietHours: from.value ? { ...quietHours, from: from.value, to: to.value } : null });
    });
    return field;
  });
  const pause = h('select', { part: 'select' });
  const until = new Date(pausedUntil ?? 0);
  if (until.getTime() > Date.now())
    pause.append(h('option', { value: '' }, text('paused', { time: until.toLocaleString() })));
  for (const name of Object.keys(HOURS) as (keyof typeof HOURS)[])
    pause.append(h('option', { value: name }, text(`pause-${name}`)));
  pause.addEventListener('change', () => {
    const hours = HOURS[pause.value as keyof typeof HOURS];
    if (hours === undefined) return;
    save({ pausedUntil: hours ? new Date(Date.now() + hours * 3_600_000).toISOString() : null });
  });
  const labels = [
    ['quiet-from', from],
    ['quiet-to', to],
    ['pause', pause],
  ] as const;
  return h(
    'div',
    { class: 'quiet', role: 'group', 'aria-labelledby': 'quiet' },
    h('div', { class: 'title', id: 'quiet' }, text('quiet')),
    ...labels.map(([name, field]) => h('label', {}, text(name), field ?? '')),
  );
}
