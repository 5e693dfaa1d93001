import { AppError, type FieldError } from '../../runtime/errors.ts';
import type { FieldCode } from '../../schemas/fields/error.ts';

export const PROBLEMS_MAX = 20;

/**
 * One problem of a request: its place and the requirement. `error`: its own, if the request has no other. `field`: what
 * the response has of it, if that does not follow from the place.
 */
export type Problem = {
  where: string;
  must: string;
  code?: FieldCode;
  error?: AppError;
  field?: FieldError;
};

export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const error = errorOf(problems);
  error.errors = problems.slice(0, PROBLEMS_MAX).map(fieldErrorOf);
  throw error;
}

const PREFIX = /^body(?:\.notifications\[\d+\](?=\.|$))?\.?/;

/** An entry of a bulk request is a body: its paths are the paths of POST /send. */
function fieldErrorOf({ where, must, code, error, field }: Problem): FieldError {
  const path = where.replace(PREFIX, '').replace('header ', 'header.');
  return field ?? { path, code: code ?? ownCode(error) ?? 'INVALID', message: must };
}

const ownCode = (error: AppError | undefined) =>
  error?.code === 'INVALID_REQUEST' ? undefined : error?.code;

/** Problems with the same code are one error of this code; others are INVALID_REQUEST. */
function errorOf(problems: readonly Problem[]): AppError {
  const errors = problems.map(({ error }) => error);
  const [first] = errors;
  if (!first || errors.some((each) => each?.code !== first.code)) return invalidInput(problems);
  if (errors.length === 1) return first;
  const texts = (pick: (error: AppError) => string | undefined) =>
    [...new Set(errors.map((each) => each && pick(each)))].filter(Boolean).join(' ');
  return new AppError(first.code, { message: texts(({ message }) => message), fix: texts(({ fix }) => fix) });
}

function invalidInput(problems: readonly Problem[]): AppError {
  const sentences = problems.slice(0, PROBLEMS_MAX).map(({ where, must }) => `${where} ${must}`.trim());
  const text = `${sentences.join('; ')}${problems.length > sentences.length ? '; and more' : ''}`;
  return new AppError('INVALID_REQUEST', {
    message: text.endsWith('?') ? text : `${text}.`,
    fix: 'Correct the named fields; GET /openapi.json has the shape of every request.',
  });
}
