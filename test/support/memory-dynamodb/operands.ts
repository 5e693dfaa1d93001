import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { syntaxError, type Tokens } from './tokens.ts';
import { invalid, sizeOfValue, type WireItem } from './values.ts';

/** Names and values that expressions refer to. */
export type Bindings = {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: WireItem | undefined;
};

export type Evaluated<T> = (item: WireItem, bindings: Bindings) => T;

/** Attribute names from the item to a value in it. */
export type Path = readonly string[];

export function listed(tokens: Tokens): Evaluated<AttributeValue | undefined>[] {
  tokens.expect('(');
  const members = [operand(tokens)];
  while (tokens.skip(',')) members.push(operand(tokens));
  tokens.expect(')');
  return members;
}

/** A value, an attribute, or the result of a function of them. */
export function operand(tokens: Tokens): Evaluated<AttributeValue | undefined> {
  const token = tokens.take();
  if (token.startsWith(':')) return (_, bindings) => bindings.ExpressionAttributeValues?.[token];
  if (!OPERAND_FUNCTIONS.has(token)) {
    const path = pathOf(token);
    return (item, bindings) => find(item, path(item, bindings));
  }
  const [first, second] = listed(tokens);
  if (!first || (!second && token !== 'size')) throw syntaxError(token, token);
  return (item, bindings) => {
    const value = first(item, bindings);
    if (token === 'size') return value && { N: String(sizeInCondition(value)) };
    if (token === 'if_not_exists') return value ?? second?.(item, bindings);
    const appended = second?.(item, bindings);
    if (!value || !appended) return undefined;
    if (!value.L || !appended.L) throw incorrectType();
    return { L: [...value.L, ...appended.L] };
  };
}

const OPERAND_FUNCTIONS = new Set(['size', 'if_not_exists', 'list_append']);

/** Returns the value of `size`: characters or bytes, or the number of members. */
function sizeInCondition(value: AttributeValue): number {
  if (value.M) return Object.keys(value.M).length;
  return (value.L ?? value.SS ?? value.NS ?? value.BS)?.length ?? sizeOfValue(value);
}

export function incorrectType(): Error {
  return invalid('An operand in the update expression has an incorrect data type');
}

export function pathOf(token: string): Evaluated<Path> {
  if (!/^[#\w][\w.#]*$/.test(token)) throw syntaxError(token, token);
  const parts = token.split('.');
  return (_, bindings) => parts.map((part) => nameOf(part, bindings));
}

export function nameOf(part: string, { ExpressionAttributeNames: names }: Bindings): string {
  return part.startsWith('#') ? (names?.[part] ?? part) : part;
}

export function find(item: WireItem, path: Path): AttributeValue | undefined {
  const [first = '', ...rest] = path;
  let found = item[first];
  for (const name of rest) found = found?.M?.[name];
  return found;
}
