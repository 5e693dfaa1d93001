import { AppError } from '../../shared/runtime/errors.ts';

export const webhookNotFound = () =>
  new AppError('RESOURCE_NOT_FOUND', {
    message: 'This environment has no webhook.',
    fix: 'Set one with PUT /webhooks/events.',
  });
