import type { RequestParts } from '../../shared/http/check.ts';
import type { Problem } from '../../shared/http/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';

/** The problem of a path with a channel whose addresses are never suppressed. */
export function suppressibleProblems({ path }: RequestParts): Problem[] {
  if (path.channel === 'EMAIL') return [];
  const error = new AppError('INVALID_CHANNEL', {
    message: 'Only the channel EMAIL has suppressions.',
    fix: 'Use the channel EMAIL in the path.',
  });
  return [{ where: 'path.channel', must: 'must be EMAIL', error }];
}
