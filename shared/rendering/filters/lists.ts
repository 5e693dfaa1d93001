import { isTruthy, toValue } from 'liquidjs';
import { spendMemory } from '../liquid/limits.ts';
import { stateOf } from '../liquid/scope.ts';
import { OPERATORS } from '../syntax/operators.ts';
import { sizeOfList } from '../values/counted-list.ts';
import { charactersIn, plainOf } from '../values/typed-values.ts';
import { jsonOf, searchCost, textOf } from '../values/value-text.ts';
import type { FilterCall, Handler } from './handler.ts';
import { sumOf } from './numbers.ts';

type Steps<T> = Generator<unknown, T, unknown>;

/** The entries of a value: nested lists are flattened, and an object or text is the only entry. */
function entriesOf(value: unknown): unknown[] {
  const plain: unknown = toValue(value);
  if (plain === undefined || plain === null) return [];
  return Array.isArray(plain) ? plain.flat(Number.POSITIVE_INFINITY) : [plain];
}

/**
 * A property of an entry: a path in an object; the name itself in a text that contains it; in a list of integers, an
 * integer that equals it.
 */
function* propertyOf(call: FilterCall, entry: unknown, property: unknown): Steps<unknown> {
  const plain = plainOf(entry);
  if (typeof plain === 'object' && plain !== null) {
    const path = textOf(property, stateOf(call.context).budget);
    if (Object.hasOwn(plain, path)) return call.context.readProperty(plain, path);
    return yield call.context._getFromScope(plain, path, false);
  }
  if (typeof plain === 'string') {
    const { budget } = stateOf(call.context);
    spendMemory(budget, searchCost(plain, property, budget));
    return typeof property === 'string' && plain.includes(property) ? property : undefined;
  }
  return typeof plain === 'number' && plain === property ? plain : undefined;
}

/** Whether an entry has the property, with the expected value if there is one. */
function* isMatch(
  call: FilterCall,
  entry: unknown,
  [property, expected]: readonly unknown[],
): Steps<boolean> {
  const value = yield* propertyOf(call, entry, property);
  if (isMissing(expected)) return isTruthy(value, call.context);
  return (yield OPERATORS['==']?.(value, expected, call.context)) === true;
}

function isMissing(value: unknown): boolean {
  return (toValue(value) ?? undefined) === undefined;
}

function selecting(isKept: boolean): Handler {
  return function* (value, ...args): Steps<unknown[]> {
    const kept: unknown[] = [];
    if (isMissing(args[0])) return kept;
    for (const entry of entriesOf(value)) {
      if ((yield* isMatch(this, entry, args)) === isKept) kept.push(entry);
    }
    return kept;
  };
}

/** Finds the first entry that matches. As in Liquid, nothing is found after an entry that is null. */
function finding(result: (entry: unknown, index: number) => unknown, otherwise?: unknown): Handler {
  return function* (value, ...args): Steps<unknown> {
    for (const [index, entry] of entriesOf(value).entries()) {
      if (isMissing(entry)) return undefined;
      if (yield* isMatch(this, entry, args)) return result(entry, index);
    }
    return otherwise;
  };
}

function* valuesIn(call: FilterCall, entries: readonly unknown[], property: unknown): Steps<unknown[]> {
  if (isMissing(property)) return [...entries];
  const values: unknown[] = [];
  for (const entry of entries) values.push(yield* propertyOf(call, entry, property));
  return values;
}

const uniq: Handler = function* (value, property): Steps<unknown[]> {
  const { budget } = stateOf(this.context);
  const entries = entriesOf(value);
  const values = yield* valuesIn(this, entries, property);
  const seen = new Set<unknown>();
  return entries.filter((_, index) => {
    const each = plainOf(values[index]) ?? null;
    const key = typeof each === 'object' ? jsonOf(each, budget) : `${typeof each} ${each}`;
    return !seen.has(key) && seen.add(key);
  });
};

const compact: Handler = function* (value, property): Steps<unknown[]> {
  const entries = entriesOf(value);
  const values = yield* valuesIn(this, entries, property);
  return entries.filter((_, index) => !isMissing(values[index]));
};

const join: Handler = function (value, ...args) {
  const { budget } = stateOf(this.context);
  const separator = args.length === 0 ? ' ' : textOf(args[0], budget);
  const texts = entriesOf(value).map((entry) => textOf(entry, budget));
  spendMemory(budget, texts.length * separator.length);
  return texts.join(separator);
};

const first: Handler = (value) => {
  const plain: unknown = toValue(value);
  if (Array.isArray(plain)) return plain[0];
  if (typeof plain === 'string') return plain === '' ? '' : String.fromCodePoint(plain.codePointAt(0) ?? 0);
  return typeof plain === 'object' && plain !== null ? Object.entries(plain)[0] : '';
};

const last: Handler = (value) => {
  const plain: unknown = toValue(value);
  if (Array.isArray(plain)) return plain.at(-1);
  return typeof plain === 'string' ? (/.$/su.exec(plain.slice(-2))?.[0] ?? '') : '';
};

const size: Handler = (value) => {
  const plain: unknown = toValue(value);
  if (typeof plain === 'string') return charactersIn(plain);
  if (Array.isArray(plain)) return sizeOfList(plain);
  return typeof plain === 'object' && plain !== null ? Object.keys(plain).length : 0;
};

/** The filters of lists, as Liquid defines them. */
export const LIST_FILTERS: Readonly<Record<string, Handler>> = {
  where: selecting(true),
  reject: selecting(false),
  find: finding((entry) => entry),
  find_index: finding((_, index) => index),
  has: finding(() => true, false),
  *map(value, property): Steps<unknown[]> {
    if (isMissing(property)) return [];
    return yield* valuesIn(this, entriesOf(value), property);
  },
  *sum(value, property): Steps<unknown> {
    return sumOf(yield* valuesIn(this, entriesOf(value), property));
  },
  uniq,
  compact,
  join,
  first,
  last,
  size,
  concat: (value, list) => [...entriesOf(value), ...(Array.isArray(list) ? list : entriesOf(list))],
  reverse: (value) => entriesOf(value).reverse(),
};
