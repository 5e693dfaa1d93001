import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { syntaxError, type Tokens, tokensOf } from './tokens.ts';
import { compare, invalid, isEqual, sizeOfValue, sumOf, typeOf, type WireItem } from './values.ts';

/** Names and values that expressions refer to. */
export type Bindings = {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: WireItem | undefined;
};

type Evaluated<T> = (item: WireItem, bindings: Bindings) => T;
/** Attribute names from the item to a value in it. */
type Path = readonly string[];
type Change = (after: WireItem, before: WireItem, bindings: Bindings) => void;
type Step = { path: Evaluated<Path>; change: Change };

const conditions = new Map<string, Evaluated<boolean>>();
const updates = new Map<string, readonly Step[]>();

/** Whether an item meets a condition. */
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

/** Names of the item's own attributes that an update changes. Rejects changes of which one is in another. */
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

function readCondition(text: string): Evaluated<boolean> {
  const tokens = tokensOf(text);
  const read = either(tokens);
  const rest = tokens.peek();
  if (rest !== undefined) throw syntaxError(text, rest);
  return read;
}

function either(tokens: Tokens): Evaluated<boolean> {
  let read = both(tokens);
  while (tokens.skip('OR')) {
    const [left, right] = [read, both(tokens)];
    read = (item, bindings) => left(item, bindings) || right(item, bindings);
  }
  return read;
}

function both(tokens: Tokens): Evaluated<boolean> {
  let read = term(tokens);
  while (tokens.skip('AND')) {
    const [left, right] = [read, term(tokens)];
    read = (item, bindings) => left(item, bindings) && right(item, bindings);
  }
  return read;
}

function term(tokens: Tokens): Evaluated<boolean> {
  if (tokens.skip('NOT')) {
    const inner = term(tokens);
    return (item, bindings) => !inner(item, bindings);
  }
  if (tokens.skip('(')) {
    const inner = either(tokens);
    tokens.expect(')');
    return inner;
  }
  const test = FUNCTIONS[tokens.peek() ?? ''];
  return test ? call(tokens, test) : comparison(tokens);
}

type Test = (value: AttributeValue | undefined, argument: AttributeValue | undefined) => boolean;

const FUNCTIONS: Readonly<Record<string, Test>> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === type?.S,
  begins_with: (value, start) => value?.S?.startsWith(start?.S ?? '') ?? false,
  contains(value, part) {
    if (value?.S !== undefined) return part?.S !== undefined && value.S.includes(part.S);
    const members = value?.L ?? value?.SS?.map((S) => ({ S })) ?? value?.NS?.map((N) => ({ N })) ?? [];
    return members.some((each) => isEqual(each, part));
  },
};

function call(tokens: Tokens, test: Test): Evaluated<boolean> {
  tokens.take();
  tokens.expect('(');
  const path = pathOf(tokens.take());
  const argument = tokens.skip(',') ? operand(tokens) : () => undefined;
  tokens.expect(')');
  return (item, bindings) => test(find(item, path(item, bindings)), argument(item, bindings));
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function comparison(tokens: Tokens): Evaluated<boolean> {
  const left = operand(tokens);
  if (tokens.skip('BETWEEN')) {
    const low = operand(tokens);
    tokens.expect('AND');
    const high = operand(tokens);
    return (item, bindings) => {
      const [value, from, to] = [left(item, bindings), low(item, bindings), high(item, bindings)];
      if (compare(from, to) > 0)
        throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
      return compare(value, from) >= 0 && compare(value, to) <= 0;
    };
  }
  if (tokens.skip('IN')) {
    const members = listed(tokens);
    return (item, bindings) =>
      members.some((member) => isEqual(left(item, bindings), member(item, bindings)));
  }
  const operator = tokens.take();
  const right = operand(tokens);
  if (operator === '=') return (item, bindings) => isEqual(left(item, bindings), right(item, bindings));
  if (operator === '<>') return (item, bindings) => !isEqual(left(item, bindings), right(item, bindings));
  const isSo = ORDERS[operator];
  if (!isSo) throw syntaxError(operator, operator);
  return (item, bindings) => isSo(compare(left(item, bindings), right(item, bindings)));
}

function listed(tokens: Tokens): Evaluated<AttributeValue | undefined>[] {
  tokens.expect('(');
  const members = [operand(tokens)];
  while (tokens.skip(',')) members.push(operand(tokens));
  tokens.expect(')');
  return members;
}

/** A value, an attribute, or the result of a function of them. */
function operand(tokens: Tokens): Evaluated<AttributeValue | undefined> {
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

/** What `size` returns: characters or bytes, or the number of members. */
function sizeInCondition(value: AttributeValue): number {
  if (value.M) return Object.keys(value.M).length;
  return (value.L ?? value.SS ?? value.NS ?? value.BS)?.length ?? sizeOfValue(value);
}

function readUpdate(text: string): Step[] {
  const tokens = tokensOf(text);
  const steps: Step[] = [];
  while (tokens.peek() !== undefined) {
    const read = CLAUSES[tokens.take().toUpperCase()];
    if (!read) throw syntaxError(text, tokens.peek() ?? '<EOF>');
    do steps.push(read(tokens));
    while (tokens.skip(','));
  }
  return steps;
}

const CLAUSES: Readonly<Record<string, (tokens: Tokens) => Step>> = {
  SET(tokens) {
    const path = pathOf(tokens.take());
    tokens.expect('=');
    const value = sum(tokens);
    return stepOf(path, (item, bindings) => {
      const given = value(item, bindings);
      if (given) return given;
      throw invalid('The provided expression refers to an attribute that does not exist in the item');
    });
  },
  REMOVE(tokens) {
    return stepOf(pathOf(tokens.take()), () => undefined);
  },
  ADD(tokens) {
    const path = pathOf(tokens.take());
    const value = operand(tokens);
    return stepOf(path, (item, bindings) => added(find(item, path(item, bindings)), value(item, bindings)));
  },
  DELETE(tokens) {
    const path = pathOf(tokens.take());
    const value = operand(tokens);
    return stepOf(path, (item, bindings) => without(find(item, path(item, bindings)), value(item, bindings)));
  },
};

function stepOf(path: Evaluated<Path>, value: Evaluated<AttributeValue | undefined>): Step {
  return {
    path,
    change: (after, before, bindings) => write(after, path(before, bindings), value(before, bindings)),
  };
}

function sum(tokens: Tokens): Evaluated<AttributeValue | undefined> {
  const left = operand(tokens);
  const sign = tokens.skip('+') ? 1 : tokens.skip('-') ? -1 : undefined;
  if (sign === undefined) return left;
  const right = operand(tokens);
  return (item, bindings) => {
    const [one, other] = [left(item, bindings), right(item, bindings)];
    if (one?.N === undefined || other?.N === undefined) throw incorrectType();
    return { N: sumOf(one.N, other.N, sign) };
  };
}

function added(current: AttributeValue | undefined, given: AttributeValue | undefined): AttributeValue {
  if (given?.N !== undefined && (!current || current.N !== undefined))
    return { N: sumOf(current?.N ?? '0', given.N) };
  if (given?.SS && (!current || current.SS))
    return { SS: [...new Set([...(current?.SS ?? []), ...given.SS])] };
  throw incorrectType();
}

function without(
  current: AttributeValue | undefined,
  given: AttributeValue | undefined,
): AttributeValue | undefined {
  if (!given?.SS || (current && !current.SS)) throw incorrectType();
  const left = current?.SS?.filter((member) => !given.SS?.includes(member)) ?? [];
  return left.length > 0 ? { SS: left } : undefined;
}

function incorrectType(): Error {
  return invalid('An operand in the update expression has an incorrect data type');
}

/** Two paths of which one is in the other cannot be changed together. */
function rejectOverlaps(paths: readonly Path[]): void {
  for (const [index, path] of paths.entries()) {
    const other = paths
      .slice(index + 1)
      .find((each) => path.every((name, at) => each[at] === name || at >= each.length));
    if (other)
      throw invalid(
        `Two document paths overlap with each other: [${path.join(', ')}], [${other.join(', ')}]`,
      );
  }
}

function pathOf(token: string): Evaluated<Path> {
  if (!/^[#\w][\w.#]*$/.test(token)) throw syntaxError(token, token);
  const parts = token.split('.');
  return (_, bindings) => parts.map((part) => nameOf(part, bindings));
}

function nameOf(part: string, { ExpressionAttributeNames: names }: Bindings): string {
  return part.startsWith('#') ? (names?.[part] ?? part) : part;
}

function find(item: WireItem, path: Path): AttributeValue | undefined {
  const [first = '', ...rest] = path;
  let found = item[first];
  for (const name of rest) found = found?.M?.[name];
  return found;
}

/** Sets or removes a value. Maps on the way are copied: what was stored before stays as it is. */
function write(after: WireItem, [name = '', ...rest]: Path, value: AttributeValue | undefined): void {
  if (rest.length === 0) {
    if (value) after[name] = value;
    else delete after[name];
    return;
  }
  const inner = after[name]?.M;
  if (!inner) throw invalid('The document path provided in the update expression is invalid for update');
  const copy = { ...inner };
  after[name] = { M: copy };
  write(copy, rest, value);
}
