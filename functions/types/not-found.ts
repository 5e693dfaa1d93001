import { AppError } from '../../shared/runtime/errors.ts';

export function typeNotFound(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'The notification type does not exist in this environment.',
    fix: 'GET /types lists the notification types with their IDs.',
  });
}
