import { type Bindings, bind, type GivenBindings } from '../expressions/bindings.ts';
import { type ReadCondition, readCondition } from '../expressions/conditions.ts';
import { type ReadProjection, readProjection } from '../expressions/projections.ts';
import type { Scope } from '../expressions/scope.ts';
import { type ReadUpdate, readUpdate } from '../expressions/updates.ts';
import { invalid, unreadable } from '../rejected.ts';

export type Expressions = {
  condition?: ReadCondition | undefined;
  keyCondition?: ReadCondition | undefined;
  filter?: ReadCondition | undefined;
  projection?: ReadProjection | undefined;
  update?: ReadUpdate | undefined;
  bindings: Bindings;
};

export type GivenExpressions = GivenBindings & {
  ConditionExpression?: string | undefined;
  KeyConditionExpression?: string | undefined;
  FilterExpression?: string | undefined;
  ProjectionExpression?: string | undefined;
  UpdateExpression?: string | undefined;
};

const EXPRESSION_BYTES_MAX = 4096;
/** Texts that are known: programs have few, but one that writes values into them has any number. */
const KNOWN_MAX = 2000;

const known = new Map<string, Scope>();

export function readExpressions(
  given: GivenExpressions,
  fields: readonly (keyof GivenExpressions)[],
): Expressions {
  const condition = readOnce('ConditionExpression', given, readCondition);
  const keyCondition = readOnce('KeyConditionExpression', given, readCondition);
  const filter = readOnce('FilterExpression', given, readCondition);
  const projection = readOnce('ProjectionExpression', given, (_, text) => readProjection(text));
  const update = readOnce('UpdateExpression', given, (_, text) => readUpdate(text));
  const read = [keyCondition, filter, projection, update, condition];
  const bindings = bind(given, read, fields);
  for (const each of read) for (const check of each?.checks ?? []) check(bindings);
  return { condition, keyCondition, filter, projection, update, bindings };
}

function readOnce<T extends Scope>(
  kind: keyof GivenExpressions & string,
  given: GivenExpressions,
  read: (kind: string, text: string) => T,
): T | undefined {
  const text: unknown = given[kind] ?? undefined;
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw unreadable('Unexpected token received from parser');
  const name = `${kind} ${text}`;
  // One kind of expression is read by one function.
  const found = known.get(name) as T | undefined;
  if (found) return found;
  const bytes = Buffer.byteLength(text);
  if (bytes > EXPRESSION_BYTES_MAX)
    throw invalid(
      `Invalid ${kind}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
    );
  const made = read(kind, text);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(name, made);
  return made;
}
