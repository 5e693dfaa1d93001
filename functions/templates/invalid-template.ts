import { AppError } from '../../shared/runtime/errors.ts';

const PROBLEMS_MAX = 20;

/** Throws INVALID_TEMPLATE with the problems, if there are any. */
export function assertTemplate(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new AppError('INVALID_TEMPLATE', {
    message: `${problems.slice(0, PROBLEMS_MAX).join('; ')}.`,
    fix: 'Templates are Liquid: {{ name }}, {% if %}, {% for %}, filters. Close every tag and quote.',
  });
}
