import { IntlMessageFormat } from 'intl-messageformat';
import { toValue } from 'liquidjs';
import { createCache } from '../../runtime/async/cache.ts';
import { RenderProblem, spendMemory } from '../liquid/limits.ts';
import type { RenderState } from '../liquid/scope.ts';
import { textOf } from '../values/value-text.ts';
import { dateFormat, numberFormat, pluralRules } from './intl-formatters.ts';
import type { Language } from './language.ts';
import { readTime } from './template-time.ts';

/** One part of a parsed message. */
type MessageFormatElement = ReturnType<IntlMessageFormat['getAst']>[number];

/**
 * The message of a key in the reader's language with its arguments: of the first language that has it. A key that no
 * language has is shown, with a note. Throws RenderProblem for a message that cannot be formatted.
 */
export function translate(
  key: string,
  parameters: Readonly<Record<string, unknown>>,
  state: RenderState,
): string {
  const { language, budget } = state;
  const catalogs = language.catalogs ?? [];
  const catalog = catalogs.find(({ messages }) => Object.hasOwn(messages, key));
  if (!catalog || catalog.isFallback) {
    language.onMissing?.(catalog ? { key, found: catalog.locale } : { key });
  }
  const message = catalog?.messages[key];
  if (!catalog || message === undefined) {
    state.notes.add(`no language has a translation for "${key.slice(0, NOTED_CHARACTERS_MAX)}"`);
    return key;
  }
  if (!/[{}']/.test(message)) return message;
  try {
    const parsed = parse(message, catalog.locale, language.zone);
    const { values, units } = readValues(parsed.getAst(), parameters, state);
    spendMemory(budget, units);
    return String(parsed.format(values));
  } catch (error) {
    if (error instanceof RenderProblem) throw error;
    throw new RenderProblem(`a translation into ${catalog.locale} cannot be formatted`);
  }
}

const NOTED_CHARACTERS_MAX = 100;
const PARSED_MAX = 500;
const PARSED_CHARACTERS_MAX = 10_000;
const parsedMessages = createCache<IntlMessageFormat>({ max: PARSED_MAX });

/** Messages are parsed once; their formatters are shared, and show times in the reader's timezone. */
function parse(message: string, locale: string, zone: string): IntlMessageFormat {
  const name = `${locale} ${zone} ${message}`;
  const known = parsedMessages.find(name);
  if (known) return known;
  const parsed = new IntlMessageFormat(message, locale, undefined, {
    ignoreTag: true,
    formatters: formattersOf(zone),
  });
  if (message.length <= PARSED_CHARACTERS_MAX) parsedMessages.keep(name, parsed);
  return parsed;
}

type Locales = string | string[] | undefined;

function formattersOf(zone: Language['zone']) {
  const first = (locales: Locales) => (Array.isArray(locales) ? locales[0] : locales) ?? 'en';
  return {
    getNumberFormat: (locales?: Locales, options?: Intl.NumberFormatOptions) =>
      numberFormat(first(locales), options),
    getDateTimeFormat: (locales?: Locales, options?: Intl.DateTimeFormatOptions) =>
      dateFormat(first(locales), { timeZone: zone, ...options }),
    getPluralRules: (locales?: Locales, options?: Intl.PluralRulesOptions) =>
      pluralRules(first(locales), options),
  };
}

type Value = string | number | Date;
type Values = { values: Record<string, Value>; units: number };

/**
 * The values that format a message's arguments, and their maximum number of characters. A missing text is empty, a missing number
 * 0; a missing or invalid time stops the message, because any other time would be wrong.
 */
function readValues(
  elements: readonly MessageFormatElement[],
  parameters: Readonly<Record<string, unknown>>,
  state: RenderState,
): Values {
  const read: Values = { values: Object.create(null), units: 0 };
  const visit = (each: MessageFormatElement) => {
    if (!('value' in each) || each.type === LITERAL) return;
    const name = each.value;
    const value = argumentOf(
      each.type,
      Object.hasOwn(parameters, name) ? toValue(parameters[name]) : undefined,
      state,
    );
    // The most specific of its uses decides: a count may also be shown as text.
    if (!(name in read.values) || typeof value !== 'string') read.values[name] = value;
    read.units += typeof value === 'string' ? value.length : NUMBER_UNITS;
    if ('options' in each) for (const option of Object.values(each.options)) option.value.forEach(visit);
  };
  elements.forEach(visit);
  return read;
}

const NUMBER_UNITS = 64;
/** The kinds of elements that icu-messageformat-parser 3 distinguishes. */
const [LITERAL, NUMBER, DATE, TIME, PLURAL] = [0, 2, 3, 4, 6];

function argumentOf(type: number, value: unknown, { budget, atMs }: RenderState): Value {
  if (type === DATE || type === TIME) {
    const time = readTime(value, atMs);
    if (!time) throw new RenderProblem('a translation shows a time, but its argument is not a time');
    return new Date(time.atMs);
  }
  if (type === NUMBER || type === PLURAL) {
    // An object may have fields that keep it from becoming a number.
    const number = typeof value === 'object' ? 0 : Number(value);
    return Number.isFinite(number) ? number : 0;
  }
  return typeof value === 'number' ? value : textOf(value, budget);
}
