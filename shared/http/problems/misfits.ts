import { findNearestName } from './nearest-name.ts';
import type { Problem } from './problems.ts';
import { type SchemaNode, unwrapped } from './schema-node.ts';

/** JSON and the table store these without changing a digit. */
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;
const NUMBER_MIN = 1e-130;
const NUMBERS = `from -${NUMBER_MAX} to ${NUMBER_MAX}, not closer to 0 than ${NUMBER_MIN}; send others as strings`;

/** A text that was cut within an emoji, which strict readers of JSON refuse. */
const MUST_BE_WHOLE = 'must have no half of a character: cut texts between characters';

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
 * objects (to valibot, objects without fields), numbers that cannot be stored, and halves of characters. The value's depth must be limited.
 */
export function findMisfits(part: string, schema: SchemaNode, value: unknown, max: number): Misfits {
  const problems: Problem[] = [];
  const lists = new Set<string>();
  const kind = part === 'query' ? 'parameter' : 'field';
  visit(part, schema, value);
  return { problems, lists };

  function visit(where: string, node: SchemaNode, input: unknown): void {
    if (problems.length >= max) return;
    if (typeof input === 'number') visitNumber(where, input);
    else if (typeof input === 'string') visitText(where, input);
    else if (typeof input === 'object' && input !== null)
      visitHolder(where, unwrapped(node, Array.isArray(input) ? 'item' : 'entries'), input);
  }

  function visitNumber(where: string, input: number): void {
    if (!isStorable(input)) problems.push({ where, must: `must be a number ${NUMBERS}` });
  }

  function visitText(where: string, input: string): void {
    if (!input.isWellFormed()) problems.push({ where, must: MUST_BE_WHOLE });
  }

  function visitHolder(
    where: string,
    { type, entries, item, value: each, isOpen }: SchemaNode,
    input: object,
  ): void {
    if (Array.isArray(input)) {
      if (entries || type === 'record') {
        lists.add(where);
        problems.push({ where, must: 'must be an object', code: 'WRONG_TYPE' });
      } else if (item) visitList(where, item, input);
      else visitUnknown(where, input);
    } else if (entries) visitFields(where, entries, isOpen === true, input);
    else if (each) visitRecord(where, each, input);
    else visitUnknown(where, input);
  }

  function visitList(where: string, item: SchemaNode, input: readonly unknown[]): void {
    for (let index = 0; index < input.length && problems.length < max; index += 1) {
      visit(`${where}[${index}]`, item, input[index]);
    }
  }

  function visitFields(
    where: string,
    entries: Record<string, SchemaNode>,
    isOpen: boolean,
    input: object,
  ): void {
    for (const [name, field] of fieldsOf(input)) {
      if (problems.length >= max) return;
      const node = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (node) visit(`${where}.${name}`, node, field);
      else if (!isOpen)
        problems.push({
          where: `${where}.${shownName(name)}`,
          must: strangerText(name, entries),
          code: 'UNKNOWN_FIELD',
        });
    }
  }

  function visitRecord(where: string, each: SchemaNode, input: object): void {
    for (const key of DROPPED_KEYS) {
      if (Object.hasOwn(input, key))
        problems.push({
          where: `${where}.${key}`,
          must: 'is a reserved name; rename this key',
          code: 'NOT_ALLOWED',
        });
    }
    if (!isWalked(each)) {
      visitUnknown(where, input);
      return;
    }
    for (const [key, field] of fieldsOf(input)) {
      if (problems.length >= max) return;
      if (!key.isWellFormed()) problems.push({ where: `${where}.*`, must: MUST_BE_WHOLE });
      visit(`${where}${keyStep(key)}`, each, field);
    }
  }

  /** One problem for the whole value: the names inside are the caller's. */
  function visitUnknown(where: string, input: unknown): void {
    if (!areNumbersStorable(input)) problems.push({ where, must: `must have only numbers ${NUMBERS}` });
    if (!isWellFormed(input)) problems.push({ where, must: 'must have no half of a character' });
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

function fieldsOf(input: object): [string, unknown][] {
  return Object.entries(input);
}

/** A name that a caller chose, as an error shows it. */
export function shownName(name: string): string {
  return SHOWN_NAME.test(name) ? name : '*';
}

/** As a literal, its classes would be looked up whenever a function starts. */
const PRINTABLE = String.raw`^[\p{L}\p{N}\p{P}\p{S} ]{1,80}$`;

/** The step to an entry of a map, as an error shows it: `.name`, `["cart.items"]`, or `.*` if it is not printable or long. */
export function keyStep(key: string): string {
  if (/^[A-Za-z_$][\w$-]{0,39}$/.test(key)) return `.${key}`;
  return new RegExp(PRINTABLE, 'u').test(key) ? `[${JSON.stringify(key)}]` : '.*';
}

function isStorable(input: number): boolean {
  const size = Math.abs(input);
  return size === 0 || (size >= NUMBER_MIN && size <= NUMBER_MAX);
}

function isWellFormed(input: unknown): boolean {
  if (typeof input === 'string') return input.isWellFormed();
  if (typeof input !== 'object' || input === null) return true;
  return Object.entries(input).every(([key, value]) => key.isWellFormed() && isWellFormed(value));
}

function areNumbersStorable(input: unknown): boolean {
  if (typeof input === 'number') return isStorable(input);
  if (typeof input !== 'object' || input === null) return true;
  return Object.values(input).every(areNumbersStorable);
}
