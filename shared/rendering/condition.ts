import { hasTags, renderLiquid } from './liquid.ts';

/** Whether a condition is met, or why that cannot be said: names, limits and places, never values. */
export type ConditionResult = { ok: true; value: boolean } | { ok: false; problem: string };

const NOT_MET: ReadonlySet<string> = new Set(['', 'false', '0', 'no']);

/**
 * Evaluates `options.email.condition` (API 3): rendered as Liquid, or, when it has no tags, as the expression of an
 * `{% if %}`. Not met when the outcome, of any case and without the spaces around it, is empty, `false`, `0` or `no`.
 */
export function evaluateCondition(
  condition: string,
  variables: Readonly<Record<string, unknown>>,
): ConditionResult {
  if (NOT_MET.has(condition.trim().toLowerCase())) return { ok: true, value: false };
  if (!hasTags(condition) && /[%}]\}/.test(condition)) {
    return { ok: false, problem: 'the condition closes a tag that it does not open' };
  }
  const source = hasTags(condition) ? condition : `{{ ${condition} }}`;
  const rendered = renderLiquid(source, variables, { as: 'plain' });
  if (!rendered.ok) return rendered;
  return { ok: true, value: !NOT_MET.has(rendered.text.trim().toLowerCase()) };
}
