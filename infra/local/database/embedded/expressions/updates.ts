import { givenType, type Operand, readOperand, TYPE_WORDS, VALUE_FUNCTIONS } from './operands.ts';
import { readPath, rejectOverlaps, resolved } from './paths.ts';
import { openScope, type PathText, type Scope } from './scope.ts';
import { type Tokens, tokensOf } from './tokens.ts';

/** The value of a SET: an operand, or the sum or difference of two. */
export type SetValue = { left: Operand; sign?: 1 | -1; right?: Operand };
export type Action =
  | { clause: 'SET'; path: PathText; value: SetValue }
  | { clause: 'REMOVE'; path: PathText }
  | { clause: 'ADD' | 'DELETE'; path: PathText; operand: Operand };

export type ReadUpdate = Scope & { actions: readonly Action[] };

const KIND = 'UpdateExpression';
const VALUES = VALUE_FUNCTIONS.update;

export function readUpdate(text: string): ReadUpdate {
  const tokens = tokensOf(KIND, text);
  const scope = openScope(KIND);
  const actions: Action[] = [];
  const clauses = new Set<string>();
  while (tokens.peek() !== undefined) {
    const clause = (tokens.peek() ?? '').toUpperCase();
    const read = CLAUSES[clause];
    if (!read) throw tokens.unexpected();
    tokens.take();
    if (clauses.has(clause))
      throw tokens.refused(`The "${clause}" section can only be used once in an update expression;`);
    clauses.add(clause);
    do actions.push(read(tokens, scope));
    while (tokens.skip(','));
  }
  scope.checks.push((bindings) =>
    rejectOverlaps(
      actions.map(({ path }) => resolved(path, bindings)),
      tokens.refused,
    ),
  );
  return { ...scope, actions };
}

const CLAUSES: Readonly<Record<string, (tokens: Tokens, scope: Scope) => Action>> = {
  SET(tokens, scope) {
    const path = readPath(tokens, scope);
    tokens.expect('=');
    scope.count(tokens);
    return { clause: 'SET', path, value: readSetValue(tokens, scope) };
  },
  REMOVE: (tokens, scope) => ({ clause: 'REMOVE', path: readPath(tokens, scope) }),
  ADD: (tokens, scope) => readWithValue('ADD', tokens, scope),
  DELETE: (tokens, scope) => readWithValue('DELETE', tokens, scope),
};

const ALLOWED: Readonly<Record<'ADD' | 'DELETE', ReadonlySet<string>>> = {
  ADD: new Set(['N', 'SS', 'NS', 'BS']),
  DELETE: new Set(['SS', 'NS', 'BS']),
};

function readWithValue(clause: 'ADD' | 'DELETE', tokens: Tokens, scope: Scope): Action {
  const path = readPath(tokens, scope);
  const operand = readOperand(tokens, scope, new Set());
  if (operand.kind !== 'value') throw tokens.unexpected(true);
  scope.checks.push((bindings) => {
    const type = givenType(operand, bindings) ?? '';
    if (!ALLOWED[clause].has(type))
      throw tokens.refused(
        `Incorrect operand type for operator or function; operator: ${clause}, operand type: ${TYPE_WORDS[type]}, typeSet: ALLOWED_FOR_${clause}_OPERAND`,
      );
  });
  return { clause, path, operand };
}

function readSetValue(tokens: Tokens, scope: Scope): SetValue {
  if (tokens.skip('(')) {
    const inner = readSetValue(tokens, scope);
    tokens.expect(')');
    return inner;
  }
  const left = readUpdateOperand(tokens, scope);
  const sign = tokens.skip('+') ? 1 : tokens.skip('-') ? -1 : undefined;
  if (sign === undefined) return { left };
  scope.count(tokens);
  const right = readUpdateOperand(tokens, scope);
  const operator = sign === 1 ? '+' : '-';
  scope.checks.push((bindings) => {
    for (const each of [left, right]) {
      const type = givenType(each, bindings);
      if (type !== undefined && type !== 'N')
        throw tokens.refused(
          `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
        );
    }
  });
  return { left, sign, right };
}

function readUpdateOperand(tokens: Tokens, scope: Scope): Operand {
  const operand = readOperand(tokens, scope, VALUES);
  checkFunctions(tokens, scope, operand);
  return operand;
}

function checkFunctions(tokens: Tokens, scope: Scope, operand: Operand): void {
  if (operand.kind !== 'function') return;
  for (const each of operand.operands) checkFunctions(tokens, scope, each);
  if (operand.name === 'if_not_exists' && operand.operands[0]?.kind !== 'path')
    throw tokens.refused(
      'Operator or function requires a document path; operator or function: if_not_exists',
    );
  if (operand.name !== 'list_append') return;
  scope.checks.push((bindings) => {
    for (const each of operand.operands) {
      const type = givenType(each, bindings);
      if (type !== undefined && type !== 'L')
        throw tokens.refused(
          `Incorrect operand type for operator or function; operator or function: list_append, operand type: ${type}`,
        );
    }
  });
}
