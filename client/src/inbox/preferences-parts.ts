import { h, sharedParts } from './dom.ts';
import { CHANNEL_TEXTS, DELIVERY_TEXTS, type Delivery, type PreferenceRow } from './preferences.ts';
import { QUIET_TEXTS } from './quiet-section.ts';

/** Texts of the preferences by the attribute that replaces each. */
export const PREFERENCE_TEXTS = {
  ...CHANNEL_TEXTS,
  ...DELIVERY_TEXTS,
  required: 'Required: you cannot turn it off.',
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
type Control = {
  cell: PreferenceRow['cells'][number];
  textOf: (option: Delivery) => string;
  /** Called with the choice, and with a function that shows another choice. */
  onChoose: (delivery: Delivery, show: (delivery: Delivery) => void) => void;
};

/** A switch for on and off; a list for more options. */
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
  select.disabled = options.length === 1;
  const show = (next: Delivery) => {
    select.value = next;
  };
  show(delivery);
  select.onchange = () => onChoose(select.value as Delivery, show);
  return select;
}

export type PreferenceParts = ReturnType<typeof buildParts>;

/** Returns the empty grid and its status elements. */
export function buildParts() {
  const grid = h('div', { class: 'grid', part: 'grid' });
  const reset = h('button', { class: 'plain reset', part: 'reset', hidden: '' });
  return { ...sharedParts(), grid, reset };
}
