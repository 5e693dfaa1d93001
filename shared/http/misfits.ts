import { findNearestName } from './nearest-name.ts';
import type { Problem } from './problems.ts';
import { type SchemaNode, unwrapped } from './schema-node.ts';

/** JSON and the table store these without changing a digit. */
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;
const NUMBER_MIN = 1e-130;
const NUMBERS = `from -${NUMBER_MAX} to ${NUMBER_MAX}, 0 or at least ${NUMBER_MIN} in size; send others as text`;

/** A map's keys that valibot drops, because assigning them could change an object's prototype. */
const DROPPED_KEYS = ['__proto__', 'constructor', 'prototype'];

/** Names of this form are safe to repeat in a message; others are written as `*`. */
const SHOWN_NAME = /^[A-Za-z_$][\w$.:-]{0,39}$/;

/** Returns problems of a value that its schema would accept or silently drop. */
export type Misfits = {
  problems: Problem[];
  /** A list instead of an object: the schema would report its fields as missing. */
  lists: ReadonlySet<string>;
};

/**
 * Finds, in one pass that ends after `max` problems: fields that the schema does not name, lists in the place of
 * objects (to valibot, objects without fields), and numbers that cannot be stored. The value's depth must be limited.
 */
export function findMisfits(part: string, schema: SchemaNode, value: unknown, max: number): Misfits {
  const problems: Problem[] = [];
  const lists = new Set<string>();
  const kind = part === 'query' ? 'parameter' : 'field';
  visit(part, schema, value);
  return { problems, lists };

  function visit(where: string, node: SchemaNode, given: unknown): void {
    if (problems.length >= max) return;
    if (typeof given === 'number') visitNumber(where, given);
    else if (typeof given === 'object' && given !== null) visitHolder(where, unwrapped(node), given);
  }

  function visitNumber(where: string, given: number): void {
    if (!isStorable(given)) problems.push({ where, must: `must be a number ${NUMBERS}` });
  }

  function visitHolder(
    where: string,
    { type, entries, item, value: each, isOpen }: SchemaNode,
    given: object,
  ): void {
    if (Array.isArray(given)) {
      if (entries || type === 'record') {
        lists.add(where);
        problems.push({ where, must: 'must be an object' });
      } else if (item) visitList(where, item, given);
      else visitUnknown(where, given);
    } else if (entries) visitFields(where, entries, isOpen === true, given);
    else if (each) visitRecord(where, each, given);
    else visitUnknown(where, given);
  }

  function visitList(where: string, item: SchemaNode, given: readonly unknown[]): void {
    for (let index = 0; index < given.length && problems.length < max; index += 1) {
      visit(`${where}[${index}]`, item, given[index]);
    }
  }

  function visitFields(
    where: string,
    entries: Record<string, SchemaNode>,
    isOpen: boolean,
    given: object,
  ): void {
    for (const [name, field] of fieldsOf(given)) {
      if (problems.length >= max) return;
      const node = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (node) visit(`${where}.${name}`, node, field);
      else if (!isOpen)
        problems.push({ where: `${where}.${shownName(name)}`, must: strangerText(name, entries) });
    }
  }

  function visitRecord(where: string, each: SchemaNode, given: object): void {
    for (const key of DROPPED_KEYS) {
      if (Object.hasOwn(given, key))
        problems.push({ where: `${where}.${key}`, must: 'must have another name' });
    }
    if (!isWalked(each)) {
      visitUnknown(where, given);
      return;
    }
    for (const [key, field] of fieldsOf(given)) {
      if (problems.length >= max) return;
      visit(`${where}${keyStep(key)}`, each, field);
    }
  }

  /** One problem for the whole value: the names inside are the caller's. */
  function visitUnknown(where: string, given: unknown): void {
    if (areNumbersStorable(given)) return;
    problems.push({ where, must: `must have only numbers ${NUMBERS}` });
  }

  function strangerText(name: string, entries: Record<string, SchemaNode>): string {
    const nearest = findNearestName(name, Object.keys(entries));
    return `is not a ${kind}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`;
  }
}

function isWalked(node: SchemaNode): boolean {
  const { entries, item, value } = unwrapped(node);
  return entries !== undefined || item !== undefined || value !== undefined;
}

function fieldsOf(given: object): [string, unknown][] {
  return Object.entries(given);
}

/** A name that a caller chose, as an error shows it. */
export function shownName(name: string): string {
  return SHOWN_NAME.test(name) ? name : '*';
}

/** The step to an entry of a map, as an error shows it: `.name`, `["cart.items"]`, or `.*` if it is not printable or long. */
export function keyStep(key: string): string {
  if (/^[A-Za-z_$][\w$-]{0,39}$/.test(key)) return `.${key}`;
  return /^[\p{L}\p{N}\p{P}\p{S} ]{1,80}$/u.test(key) ? `[${JSON.stringify(key)}]` : '.*';
}

function isStorable(given: number): boolean {
  const size = Math.abs(given);
  return size === 0 || (size >= NUMBER_MIN && size <= NUMBER_MAX);
}

function areNumbersStorable(given: unknown): boolean {
  if (typeof given === 'number') return isStorable(given);
  if (typeof given !== 'object' || given === null) return true;
  return Object.values(given).every(areNumbersStorable);
}
