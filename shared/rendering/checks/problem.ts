import type { Token } from 'liquidjs';
import { RenderProblem } from '../liquid/limits.ts';

/**
 * The problem of a template, as one line with its place. Built from names and limits: the library's own text
 * quotes the template.
 */
export function problemOf(error: unknown, columnsBefore = 0): string {
  const cause = causeOf(error);
  if (cause instanceof RenderProblem && cause.located) return cause.message;
  const token = tokenOf(error);
  return token ? `${reasonOf(cause)} (${placeOf(token, columnsBefore)})` : reasonOf(cause);
}

function reasonOf(cause: unknown): string {
  if (cause instanceof RenderProblem) return cause.message;
  if (cause instanceof RangeError) return 'the template is too large or nested too deeply';
  const text = cause instanceof Error ? cause.message : '';
  for (const [pattern, reason] of REASONS) {
    const match = pattern.exec(text);
    if (match) return reason(match[1] ?? '');
  }
  return cause instanceof TypeError
    ? 'a value is of a kind that cannot be used here'
    : 'the Liquid syntax is not valid';
}

/** liquidjs's messages that name a tag or a filter; nothing else is repeated. */
const REASONS: [RegExp, (name: string) => string][] = [
  [/^tag "([\w#-]{1,40})" not found/, (name) => `there is no tag "${name}" here`],
  [/^undefined filter: ([\w-]{1,40})(?:,|$)/, (name) => `there is no filter "${name}"`],
  [/^tag "?\{%-?\s*(\w{1,40})\b[\s\S]* not closed/, (name) => `the tag "${name}" is not closed`],
  [/^raw [\s\S]* not closed/, () => 'the tag "raw" is not closed'],
  [/^output [\s\S]* not closed/, () => 'a merge tag is not closed'],
  [/^(append|prepend) expect/, (name) => `the filter "${name}" needs one text`],
];

function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && 'originalError' in cause && cause.originalError)
    cause = cause.originalError;
  return cause;
}

function tokenOf(error: unknown): Token | undefined {
  return error instanceof Error && 'token' in error ? (error.token as Token) : undefined;
}

function placeOf(token: Token, columnsBefore: number): string {
  const [line = 1, column = 1] = token.getPosition();
  return `line ${line}, column ${line === 1 ? Math.max(1, column - columnsBefore) : column}`;
}
