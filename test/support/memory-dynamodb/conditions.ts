import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Evaluated, find, listed, operand, pathOf } from './operands.ts';
import { syntaxError, type Tokens, tokensOf } from './tokens.ts';
import { compare, invalid, isEqual, typeOf } from './values.ts';

export function readCondition(text: string): Evaluated<boolean> {
  const tokens = tokensOf(text);
  const read = either(tokens);
  const rest = tokens.peek();
  if (rest !== undefined) throw syntaxError(text, rest);
  return read;
}

function either(tokens: Tokens): Evaluated<boolean> {
  let read = both(tokens);
  while (tokens.skip('OR')) {
    const [left, right] = [read, both(tokens)];
    read = (item, bindings) => left(item, bindings) || right(item, bindings);
  }
  return read;
}

function both(tokens: Tokens): Evaluated<boolean> {
  let read = term(tokens);
  while (tokens.skip('AND')) {
    const [left, right] = [read, term(tokens)];
    read = (item, bindings) => left(item, bindings) && right(item, bindings);
  }
  return read;
}

function term(tokens: Tokens): Evaluated<boolean> {
  if (tokens.skip('NOT')) {
    const inner = term(tokens);
    return (item, bindings) => !inner(item, bindings);
  }
  if (tokens.skip('(')) {
    const inner = either(tokens);
    tokens.expect(')');
    return inner;
  }
  const test = FUNCTIONS[tokens.peek() ?? ''];
  return test ? call(tokens, test) : comparison(tokens);
}

type Test = (value: AttributeValue | undefined, argument: AttributeValue | undefined) => boolean;

const FUNCTIONS: Readonly<Record<string, Test>> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === type?.S,
  begins_with: (value, start) => value?.S?.startsWith(start?.S ?? '') ?? false,
  contains(value, part) {
    if (value?.S !== undefined) return part?.S !== undefined && value.S.includes(part.S);
    const members = value?.L ?? value?.SS?.map((S) => ({ S })) ?? value?.NS?.map((N) => ({ N })) ?? [];
    return members.some((each) => isEqual(each, part));
  },
};

function call(tokens: Tokens, test: Test): Evaluated<boolean> {
  tokens.take();
  tokens.expect('(');
  const path = pathOf(tokens.take());
  const argument = tokens.skip(',') ? operand(tokens) : () => undefined;
  tokens.expect(')');
  return (item, bindings) => test(find(item, path(item, bindings)), argument(item, bindings));
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function comparison(tokens: Tokens): Evaluated<boolean> {
  const left = operand(tokens);
  if (tokens.skip('BETWEEN')) {
    const low = operand(tokens);
    tokens.expect('AND');
    const high = operand(tokens);
    return (item, bindings) => {
      const [value, from, to] = [left(item, bindings), low(item, bindings), high(item, bindings)];
      if (compare(from, to) > 0)
        throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
      return compare(value, from) >= 0 && compare(value, to) <= 0;
    };
  }
  if (tokens.skip('IN')) {
    const members = listed(tokens);
    return (item, bindings) =>
      members.some((member) => isEqual(left(item, bindings), member(item, bindings)));
  }
  const operator = tokens.take();
  const right = operand(tokens);
  if (operator === '=') return (item, bindings) => isEqual(left(item, bindings), right(item, bindings));
  if (operator === '<>') return (item, bindings) => !isEqual(left(item, bindings), right(item, bindings));
  const isSo = ORDERS[operator];
  if (!isSo) throw syntaxError(operator, operator);
  return (item, bindings) => isSo(compare(left(item, bindings), right(item, bindings)));
}
