import type { RequestParts } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';

export function suppressibleProblems({ path }: RequestParts): Problem[] {
  if (path.channel === 'EMAIL') return [];
  const error = new AppError('INVALID_CHANNEL', {
    message: 'Only the channel EMAIL has suppressions.',
    fix: 'Use the channel EMAIL in the path.',
  });
  return [{ where: 'path.channel', must: 'must be EMAIL', error }];
}
