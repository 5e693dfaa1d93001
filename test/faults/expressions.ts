import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../shared/database/table.ts';

/** Names and values of an expression. */
export type Bindings = { names?: Record<string, string>; values?: Record<string, unknown> };

type Reading<T> = (item: Item, bindings: Bindings) => T;
type Change = (after: Item, item: Item, bindings: Bindings) => void;

const TOKEN = /\(|\)|,|<=|>=|<>|=|<|>|\+|-|[#:\w.]+/g;
const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};
const conditions = new Map<string, Reading<boolean>>();
const updates = new Map<string, Change[]>();

/** Whether a condition of DynamoDB's expression language is met by an item; an unknown part throws. */
export function isMet(condition: string, item: Item | undefined, bindings: Bindings): boolean {
  const met = conditions.get(condition) ?? keep(conditions, condition, readCondition(condition));
  return met(item ?? {}, bindings);
}

/** The item after an update expression: SET with sums and if_not_exists, REMOVE, ADD of numbers. */
export function updated(expression: string, item: Item, bindings: Bindings): Item {
  const changes = updates.get(expression) ?? keep(updates, expression, readUpdate(expression));
  const after = { ...item };
  for (const change of changes) change(after, item, bindings);
  return after;
}

function keep<T>(kept: Map<string, T>, text: string, read: T): T {
  kept.set(text, read);
  return read;
}

function compare(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined) return Number.NaN;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return isDeepStrictEqual(left, right) ? 0 : Number.NaN;
}

function readCondition(text: string): Reading<boolean> {
  const reader = readerOf(text);
  const condition = reader.or();
  if (reader.next() !== undefined) throw new Error(`the condition is not understood: ${text}`);
  return condition;
}

function readUpdate(text: string): Change[] {
  const reader = readerOf(text);
  const changes: Change[] = [];
  for (let clause = reader.take(); clause !== undefined; clause = reader.take()) {
    do changes.push(changeOf(clause, reader));
    while (reader.skip(','));
  }
  return changes;
}

function changeOf(clause: string, reader: ReturnType<typeof readerOf>): Change {
  const path = reader.path();
  if (clause === 'REMOVE') return (after, _, bindings) => write(after, path(bindings), undefined);
  if (clause !== 'ADD') reader.expect('=');
  const value = clause === 'ADD' ? reader.operand() : reader.sum();
  return (after, item, bindings) => {
    const at = path(bindings);
    const given = value(item, bindings);
    write(after, at, clause === 'ADD' ? Number(read(item, at) ?? 0) + Number(given) : given);
  };
}

/** Names of an attribute and of what is in it. */
type Path = readonly string[];

function read(item: Item, path: Path): unknown {
  let found: unknown = item;
  for (const name of path) found = (found as Item | undefined)?.[name];
  return found;
}

/** Maps on the way are copied: what was stored before keeps its own. */
function write(after: Item, [name = '', ...rest]: Path, value: unknown): void {
  if (rest.length > 0) {
    const inner = { ...(after[name] as Item) };
    after[name] = inner;
    write(inner, rest, value);
  } else if (value === undefined) delete after[name];
  else after[name] = value;
}

function readerOf(text: string) {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const next = () => tokens[at];
  const take = () => tokens[at++];
  const skip = (token: string) => next() === token && take() !== undefined;
  const expect = (token: string) => {
    if (!skip(token)) throw new Error(`expected ${token} in: ${text}`);
  };
  const path = (): ((bindings: Bindings) => Path) => {
    const parts = (take() ?? '').split('.');
    if (!parts.some((part) => part.startsWith('#'))) return () => parts;
    return ({ names }) => parts.map((part) => names?.[part] ?? part);
  };
  function operand(): Reading<unknown> {
    const token = next() ?? '';
    if (token.startsWith(':')) {
      take();
      return (_, { values }) => values?.[token];
    }
    if (token === 'if_not_exists') {
      take();
      expect('(');
      const stored = path();
      expect(',');
      const fallback = operand();
      expect(')');
      return (item, bindings) => read(item, stored(bindings)) ?? fallback(item, bindings);
    }
    const at = path();
    return (item, bindings) => read(item, at(bindings));
  }
  function sum(): Reading<unknown> {
    const left = operand();
    const sign = skip('+') ? 1 : skip('-') ? -1 : 0;
    if (sign === 0) return left;
    const right = operand();
    return (item, bindings) => Number(left(item, bindings)) + sign * Number(right(item, bindings));
  }
  function call(test: (value: unknown, argument: unknown) => boolean): Reading<boolean> {
    take();
    expect('(');
    const at = path();
    const argument = skip(',') ? operand() : () => undefined;
    expect(')');
    return (item, bindings) => test(read(item, at(bindings)), argument(item, bindings));
  }
  function term(): Reading<boolean> {
    if (skip('NOT')) {
      const refused = term();
      return (item, bindings) => !refused(item, bindings);
    }
    if (skip('(')) {
      const met = or();
      expect(')');
      return met;
    }
    if (next() === 'attribute_exists') return call((value) => value !== undefined);
    if (next() === 'attribute_not_exists') return call((value) => value === undefined);
    if (next() === 'begins_with')
      return call((value, start) => String(value ?? '').startsWith(String(start)));
    const left = operand();
    if (skip('BETWEEN')) {
      const low = operand();
      expect('AND');
      const high = operand();
      return (item, bindings) =>
        compare(left(item, bindings), low(item, bindings)) >= 0 &&
        compare(left(item, bindings), high(item, bindings)) <= 0;
    }
    const isSo = OPERATORS[take() ?? ''];
    if (!isSo) throw new Error(`no operator in: ${text}`);
    const right = operand();
    return (item, bindings) => isSo(compare(left(item, bindings), right(item, bindings)));
  }
  function and(): Reading<boolean> {
    let met = term();
    while (skip('AND')) {
      const [left, right] = [met, term()];
      met = (item, bindings) => left(item, bindings) && right(item, bindings);
    }
    return met;
  }
  function or(): Reading<boolean> {
    let met = and();
    while (skip('OR')) {
      const [left, right] = [met, and()];
      met = (item, bindings) => left(item, bindings) || right(item, bindings);
    }
    return met;
  }
  return { next, take, skip, expect, path, operand, sum, or };
}
