import { AppError } from '../runtime/errors.ts';

/** Most problems that one error reports. */
export const PROBLEMS_MAX = 20;

/** One problem of a request: its place and the requirement. */
export type Problem = { where: string; must: string };

/** Throws INVALID_REQUEST with all problems; does nothing if there are none. */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidInput(problems);
}

/** Returns the error for one problem that a schema cannot find. `must` follows the place: `is required`. */
export function invalidRequest(where: string, must: string): AppError {
  return invalidInput([{ where, must }]);
}

function invalidInput(problems: readonly Problem[]): AppError {
  const sentences = problems.slice(0, PROBLEMS_MAX).map(({ where, must }) => `${where} ${must}`);
  const text = `${sentences.join('; ')}${problems.length > sentences.length ? '; and more' : ''}`;
  return new AppError('INVALID_REQUEST', {
    message: text.endsWith('?') ? text : `${text}.`,
    fix: 'Correct the named fields; GET /openapi.json has the shape of every request.',
  });
}
