import { AppError } from '../../shared/runtime/errors.ts';

/** The error for an environment without a webhook. */
export const webhookNotFound = () =>
  new AppError('RESOURCE_NOT_FOUND', {
    message: 'This environment has no webhook.',
    fix: 'Set one with PUT /webhooks/events.',
  });
