import type { Profile } from '../../domain/users/profile.ts';
import type { SendRequest } from '../../schemas/sending/send-request.ts';
import { requestParameters, visibleUser } from '../checks/variables.ts';
import { hasTags } from '../syntax/tags.ts';
import { checkSyntax, renderLiquid } from './liquid.ts';

/** Returns whether a condition is met, or why that is unknown: names, limits and places, never values. */
export type ConditionResult = { ok: true; value: boolean } | { ok: false; problem: string };

const NOT_MET: ReadonlySet<string> = new Set(['', 'false', '0', 'no']);
const CLOSES_ONLY = 'the condition closes a tag that it does not open';
const OPENING = '{{ ';

/**
 * Evaluates `options.email.condition`: rendered as Liquid, or, if it has no tags, as the expression of an `{% if %}`. Not
 * met if the outcome, of any case and without the spaces around it, is empty, `false`, `0` or `no`. `atMs` is the value
 * of `now`.
 */
export function evaluateCondition(
  condition: string,
  variables: Readonly<Record<string, unknown>>,
  atMs: number,
): ConditionResult {
  if (isNever(condition)) return { ok: true, value: false };
  if (closesOnly(condition)) return { ok: false, problem: CLOSES_ONLY };
  const source = hasTags(condition) ? condition : `${OPENING}${condition} }}`;
  const rendered = renderLiquid(source, variables, { as: 'plain', atMs });
  if (!rendered.ok) return rendered;
  return { ok: true, value: !isNever(rendered.text) };
}

/** Why an email is not sent by its own condition. */
export type Unmet = { kind: 'unmet' | 'unreadable'; because: string };

/** Evaluates the condition of an email; undefined if it has none or it is met. */
export function findUnmetCondition(
  request: SendRequest,
  user: Partial<Profile>,
  account: Parameters<typeof visibleUser>[1],
  atMs: number,
): Unmet | undefined {
  const condition = request.options?.email?.condition;
  if (condition === undefined) return undefined;
  const variables = { ...requestParameters(request), user: visibleUser(user, account) };
  const result = evaluateCondition(condition, variables, atMs);
  if (!result.ok) {
    const because = `options.email.condition could not be evaluated: ${result.problem}`;
    return { kind: 'unreadable', because };
  }
  return result.value ? undefined : { kind: 'unmet', because: 'options.email.condition is not met' };
}

/** Returns the problem of a condition's syntax; undefined if it can be evaluated. */
export function checkCondition(condition: string): string | undefined {
  if (isNever(condition)) return undefined;
  if (closesOnly(condition)) return CLOSES_ONLY;
  if (hasTags(condition)) return checkSyntax(condition, 'plain');
  return checkSyntax(`${OPENING}${condition} }}`, 'plain', { columnsBefore: OPENING.length });
}

function isNever(text: string): boolean {
  return NOT_MET.has(text.trim().toLowerCase());
}

function closesOnly(condition: string): boolean {
  return !hasTags(condition) && /[%}]\}/.test(condition);
}
