import { measure } from '../values/sizes.ts';
import { field, typeOf, type WireItem, type WireValue } from '../values/wire.ts';
import type { Bindings } from './bindings.ts';
import { find, readPath, resolved } from './paths.ts';
import type { PathText, Scope } from './scope.ts';
import type { Tokens } from './tokens.ts';

export type Operand =
  | { kind: 'path'; path: PathText }
  | { kind: 'value'; name: string }
  | { kind: 'function'; name: string; operands: readonly Operand[] };

const NO_FUNCTIONS: ReadonlySet<string> = new Set();

export function readOperand(tokens: Tokens, scope: Scope, functions: ReadonlySet<string>): Operand {
  const token = tokens.peek() ?? '';
  if (token.startsWith(':')) {
    tokens.take();
    scope.values.add(token);
    return { kind: 'value', name: token };
  }
  const path = readPathOrFunction(tokens, scope);
  if (path.kind !== 'call') return path;
  if (!functions.has(path.name)) throw notAllowed(tokens, path.name);
  const operands = readOperands(tokens, scope, path.name === 'size' ? NO_FUNCTIONS : functions);
  expectCount(tokens, path.name, operands, path.name === 'size' ? 1 : 2);
  return { kind: 'function', name: path.name, operands };
}

/** A word before a parenthesis is a function's name. */
function readPathOrFunction(
  tokens: Tokens,
  scope: Scope,
): { kind: 'path'; path: PathText } | { kind: 'call'; name: string } {
  const name = tokens.peek() ?? '';
  if (FUNCTION_NAMES.has(name) || tokens.isCall()) {
    tokens.take();
    if (!FUNCTION_NAMES.has(name)) throw tokens.refused(`Invalid function name; function: ${name}`);
    scope.count(tokens);
    return { kind: 'call', name };
  }
  return { kind: 'path', path: readPath(tokens, scope) };
}

export function readOperands(tokens: Tokens, scope: Scope, functions: ReadonlySet<string>): Operand[] {
  tokens.expect('(');
  const operands = [readOperand(tokens, scope, functions)];
  while (tokens.skip(',')) operands.push(readOperand(tokens, scope, functions));
  tokens.expect(')');
  return operands;
}

/** Functions with a value, and functions that are a condition. */
export const VALUE_FUNCTIONS = {
  condition: new Set(['size']),
  update: new Set(['if_not_exists', 'list_append']),
};
export const CONDITION_FUNCTIONS: ReadonlyMap<string, number> = new Map([
  ['attribute_exists', 1],
  ['attribute_not_exists', 1],
  ['attribute_type', 2],
  ['begins_with', 2],
  ['contains', 2],
]);
const FUNCTION_NAMES: ReadonlySet<string> = new Set([
  ...CONDITION_FUNCTIONS.keys(),
  ...VALUE_FUNCTIONS.condition,
  ...VALUE_FUNCTIONS.update,
]);

export function notAllowed(tokens: Tokens, name: string): Error {
  const isOfUpdates = VALUE_FUNCTIONS.update.has(name);
  if (isOfUpdates && tokens.kind !== 'UpdateExpression')
    return tokens.refused(`The function is not allowed in a condition expression; function: ${name}`);
  if (!isOfUpdates && tokens.kind === 'UpdateExpression')
    return tokens.refused(`The function is not allowed in an update expression; function: ${name}`);
  return tokens.refused(
    `The function is not allowed to be used this way in an expression; function: ${name}`,
  );
}

export function expectCount(tokens: Tokens, name: string, operands: readonly Operand[], count: number): void {
  if (operands.length !== count)
    throw tokens.refused(
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
    );
}

export function operandValueOf(operand: Operand, item: WireItem, bindings: Bindings): WireValue | undefined {
  if (operand.kind === 'value') return field(bindings.values, operand.name);
  if (operand.kind === 'path') return find(item, resolved(operand.path, bindings));
  const [first, second] = operand.operands.map((each) => operandValueOf(each, item, bindings));
  if (operand.name === 'if_not_exists') return first ?? second;
  if (operand.name === 'list_append') return appended(first, second);
  const size = first && measure(first);
  return size === undefined ? undefined : { N: String(size) };
}

function appended(first: WireValue | undefined, second: WireValue | undefined): WireValue | undefined {
  if (!first || !second) return undefined;
  return { L: [...(first.L ?? []), ...(second.L ?? [])] };
}

/** The type of an operand that is a given value. */
export function givenType(operand: Operand | undefined, bindings: Bindings): string | undefined {
  if (operand?.kind !== 'value') return undefined;
  const value = field(bindings.values, operand.name);
  return value && typeOf(value);
}

/** As DynamoDB's messages show an operand's type. */
export const TYPE_WORDS: Readonly<Record<string, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
  M: 'MAP',
  L: 'LIST',
  NULL: 'NULL',
  BOOL: 'BOOLEAN',
};
