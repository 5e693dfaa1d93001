import { AppError } from '../../../shared/runtime/errors.ts';

/** The error for a type that does not exist, where none is created on first use. */
export const unknownType = (nearest: string | undefined) =>
  new AppError('MISSING_NOTIFICATION_TYPE', {
    message: `The notification type does not exist, and the environment creates no types.${suggestion(nearest)}`,
    fix: 'Send the ID of a type that GET /types lists, or create the type with POST /types.',
  });

export const createdType = (nearest: string | undefined) =>
  `The notification type did not exist: it is created by this request.${suggestion(nearest)}`;

const suggestion = (nearest: string | undefined) => (nearest ? ` Did you mean ${nearest}?` : '');
