import { readCondition } from './conditions.ts';
import { type Bindings, type Evaluated, nameOf } from './operands.ts';
import { readUpdate, rejectOverlaps, type Step } from './updates.ts';
import { invalid, type WireItem } from './values.ts';

const conditions = new Map<string, Evaluated<boolean>>();

const updates = new Map<string, readonly Step[]>();

/** Returns true if an item meets a condition. */
export function isMet(condition: string, item: WireItem, bindings: Bindings): boolean {
  return parsed(conditions, condition, readCondition)(item, bindings);
}

/** The item after an update expression: SET, REMOVE, ADD and DELETE, all evaluated on the item before. */
export function updated(expression: string, before: WireItem, bindings: Bindings): WireItem {
  const steps = parsed(updates, expression, readUpdate);
  const after = { ...before };
  for (const { change } of steps) change(after, before, bindings);
  return after;
}

/** Names of the item's own attributes that an update changes. Rejects overlapping changes. */
export function changedNames(expression: string, bindings: Bindings): string[] {
  const paths = parsed(updates, expression, readUpdate).map(({ path }) => path({}, bindings));
  rejectOverlaps(paths);
  return paths.map(([name = '']) => name);
}

/** Attributes that a projection expression names, from the top of an item. */
export function projected(expression: string, item: WireItem, bindings: Bindings): WireItem {
  const names = expression.split(',').map((name) => nameOf(name.trim(), bindings));
  return Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
}

/** Rejects names and values that no expression uses, and those used that are not given. */
export function checkBindings(expressions: readonly (string | undefined)[], bindings: Bindings): void {
  const used = new Set(expressions.flatMap((text) => text?.match(/[#:]\w+/g) ?? []));
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = bindings;
  for (const [field, given] of Object.entries({
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  })) {
    if (!given) continue;
    const keys = Object.keys(given);
    if (keys.length === 0) throw invalid(`${field} must not be empty`);
    const unused = keys.filter((key) => !used.has(key));
    if (unused.length > 0)
      throw invalid(`Value provided in ${field} unused in expressions: keys: {${unused.join(', ')}}`);
  }
  for (const each of used) {
    const isGiven = each.startsWith('#') ? names?.[each] !== undefined : values?.[each] !== undefined;
    if (!isGiven) throw invalid(`An expression attribute used in an expression is not defined: ${each}`);
  }
}

function parsed<T>(known: Map<string, T>, text: string, read: (text: string) => T): T {
  const found = known.get(text) ?? read(text);
  known.set(text, found);
  return found;
}
