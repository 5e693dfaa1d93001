import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  type Bindings,
  type Evaluated,
  find,
  incorrectType,
  operand,
  type Path,
  pathOf,
} from './operands.ts';
import { syntaxError, type Tokens, tokensOf } from './tokens.ts';
import { invalid, sumOf, type WireItem } from './values.ts';

type Change = (after: WireItem, before: WireItem, bindings: Bindings) => void;

export type Step = { path: Evaluated<Path>; change: Change };

export function readUpdate(text: string): Step[] {
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

/** Overlapping paths cannot be changed together. */
export function rejectOverlaps(paths: readonly Path[]): void {
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
