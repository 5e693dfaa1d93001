import { AppError } from '../runtime/errors.ts';

/** Most problems that one error reports. */
export const PROBLEMS_MAX = 20;

/** One problem of a request: its place and the requirement. `error`: its own, if the request has no other. */
export type Problem = { where: string; must: string; error?: AppError };

/** Throws one error with all problems; does nothing if there are none. */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw errorOf(problems);
}

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
