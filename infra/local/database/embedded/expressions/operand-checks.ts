import { compare } from '../values/compare.ts';
import { field, TYPES, type WireValue } from '../values/wire.ts';
import type { Bindings } from './bindings.ts';
import { givenType, type Operand, TYPE_WORDS } from './operands.ts';
import { resolved, shown } from './paths.ts';
import type { Scope } from './scope.ts';
import type { Tokens } from './tokens.ts';

const ORDERED: ReadonlySet<string> = new Set(['S', 'N', 'B']);
const ORDERINGS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', 'BETWEEN']);
const UNMEASURED: ReadonlySet<string> = new Set(['N', 'BOOL', 'NULL']);

/** Checks a function that is a condition: now, and with the request's values. */
export function checkTest(tokens: Tokens, scope: Scope, name: string, operands: readonly Operand[]): void {
  const [first, second] = operands;
  if (name.startsWith('attribute_') && first?.kind !== 'path')
    throw tokens.refused(`Operator or function requires a document path; operator or function: ${name}`);
  scope.checks.push((bindings) => {
    rejectSame(tokens, name, operands, bindings);
    if (name === 'attribute_type') checkType(tokens, second, bindings);
    if (name !== 'begins_with') return;
    for (const each of operands)
      rejectType(tokens, name, each, bindings, (type) => type === 'S' || type === 'B');
  });
}

export function checkComparison(
  tokens: Tokens,
  scope: Scope,
  operator: string,
  operands: readonly Operand[],
): void {
  scope.checks.push((bindings) => {
    for (const each of operands) checkSize(tokens, each, bindings);
    if (operator !== 'IN') rejectSame(tokens, operator, operands, bindings);
    if (!ORDERINGS.has(operator)) return;
    for (const each of operands) rejectType(tokens, operator, each, bindings, (type) => ORDERED.has(type));
    if (operator === 'BETWEEN') checkBounds(tokens, operands, bindings);
  });
}

function checkType(tokens: Tokens, operand: Operand | undefined, bindings: Bindings): void {
  if (operand?.kind !== 'value') return;
  const value = field(bindings.values, operand.name);
  if (value?.S === undefined)
    throw tokens.refused(
      `Incorrect operand type for operator or function; operator or function: attribute_type, operand type: ${TYPE_WORDS[givenType(operand, bindings) ?? '']}`,
    );
  if (!TYPES.includes(value.S as never))
    throw tokens.refused(
      `Invalid attribute type name found; type: ${value.S}, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`,
    );
}

function checkSize(tokens: Tokens, operand: Operand, bindings: Bindings): void {
  if (operand.kind !== 'function') return;
  rejectType(tokens, operand.name, operand.operands[0], bindings, (type) => !UNMEASURED.has(type));
}

function rejectType(
  tokens: Tokens,
  operator: string,
  operand: Operand | undefined,
  bindings: Bindings,
  isAllowed: (type: string) => boolean,
): void {
  const type = givenType(operand, bindings);
  if (type !== undefined && !isAllowed(type))
    throw tokens.refused(
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeWord(operator, type)}`,
    );
}

/** Functions name the type in short, operators in words. */
function typeWord(operator: string, type: string): string {
  return ORDERINGS.has(operator) ? (TYPE_WORDS[type] ?? type) : type;
}

/** An attribute cannot be compared with itself. */
function rejectSame(
  tokens: Tokens,
  operator: string,
  operands: readonly Operand[],
  bindings: Bindings,
): void {
  const [first, ...others] = operands.map((each) =>
    each.kind === 'path' ? shown(resolved(each.path, bindings)) : '',
  );
  if (first && others.includes(first))
    throw tokens.refused(
      `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${first}`,
    );
}

function checkBounds(tokens: Tokens, [, low, high]: readonly Operand[], bindings: Bindings): void {
  if (low?.kind !== 'value' || high?.kind !== 'value') return;
  const [from, to] = [field(bindings.values, low.name), field(bindings.values, high.name)];
  const shownBounds = `lower bound operand: ${operandText(from)}, upper bound operand: ${operandText(to)}`;
  if (givenType(low, bindings) !== givenType(high, bindings))
    throw tokens.refused(
      `The BETWEEN operator requires same data type for lower and upper bounds; ${shownBounds}`,
    );
  if (compare(from, to) > 0)
    throw tokens.refused(
      `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${shownBounds}`,
    );
}

function operandText(value: WireValue | undefined): string {
  const [type, text] = Object.entries(value ?? {})[0] ?? [];
  return `AttributeValue: {${type}:${text}}`;
}
