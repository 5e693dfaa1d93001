import { AppError } from '../../shared/runtime/errors.ts';

/** The error for a notification type that the caller's environment does not have. */
export function typeNotFound(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'The notification type does not exist in this environment.',
    fix: 'GET /types lists the notification types with their IDs.',
  });
}
