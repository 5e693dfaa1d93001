import type { Problem } from '../../shared/http/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';

const PROBLEMS_MAX = 20;

/** Throws INVALID_TEMPLATE with the problems, if there are any. */
export function assertTemplate(problems: readonly string[]): void {
  if (problems.length > 0) throw invalidTemplate(problems);
}

/** Problems of Liquid beside others of a request: each names its field. */
export function templateProblems(problems: readonly string[]): Problem[] {
  return problems.map((problem) => ({ where: problem, must: '', error: invalidTemplate([problem]) }));
}

function invalidTemplate(problems: readonly string[]): AppError {
  return new AppError('INVALID_TEMPLATE', {
    message: `${problems.slice(0, PROBLEMS_MAX).join('; ')}.`,
    fix: 'Templates are Liquid: {{ name }}, {% if %}, {% for %}, filters. Close every tag and quote.',
  });
}
