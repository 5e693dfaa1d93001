import type { Caller, Person } from '../access/caller.ts';
import type { Problem } from './problems.ts';

/** An object of unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

export type RequestParts = {
  path: Fields;
  query: Fields;
  /** Undefined if it is not JSON. */
  body: unknown;
  headers: Readonly<Record<string, string>>;
  caller: Caller | Person | undefined;
  nowMs: number;
  /** The schemas have found problems: the operation does not run. */
  isInvalid: boolean;
};

/**
 * Finds the problems of a request that a schema cannot express. Always runs, so that all problems are reported together; a value
 * of the wrong type is reported by its schema.
 */
export type RequestCheck = (parts: RequestParts) => readonly Problem[] | Promise<readonly Problem[]>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A text; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function idProblems(name: string, id: unknown, body: unknown): Problem[] {
  const given = fieldsOf(body)[name];
  if (given === undefined || given === id) return [];
  return [{ where: `body.${name}`, must: 'must be the ID in the path, or be omitted' }];
}

/** The problem of a range of times that ends before it begins. */
export function rangeProblems({ query: { from, to } }: RequestParts): Problem[] {
  const isReversed = Date.parse(textOf(from) ?? '') > Date.parse(textOf(to) ?? '');
  return isReversed ? [{ where: 'query.to', must: 'must not be before from' }] : [];
}

/** Those of `found` that do not repeat a problem of the same value or of one around it. */
export function unreported(found: readonly Problem[], reported: readonly Problem[]): Problem[] {
  return found.filter(({ where }) =>
    reported.every((each) => each.where !== where && !isInside(where, each.where)),
  );
}

function isInside(where: string, around: string): boolean {
  return where.startsWith(around) && '.['.includes(where[around.length] ?? ' ');
}
