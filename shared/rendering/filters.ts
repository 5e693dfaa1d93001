import { type FilterImplOptions, filters as libraryFilters } from 'liquidjs';
import { LANGUAGE_FILTERS } from './language-filters.ts';
import { checkTime, DATE_FORMAT_CHARACTERS_MAX, RenderProblem, spendMemory } from './limits.ts';
import { stateOf } from './scope.ts';
import { jsonOf, searchCost, textOf, weightOf } from './value-text.ts';

type Handler = Extract<FilterImplOptions, (...arguments_: never[]) => unknown>;

const INDENT_MAX = 4;

/** Filters that are random, or that read their argument as an expression while rendering. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['sample', 'inspect'],
  ...['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp'],
]);

/** Filters that read no more than one entry, so that their cost need not be counted. */
const UNPAID: ReadonlySet<string> = new Set(['default', 'raw', 'size', 'first', 'last']);

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

/** The filters of templates: liquidjs's and those of languages, each paid for from the budget before and after it runs. */
export const FILTERS: Readonly<Record<string, FilterImplOptions>> = Object.fromEntries(
  Object.entries({ ...libraryFilters, json, jsonify: json, ...LANGUAGE_FILTERS })
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, filter]) => [name, boundedFilter(name, filter)]),
);

function boundedFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  if (typeof filter !== 'function' || UNPAID.has(name)) return filter;
  if (name === 'date') return paid(datedBy(filter));
  if (name.startsWith('date_')) return paid(atRender(filter));
  if (SEARCHING.has(name)) return paid(searching(filter));
  if (name === 'slice') return paid(sliced(filter));
  if (name.startsWith('sort')) return paid(sortedBy(filter));
  return paid(LENIENT.has(name) ? lenient(filter) : filter);
}

function paid(handler: Handler): Handler {
  return function (value, ...args) {
    const { budget } = stateOf(this.context);
    checkTime(budget, performance.now());
    for (const each of [value, ...args]) spendMemory(budget, weightOf(each, budget));
    const result: unknown = handler.call(this, value, ...args);
    if (typeof result === 'string') spendMemory(budget, result.length);
    return result;
  };
}

/** `now` and `today` are the time of the render, so that rendering again gives the same text. */
function atRender(handler: Handler): Handler {
  return function (value, ...args) {
    const isNow = value === 'now' || value === 'today';
    return handler.call(this, isNow ? stateOf(this.context).atMs / 1000 : value, ...args);
  };
}

/** A format is limited, because every `%c` in it is expensive. An unknown timezone counts as UTC. */
function datedBy(handler: Handler): Handler {
  return atRender(function (value, format, timezone) {
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
