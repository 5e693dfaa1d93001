import { AppError } from '../runtime/errors.ts';
import type { Problem } from './problems.ts';
import type { Route } from './route.ts';

const KEY_LENGTH_MAX = 255;
const MUST = `must be 1 to ${KEY_LENGTH_MAX} characters, not all of them spaces`;

/** The problems of the headers that a route reads. */
export function headerProblems({ idempotent }: Route, headers: Readonly<Record<string, string>>): Problem[] {
  const key = headers['idempotency-key'];
  if (!idempotent || key === undefined) return [];
  if (key.trim() !== '' && key.length <= KEY_LENGTH_MAX) return [];
  const error = new AppError('INVALID_REQUEST', {
    message: `The header Idempotency-Key ${MUST}.`,
    fix: 'Send a key such as a UUID, or no header.',
  });
  return [{ where: 'header Idempotency-Key', must: MUST, error }];
}
