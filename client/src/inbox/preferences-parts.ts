import { h } from './dom.ts';
import type { Delivery, PreferenceRow } from './preferences.ts';
import { QUIET_TEXTS } from './quiet-section.ts';

/** Texts of the preferences by the attribute that replaces each. */
export const PREFERENCE_TEXTS = {
  title: 'Notification',
  email: 'Email',
  inapp_web: 'In-app',
  sms: 'Text message',
  call: 'Call',
  push: 'Mobile push',
  web_push: 'Browser push',
  chat: 'Chat',
  off: 'Off',
  instant: 'Instant',
  hourly: 'Hourly',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  empty: 'There is nothing to choose yet.',
  error: 'Your preferences could not be loaded.',
  'save-error': 'The change was not saved.',
  retry: 'Try again',
  saved: 'Saved',
  reset: 'Reset to defaults',
  'reset-confirm': 'Reset all choices?',
  'was-reset': 'Your choices are reset',
  loading: 'Loading preferences',
  ...QUIET_TEXTS,
};

type Cell = PreferenceRow['cells'][number];
type Control = {
  cell: Cell;
  textOf: (option: Delivery) => string;
  /** Called with the choice, and with a function that shows another one. */
  onChoose: (delivery: Delivery, show: (delivery: Delivery) => void) => void;
};

/** A switch for on and off, else a list of the options. */
export function createControl({ cell: { options, delivery }, textOf, onChoose }: Control): HTMLElement {
  const isSwitch = options.length === 2 && options.includes('off');
  if (isSwitch) {
    const on = options.find((each) => each !== 'off') ?? 'instant';
    const input = h('input', { type: 'checkbox', role: 'switch', part: 'switch' });
    const show = (next: Delivery) => {
      input.checked = next !== 'off';
    };
    show(delivery);
    input.onchange = () => onChoose(input.checked ? on : 'off', show);
    return input;
  }
  const select = h('select', { part: 'select' });
  for (const option of options) select.append(new Option(textOf(option), option));
  select.value = delivery;
  select.disabled = options.length === 1;
  const show = (next: Delivery) => {
    select.value = next;
  };
  select.addEventListener('change', () => {
    const chosen = options.find((each) => each === select.value);
    if (chosen) onChoose(chosen, show);
  });
  return select;
}

export type PreferenceParts = ReturnType<typeof buildParts>;

/** Returns the empty grid and its status elements. */
export function buildParts() {
  const message = h('span');
  const retry = h('button', { class: 'plain', part: 'retry', type: 'button' });
  const problem = h('div', { class: 'problem', part: 'error', role: 'alert', hidden: '' }, message, retry);
  const grid = h('div', { class: 'grid', part: 'grid' });
  const reset = h('button', { class: 'plain reset', part: 'reset', type: 'button', hidden: '' });
  return { message, retry, problem, grid, reset, status: h('div', { class: 'sr', role: 'status' }) };
}

export function skeletonOf(text: string): HTMLElement[] {
  const bones = [1, 2, 3].map(() => h('div', { class: 'skeleton' }, h('div', { class: 'bone' })));
  return [h('span', { class: 'sr' }, text), ...bones];
}
