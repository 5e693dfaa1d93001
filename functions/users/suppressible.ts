import { AppError } from '../../shared/runtime/errors.ts';

/** Throws INVALID_CHANNEL for a channel whose addresses are never suppressed. */
export function assertSuppressible(channel: string): void {
  if (channel === 'EMAIL') return;
  throw new AppError('INVALID_CHANNEL', {
    message: 'Only the channel EMAIL has suppressions.',
    fix: 'Use the channel EMAIL in the path.',
  });
}
