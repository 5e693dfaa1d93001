import { AppError } from '../../../shared/runtime/errors.ts';
import type { Evaluation } from './evaluate.ts';

/** Throws USAGE_LIMIT if the notification would exceed a cap. */
export function assertWithinCaps({ hitCap }: Pick<Evaluation, 'hitCap'>): void {
  if (!hitCap) return;
  throw new AppError('USAGE_LIMIT', {
    message: capMessage(hitCap),
    fix: 'GET /organization/usage shows when the period ends; POST /billing buys a larger plan.',
  });
}

export function capMessage(cap: NonNullable<Evaluation['hitCap']>): string {
  return `The ${cap} of the organization is reached for this billing period.`;
}
