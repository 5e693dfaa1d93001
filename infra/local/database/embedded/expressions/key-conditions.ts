import { invalid, invalidValues } from '../rejected.ts';
import { field, type TypeName, typeOf, type WireValue } from '../values/wire.ts';
import type { Bindings } from './bindings.ts';
import type { Condition, ReadCondition } from './conditions.ts';
import type { Operand } from './operands.ts';
import { resolved } from './paths.ts';
import type { PathText } from './scope.ts';

/** The names and types of a key. */
export type KeyNames = { hash: KeyAttribute; range: KeyAttribute | undefined };
export type KeyAttribute = { name: string; type: TypeName };

export type RangeCondition = { operator: string; values: readonly WireValue[] };
/** The part of a table or of an index that a query reads. */
export type KeyRange = { hash: WireValue; range: RangeCondition | undefined };

type Part = { name: string; operator: string; values: readonly WireValue[] };

/** Returns the partition and the condition of the sort key. A key condition is nothing else. */
export function keyRangeOf({ condition }: ReadCondition, keys: KeyNames, bindings: Bindings): KeyRange {
  const parts = partsOf(condition, bindings);
  const names = parts.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw refused('KeyConditionExpressions must only contain one condition per key');
  const hash = parts.find(({ name }) => name === keys.hash.name);
  if (!hash) throw missed(keys.hash.name);
  if (hash.operator !== '=') throw invalid('Query key condition not supported');
  const others = parts.filter((part) => part !== hash);
  const range = others.find(({ name }) => name === keys.range?.name);
  if (others.length > 0 && !range) throw keys.range ? missed(keys.range.name) : tooMany();
  if (others.length > 1) throw tooMany();
  if (range?.operator === '<>' || range?.operator === 'IN') throw unsupported(range.operator);
  checkTypes(keys.hash, hash);
  if (range && keys.range) checkTypes(keys.range, range);
  return { hash: hash.values[0] ?? {}, range };
}

function refused(reason: string): Error {
  return invalid(`Invalid KeyConditionExpression: ${reason}`);
}

function missed(name: string): Error {
  return invalid(`Query condition missed key schema element: ${name}`);
}

function tooMany(): Error {
  return refused('KeyConditionExpression must have one condition for each key');
}

function unsupported(operator: string): Error {
  return refused(`Invalid operator used in KeyConditionExpression: ${operator}`);
}

function partsOf(condition: Condition, bindings: Bindings): Part[] {
  if (condition.kind === 'and')
    return [...partsOf(condition.left, bindings), ...partsOf(condition.right, bindings)];
  if (condition.kind === 'or') throw unsupported('OR');
  if (condition.kind === 'not') throw unsupported('NOT');
  const [left, ...others] = condition.operands;
  if (condition.kind === 'test') {
    if (condition.name !== 'begins_with') throw unsupported(condition.name);
    return [partOf(left, 'begins_with', others, bindings)];
  }
  const { operator } = condition;
  const [right] = others;
  const mirrored = MIRRORED[operator];
  if (left?.kind === 'value' && right?.kind === 'path' && mirrored)
    return [partOf(right, mirrored, [left], bindings)];
  return [partOf(left, operator, others, bindings)];
}

const MIRRORED: Readonly<Record<string, string>> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function partOf(
  key: Operand | undefined,
  operator: string,
  values: readonly Operand[],
  bindings: Bindings,
): Part {
  if (key?.kind !== 'path' || values.some(({ kind }) => kind !== 'value'))
    throw refused(`Invalid operand used in KeyConditionExpression; operator: ${operator}`);
  return {
    name: nameOf(key.path, bindings),
    operator,
    values: values.map((each) => (each.kind === 'value' ? (field(bindings.values, each.name) ?? {}) : {})),
  };
}

function nameOf(path: PathText, bindings: Bindings): string {
  if (path.length > 1) throw refused('KeyConditionExpressions cannot have conditions on nested attributes');
  return String(resolved(path, bindings)[0]);
}

function checkTypes({ name, type }: KeyAttribute, { operator, values }: Part): void {
  if (operator === 'begins_with' && type === 'N')
    throw refused(
      'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    );
  for (const value of values) {
    if (typeOf(value) !== type) throw invalidValues('Condition parameter type does not match schema type');
    if (value.S === '' || value.B === '')
      throw invalid(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${value.S === '' ? 'string' : 'binary'} value. Key: ${name}`,
      );
  }
}
