import { type Context, Drop, defaultOperators, isTruthy } from 'liquidjs';
import { type Budget, spendMemory } from '../liquid/limits.ts';
import { stateOf } from '../liquid/scope.ts';
import { plainOf } from '../values/typed-values.ts';
import { searchCost, weightOf } from '../values/value-text.ts';

type Operators = typeof defaultOperators;
type Binary = (left: unknown, right: unknown, context: Context) => ReturnType<Operators[string]>;

/** The cost of shorter texts need not be counted. */
const FREE_CHARACTERS = 64;

/** liquidjs's operators, with comparisons of long texts and of lists charged to the budget. */
export const OPERATORS: Operators = {
  ...defaultOperators,
  ...Object.fromEntries(['==', '!='].map((name) => [name, paid(name, equalityCost)])),
  '<>': paid('!=', equalityCost),
  ...Object.fromEntries(['>', '<', '>=', '<='].map((name) => [name, paid(name, orderCost)])),
  contains: containing(paid('contains', containsCost)),
};

/** As in Liquid, nothing contains false or a missing value. */
function containing(contains: Binary): Binary {
  return (left, right, context) => (isTruthy(right, context) ? contains(left, right, context) : never());
}

function* never(): Generator<unknown, boolean> {
  yield;
  return false;
}

function paid(name: string, cost: (left: unknown, right: unknown, budget: Budget) => number): Binary {
  const operator = binaryOperator(name);
  return (...[first, second, context]) => {
    const [left, right] = [plainOf(first), plainOf(second)];
    if (isLong(left) || isLong(right)) {
      const { budget } = stateOf(context);
      spendMemory(budget, cost(left, right, budget));
    }
    // "blank" knows what equals it, and is not asked when it is on the right of "nil".
    return isNil(left) ? operator(right, left, context) : operator(left, right, context);
  };
}

function isNil(value: unknown): boolean {
  return value instanceof Drop && value.valueOf() === null;
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' ? value.length > FREE_CHARACTERS : Array.isArray(value);
}

function orderCost(left: unknown, right: unknown, budget: Budget): number {
  return weightOf(left, budget) + weightOf(right, budget);
}

function equalityCost(left: unknown, right: unknown, budget: Budget): number {
  const differs = typeof left === 'string' && typeof right === 'string' && left.length !== right.length;
  return differs ? 0 : orderCost(left, right, budget);
}

function containsCost(left: unknown, right: unknown, budget: Budget): number {
  return typeof left === 'string' ? searchCost(left, right, budget) : orderCost(left, right, budget);
}

/**
 * The binary operators of liquidjs have the context as third argument, as `defaultOperators` of 10.30 does
 * throughout.
 */
function binaryOperator(name: string): Binary {
  const operator = defaultOperators[name];
  if (!operator) throw new TypeError(`liquidjs has no operator ${name}`);
  return operator as Binary;
}
