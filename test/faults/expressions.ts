import type { Item } from '../../shared/database/table.ts';

/** Names and values of an expression. */
export type Bindings = { names?: Record<string, string>; values?: Record<string, unknown> };

const TOKEN = /\(|\)|,|<=|>=|<>|=|<|>|\+|-|[#:\w.]+/g;
const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Whether a condition of DynamoDB's expression language is met by an item; an unknown part throws. */
export function isMet(condition: string, item: Item | undefined, bindings: Bindings): boolean {
  const reader = readerOf(condition, item ?? {}, bindings);
  const met = reader.or();
  if (reader.next() !== undefined) throw new Error(`the condition is not understood: ${condition}`);
  return met;
}

/** The item after an update expression: SET with sums and if_not_exists, REMOVE, ADD of numbers. */
export function updated(expression: string, item: Item, bindings: Bindings): Item {
  const after: Item = structuredClone(item);
  const reader = readerOf(expression, item, bindings);
  let clause = reader.take();
  while (clause !== undefined) {
    do {
      const name = reader.name();
      if (clause === 'REMOVE') delete after[name];
      else if (clause === 'ADD') after[name] = Number(item[name] ?? 0) + Number(reader.operand());
      else {
        reader.expect('=');
        after[name] = reader.sum();
      }
    } while (reader.skip(','));
    clause = reader.take();
  }
  return after;
}

function compare(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined) return Number.NaN;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return JSON.stringify(left) === JSON.stringify(right) ? 0 : Number.NaN;
}

function readerOf(text: string, item: Item, { names = {}, values = {} }: Bindings) {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const next = () => tokens[at];
  const take = () => tokens[at++];
  const skip = (token: string) => next() === token && take() !== undefined;
  const expect = (token: string) => {
    if (!skip(token)) throw new Error(`expected ${token} in: ${text}`);
  };
  const name = () => {
    const token = take() ?? '';
    return token.startsWith('#') ? (names[token] ?? token) : token;
  };
  function operand(): unknown {
    const token = next() ?? '';
    if (token.startsWith(':')) return values[take() ?? ''];
    if (token === 'if_not_exists') {
      take();
      expect('(');
      const stored = item[name()];
      expect(',');
      const fallback = operand();
      expect(')');
      return stored ?? fallback;
    }
    return item[name()];
  }
  function sum(): unknown {
    const left = operand();
    if (skip('+')) return Number(left) + Number(operand());
    if (skip('-')) return Number(left) - Number(operand());
    return left;
  }
  function call(test: (value: unknown, argument: unknown) => boolean): boolean {
    take();
    expect('(');
    const value = item[name()];
    const argument = skip(',') ? operand() : undefined;
    expect(')');
    return test(value, argument);
  }
  function term(): boolean {
    if (skip('NOT')) return !term();
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
      return compare(left, low) >= 0 && compare(left, high) <= 0;
    }
    const operator = OPERATORS[take() ?? ''];
    if (!operator) throw new Error(`no operator in: ${text}`);
    return operator(compare(left, operand()));
  }
  function and(): boolean {
    let met = term();
    while (skip('AND')) met = term() && met;
    return met;
  }
  function or(): boolean {
    let met = and();
    while (skip('OR')) met = and() || met;
    return met;
  }
  return { next, take, skip, expect, name, operand, sum, or };
}
