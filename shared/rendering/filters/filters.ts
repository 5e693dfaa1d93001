import { type FilterImplOptions, filters as libraryFilters } from 'liquidjs';
import { LANGUAGE_FILTERS } from '../language/language-filters.ts';
import { readTime } from '../language/template-time.ts';
import { checkTime, DATE_FORMAT_CHARACTERS_MAX, RenderProblem, spendMemory } from '../liquid/limits.ts';
import { stateOf } from '../liquid/scope.ts';
import { HtmlText, plainOf } from '../values/typed-values.ts';
import { jsonOf, searchCost, textOf, weightOf } from '../values/value-text.ts';
import type { Handler } from './handler.ts';
import { LIST_FILTERS } from './lists.ts';
import { NUMBER_FILTERS } from './numbers.ts';
import { TEXT_FILTERS } from './texts.ts';

const INDENT_MAX = 4;

/** Filters that are random, or that read their argument as an expression while rendering. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['sample', 'inspect'],
  ...['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp'],
]);

/** Filters that read no more than one entry, so that their cost need not be counted. */
const UNPAID: ReadonlySet<string> = new Set(['default', 'raw', 'first', 'last']);

/** Filters that search for their first argument in a text. */
const SEARCHING: ReadonlySet<string> = new Set([
  ...['split', 'remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last'],
]);

/** Filters that a malformed value passes through unchanged, rather than stopping the message. */
const LENIENT: ReadonlySet<string> = new Set([
  'url_encode',
  'url_decode',
  'cgi_escape',
  'uri_escape',
  'base64_decode',
]);

const json: Handler = function (value, indent) {
  const width = Math.min(Math.max(Math.trunc(Number(indent)) || 0, 0), INDENT_MAX);
  return jsonOf(value, stateOf(this.context).budget, width);
};

/** Filters that tell HTML from text and decimals from integers. */
const OF_TYPED_VALUES: Readonly<Record<string, Handler>> = {
  ...LIST_FILTERS,
  ...NUMBER_FILTERS,
  ...TEXT_FILTERS,
};

/**
 * The filters of templates: liquidjs's filters, filters that follow Liquid more closely and filters for languages. Each is paid
 * for from the budget before and after it runs.
 */
export const FILTERS: Readonly<Record<string, FilterImplOptions>> = Object.fromEntries(
  Object.entries({ ...libraryFilters, json, jsonify: json, ...LANGUAGE_FILTERS, ...OF_TYPED_VALUES })
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, filter]) => [name, boundedFilter(name, filter)]),
);

function boundedFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  if (typeof filter !== 'function' || UNPAID.has(name)) return filter;
  const bounded = boundsOf(name).reduce((handler, bound) => bound(handler), filter);
  return paid(Object.hasOwn(OF_TYPED_VALUES, name) ? bounded : untyped(bounded));
}

function boundsOf(name: string): ((handler: Handler) => Handler)[] {
  if (name === 'date') return [datedBy];
  if (name.startsWith('date_')) return [atRender];
  if (SEARCHING.has(name)) return [searching];
  if (name === 'slice') return [sliced];
  if (name.startsWith('sort')) return [sortedBy];
  return LENIENT.has(name) ? [lenient] : [];
}

function paid(handler: Handler): Handler {
  return function (value, ...args) {
    const { budget } = stateOf(this.context);
    checkTime(budget, performance.now());
    for (const each of [value, ...args]) spendMemory(budget, weightOf(plainOf(each), budget));
    const result: unknown = handler.call(this, value, ...args);
    if (typeof result === 'string') spendMemory(budget, result.length);
    if (result instanceof HtmlText) spendMemory(budget, result.html.length);
    return result;
  };
}

function untyped(handler: Handler): Handler {
  return function (value, ...args) {
    return handler.call(this, plainOf(value), ...args.map(plainOf));
  };
}

/**
 * `now` and `today` are the time of the render, so that rendering again gives the same text. Numbers are seconds or
 * milliseconds since 1970, as `datetime` reads them.
 */
function atRender(handler: Handler): Handler {
  return function (value, ...args) {
    const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
    const isNow = value === 'now' || value === 'today';
    const time = isNumeric || isNow ? readTime(value, stateOf(this.context).atMs) : undefined;
    return handler.call(this, time ? time.atMs / 1000 : value, ...args);
  };
}

/**
 * A format is limited, because every `%c` in it is expensive; an empty or missing one leaves the value. An unknown
 * timezone counts as UTC.
 */
function datedBy(handler: Handler): Handler {
  const dated = atRender(function (value, format, timezone) {
    if (textOf(format, stateOf(this.context).budget).length > DATE_FORMAT_CHARACTERS_MAX) {
      throw new RenderProblem(`the format of "date" is over ${DATE_FORMAT_CHARACTERS_MAX} characters`);
    }
    try {
      return handler.call(this, value, format, timezone ?? undefined);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return handler.call(this, value, format);
    }
  });
  return function (value, ...args) {
    const isEmpty = args.length > 0 && (args[0] === undefined || args[0] === null || args[0] === '');
    return isEmpty ? value : dated.call(this, value, ...args);
  };
}

function searching(handler: Handler): Handler {
  return function (value, ...args) {
    const { budget } = stateOf(this.context);
    spendMemory(budget, searchCost(value, args[0], budget));
    return handler.call(this, value, ...args);
  };
}

/** Sorting compares every entry about log2(n) times. */
function sortedBy(handler: Handler): Handler {
  return function (value, ...args) {
    const { budget } = stateOf(this.context);
    const entries = Array.isArray(value) ? value.length : 1;
    spendMemory(budget, weightOf(value, budget) * Math.log2(entries + 1));
    return handler.call(this, value, ...args);
  };
}

/** liquidjs charges the requested length, however short the value is. */
function sliced(handler: Handler): Handler {
  return function (value, begin, length = 1) {
    const there = weightOf(value, stateOf(this.context).budget);
    return handler.call(this, value, begin, Math.min(Number(length), there));
  };
}

function lenient(handler: Handler): Handler {
  return function (value, ...args) {
    try {
      return handler.call(this, value, ...args);
    } catch (error) {
      if (error instanceof RenderProblem) throw error;
      return value;
    }
  };
}
