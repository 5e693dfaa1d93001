import { toValue } from 'liquidjs';
import { type Budget, DEPTH_MAX, RenderProblem, spendMemory } from '../liquid/limits.ts';

const OBJECT_UNITS = 16;

/** Characters of a search text that cost as much as one. */
const SEARCHED_AT_ONCE = 32;

/**
 * The text that a value prints as: nothing for a missing one, a list as its entries one after the other, an
 * object as JSON. Lists and objects are charged to the budget before they are printed.
 */
export function textOf(value: unknown, budget: Budget): string {
  if (typeof value === 'string') return value;
  const plain: unknown = toValue(value);
  if (plain === undefined || plain === null) return '';
  if (typeof plain !== 'object') return String(plain);
  if (!Array.isArray(plain)) return jsonOf(plain, budget);
  spendMemory(budget, weightOf(plain, budget));
  return writtenOut(plain, budget);
}

/** JSON of a value, `indent` spaces a level, paid for from the budget before it is written. */
export function jsonOf(value: unknown, budget: Budget, indent = 0): string {
  spendMemory(budget, jsonWeightOf(value, budget, indent, 0));
  return JSON.stringify(value, undefined, indent) ?? '';
}

/**
 * Length of a value that a filter or comparison reads when it converts it to text or compares it: the characters
 * of a string, the entries of a list including nested lists. Repeated nested lists count each time. Throws
 * RenderProblem once it exceeds the budget.
 */
export function weightOf(value: unknown, budget: Budget, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (!Array.isArray(value)) return OBJECT_UNITS;
  checkDepth(depth);
  let weight = 1;
  for (const entry of value) {
    weight += weightOf(entry, budget, depth + 1);
    if (weight > budget.memoryUnitsLeft) spendMemory(budget, weight);
  }
  return weight;
}

/**
 * The cost of searching for `sought` in `text`: the engine's search takes up to the product of both lengths,
 * 57 s for half a megabyte each.
 */
export function searchCost(text: unknown, sought: unknown, budget: Budget): number {
  return weightOf(text, budget) * (1 + weightOf(sought, budget) / SEARCHED_AT_ONCE);
}

function jsonWeightOf(value: unknown, budget: Budget, indent: number, depth: number): number {
  if (typeof value === 'string') return value.length + indent * depth;
  if (typeof value !== 'object' || value === null) return OBJECT_UNITS + indent * depth;
  checkDepth(depth);
  let weight = OBJECT_UNITS + 2 * indent * depth;
  for (const [key, entry] of Object.entries(value)) {
    weight += key.length + jsonWeightOf(entry, budget, indent, depth + 1);
    if (weight > budget.memoryUnitsLeft) spendMemory(budget, weight);
  }
  return weight;
}

function writtenOut(list: readonly unknown[], budget: Budget): string {
  return list
    .map((entry) => (Array.isArray(entry) ? writtenOut(entry, budget) : textOf(entry, budget)))
    .join('');
}

function checkDepth(depth: number): void {
  if (depth > DEPTH_MAX) throw new RenderProblem(`a value is nested more than ${DEPTH_MAX} levels`);
}
