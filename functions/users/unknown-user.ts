import { AppError } from '../../shared/runtime/errors.ts';

export function unknownUser(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'The user does not exist in this environment.',
    fix: 'Create the user with POST /users/{userId}, or by sending to them.',
  });
}
