import { invalid } from '../rejected.ts';
import { compare, isEqual } from '../values/compare.ts';
import { typeOf, type WireItem, type WireValue } from '../values/wire.ts';
import type { Bindings } from './bindings.ts';
import { checkComparison, checkTest } from './operand-checks.ts';
import {
  CONDITION_FUNCTIONS,
  expectCount,
  notAllowed,
  type Operand,
  operandValueOf,
  readOperand,
  readOperands,
  VALUE_FUNCTIONS,
} from './operands.ts';
import { openScope, type Scope } from './scope.ts';
import { type Tokens, tokensOf } from './tokens.ts';

export type Condition =
  | { kind: 'and'; left: Condition; right: Condition }
  | { kind: 'or'; left: Condition; right: Condition }
  | { kind: 'not'; inner: Condition }
  | { kind: 'compare'; operator: string; operands: readonly Operand[] }
  | { kind: 'test'; name: string; operands: readonly Operand[] };

/** A parsed condition: parsed once per text, for any names and values. */
export type ReadCondition = Scope & { condition: Condition };

const IN_MAX = 100;
const COMPARATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const VALUES = VALUE_FUNCTIONS.condition;

export function readCondition(kind: string, text: string): ReadCondition {
  const tokens = tokensOf(kind, text);
  const scope = openScope(kind);
  const condition = either(tokens, scope);
  if (tokens.peek() !== undefined) throw tokens.unexpected();
  return { ...scope, condition };
}

function either(tokens: Tokens, scope: Scope): Condition {
  let left = both(tokens, scope);
  while (tokens.skipWord('OR')) {
    scope.count(tokens);
    left = { kind: 'or', left, right: both(tokens, scope) };
  }
  return left;
}

function both(tokens: Tokens, scope: Scope): Condition {
  let left = term(tokens, scope);
  while (tokens.skipWord('AND')) {
    scope.count(tokens);
    left = { kind: 'and', left, right: term(tokens, scope) };
  }
  return left;
}

function term(tokens: Tokens, scope: Scope): Condition {
  if (tokens.skipWord('NOT')) {
    scope.count(tokens);
    return { kind: 'not', inner: term(tokens, scope) };
  }
  if (tokens.peek() === '(') return inParentheses(tokens, scope);
  const name = tokens.peek() ?? '';
  if (CONDITION_FUNCTIONS.has(name)) return test(tokens, scope, name);
  return comparison(tokens, scope);
}

/** Conditions that have parentheses of their own. */
const grouped = new WeakSet<Condition>();

function inParentheses(tokens: Tokens, scope: Scope): Condition {
  tokens.expect('(');
  const inner = either(tokens, scope);
  tokens.expect(')');
  if (grouped.has(inner)) throw tokens.refused('The expression has redundant parentheses;');
  grouped.add(inner);
  return inner;
}

function test(tokens: Tokens, scope: Scope, name: string): Condition {
  tokens.take();
  scope.count(tokens);
  const operands = readOperands(tokens, scope, VALUES);
  expectCount(tokens, name, operands, CONDITION_FUNCTIONS.get(name) ?? 0);
  checkTest(tokens, scope, name, operands);
  return { kind: 'test', name, operands };
}

function comparison(tokens: Tokens, scope: Scope): Condition {
  const left = readOperand(tokens, scope, VALUES);
  const compared = (operator: string, others: readonly Operand[]): Condition => {
    scope.count(tokens);
    const operands = [left, ...others];
    checkComparison(tokens, scope, operator, operands);
    return { kind: 'compare', operator, operands };
  };
  if (tokens.skipWord('BETWEEN')) {
    const low = readOperand(tokens, scope, VALUES);
    if (!tokens.skipWord('AND')) throw tokens.unexpected();
    return compared('BETWEEN', [low, readOperand(tokens, scope, VALUES)]);
  }
  if (tokens.skipWord('IN')) {
    const members = readOperands(tokens, scope, VALUES);
    if (members.length > IN_MAX)
      throw tokens.refused(
        `Incorrect number of operands for operator or function; operator or function: IN, number of operands: ${members.length + 1}`,
      );
    return compared('IN', members);
  }
  const operator = tokens.peek() ?? '';
  const isAlone = !COMPARATORS.has(operator);
  if (isAlone && left.kind === 'function') throw notAllowed(tokens, left.name);
  if (isAlone) throw tokens.unexpected();
  tokens.take();
  return compared(operator, [readOperand(tokens, scope, VALUES)]);
}

/** Returns true if an item meets a condition. */
export function isMet(condition: Condition, item: WireItem, bindings: Bindings): boolean {
  switch (condition.kind) {
    case 'and':
      return isMet(condition.left, item, bindings) && isMet(condition.right, item, bindings);
    case 'or':
      return isMet(condition.left, item, bindings) || isMet(condition.right, item, bindings);
    case 'not':
      return !isMet(condition.inner, item, bindings);
    default: {
      const [value, ...others] = condition.operands.map((each) => operandValueOf(each, item, bindings));
      return condition.kind === 'test'
        ? (TESTS[condition.name]?.(value, others[0]) ?? false)
        : isSo(condition.operator, value, others);
    }
  }
}

type Value = WireValue | undefined;

function isSo(operator: string, value: Value, others: readonly Value[]): boolean {
  if (operator === '=') return isEqual(value, others[0]);
  if (operator === '<>') return !isEqual(value, others[0]);
  if (operator === 'IN') return others.some((each) => isEqual(value, each));
  if (operator !== 'BETWEEN') return ORDERS[operator]?.(compare(value, others[0])) ?? false;
  const [low, high] = others;
  if (compare(low, high) > 0)
    throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  return compare(value, low) >= 0 && compare(value, high) <= 0;
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const TESTS: Readonly<Record<string, (value: Value, argument: Value) => boolean>> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === type?.S,
  begins_with(value, start) {
    if (value?.S !== undefined) return start?.S !== undefined && value.S.startsWith(start.S);
    if (value?.B === undefined || start?.B === undefined) return false;
    const prefix = Buffer.from(start.B, 'base64');
    return Buffer.from(value.B, 'base64').subarray(0, prefix.length).equals(prefix);
  },
  contains(value, part) {
    if (!value || !part) return false;
    if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
    if (value.B !== undefined)
      return part.B !== undefined && Buffer.from(value.B, 'base64').includes(Buffer.from(part.B, 'base64'));
    if (value.SS) return part.S !== undefined && value.SS.includes(part.S);
    if (value.NS) return part.N !== undefined && value.NS.includes(part.N);
    if (value.BS) return part.B !== undefined && value.BS.includes(part.B);
    return value.L?.some((each) => isEqual(each, part)) ?? false;
  },
};
