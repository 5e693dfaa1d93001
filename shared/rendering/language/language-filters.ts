import { type FilterImplOptions, toValue } from 'liquidjs';
import { defined } from '../../runtime/values/defined.ts';
import { RenderProblem } from '../liquid/limits.ts';
import { type RenderState, stateOf } from '../liquid/scope.ts';
import { textOf } from '../values/value-text.ts';
import { dateFormat, numberFormat } from './intl-formatters.ts';
import { readTime, type TemplateTime } from './template-time.ts';
import { translate } from './translate.ts';

type Handler = Extract<FilterImplOptions, (...arguments_: never[]) => unknown>;

const DIGITS_MAX = 20;
const STYLES = ['full', 'long', 'medium', 'short'] as const;
type Style = (typeof STYLES)[number];

/** `{{ n | number }}`, `{{ n | number: 2 }}`, `{{ n | number: 'percent' }}` or `'compact'`. */
const number: Handler = function (value, form) {
  const amount = readNumber(value);
  if (amount === undefined) return textOf(value, stateOf(this.context).budget);
  return numberFormat(stateOf(this.context).language.locale, numberOptions(form)).format(amount);
};

/** `{{ price | money: 'EUR' }}` */
const money: Handler = function (value, currency) {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency)) {
    throw new RenderProblem('the filter "money" needs a currency of three letters, such as \'EUR\'');
  }
  const amount = readNumber(value);
  if (amount === undefined) return textOf(value, stateOf(this.context).budget);
  const options = { style: 'currency', currency: currency.toUpperCase() } as const;
  return numberFormat(stateOf(this.context).language.locale, options).format(amount);
};

/** `{{ at | datetime: 'long' }}`, `{{ at | datetime: date: 'short' }}`, `{{ at | datetime: time: 'short' }}` */
const datetime: Handler = function (value, ...options) {
  const state = stateOf(this.context);
  const time = readTime(toValue(value), state.atMs);
  if (!time) return textOf(value, state.budget);
  return formatTime(time, { ...readStyles(options) }, state);
};

/** `{{ 'cart.items' | t: count: n }}` */
const t: Handler = function (key, ...options) {
  const state = stateOf(this.context);
  return translate(textOf(key, state.budget), namedIn(options), state);
};

export const LANGUAGE_FILTERS: Readonly<Record<string, Handler>> = { number, money, datetime, t };

function readNumber(value: unknown): number | undefined {
  const plain: unknown = toValue(value);
  if (typeof plain === 'number') return Number.isFinite(plain) ? plain : undefined;
  if (typeof plain !== 'string' || plain.trim() === '') return undefined;
  const read = Number(plain);
  return Number.isFinite(read) ? read : undefined;
}

function numberOptions(form: unknown): Intl.NumberFormatOptions {
  if (form === undefined) return {};
  if (form === 'percent') return { style: 'percent', maximumFractionDigits: 2 };
  if (form === 'compact') return { notation: 'compact' };
  const digits = readNumber(form);
  if (digits !== undefined && Number.isInteger(digits) && digits >= 0 && digits <= DIGITS_MAX) {
    return { minimumFractionDigits: digits, maximumFractionDigits: digits };
  }
  throw new RenderProblem(
    `the filter "number" accepts the number of decimals, 0 to ${DIGITS_MAX}, 'percent' or 'compact'`,
  );
}

type Styles = { date?: Style; time?: Style };

function readStyles(options: readonly unknown[]): Styles {
  const named = namedIn(options);
  const [style] = options.filter((option) => !isNamed(option));
  const styles: Styles = {};
  if ('date' in named) styles.date = styleOf(named.date);
  if ('time' in named) styles.time = styleOf(named.time);
  if (styles.date || styles.time) return styles;
  return { date: style === undefined ? 'medium' : styleOf(style), time: 'short' };
}

function styleOf(value: unknown): Style {
  const style = STYLES.find((each) => each === value);
  if (!style) throw new RenderProblem(`the filter "datetime" accepts a style: ${STYLES.join(', ')}`);
  return style;
}

function formatTime({ atMs, isDate, isWritten }: TemplateTime, styles: Styles, state: RenderState): string {
  const { locale, zone } = state.language;
  const shown = isDate ? { date: styles.date ?? 'medium' } : styles;
  return dateFormat(locale, {
    ...defined({
      dateStyle: shown.date || undefined,
      timeStyle: 'time' in shown && shown.time ? shown.time : undefined,
    }),
    timeZone: isWritten ? 'UTC' : zone,
  }).format(atMs);
}

/** liquidjs gives `name: value` as a pair. */
function isNamed(option: unknown): option is [name: string, value: unknown] {
  return Array.isArray(option) && option.length === 2 && typeof option[0] === 'string';
}

function namedIn(options: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(options.filter(isNamed));
}
