import type { Problem } from '../../shared/http/problems/problems.ts';
import { AppError, type FieldError } from '../../shared/runtime/errors.ts';
import { CHANNELS, CONTENT_BLOCK } from '../../shared/schemas/channel.ts';

const PROBLEMS_MAX = 20;

export function assertTemplate(problems: readonly string[], place?: string): void {
  if (problems.length > 0) throw invalidTemplate(problems, place);
}

/** Problems of Liquid beside others of a request: each names its field. */
export function templateProblems(problems: readonly string[], place?: string): Problem[] {
  return problems.map((problem) => ({
    where: problem,
    must: '',
    error: invalidTemplate([problem]),
    field: fieldErrorOf(problem, place),
  }));
}

function invalidTemplate(problems: readonly string[], place?: string): AppError {
  return new AppError('INVALID_TEMPLATE', {
    message: `${problems.slice(0, PROBLEMS_MAX).join('; ')}.`,
    fix: 'Templates are Liquid: {{ name }}, {% if %}, {% for %}, filters. Close every tag and quote.',
    errors: problems.slice(0, PROBLEMS_MAX).map((problem) => fieldErrorOf(problem, place)),
  });
}

/** `EMAIL html: the tag "if" is not closed (line 2, column 1)`: the channel is present for a request with content. */
const PROBLEM = /^(?:([A-Z_]+) )?([\w.]+)(?::| could not be evaluated:) ([\s\S]+)$/;
/** Of a component, the place is not in the field's text. */
const PLACE = /^(?!component ").*\(line (\d+), column (\d+)\)/s;

/** The problem of a field, as rendering states it. */
export function fieldErrorOf(problem: string, place?: string): FieldError {
  const [, channel, field = '', message = problem] = PROBLEM.exec(problem) ?? [];
  const block = CHANNELS.filter((each) => each === channel && !field.startsWith('options.'));
  const path = [place, ...block.map((each) => CONTENT_BLOCK[each]), field.replace(/^body\./, '')]
    .filter(Boolean)
    .join('.');
  const [, line, column] = PLACE.exec(message) ?? [];
  const at = line ? { line: Number(line), column: Number(column) } : undefined;
  return { path, code: 'INVALID_TEMPLATE', message, ...at };
}
