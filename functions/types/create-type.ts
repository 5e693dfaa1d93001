import { notificationTypes, typeAnswer } from '../../shared/database/entities/notification-types.ts';
import { creationOf } from '../../shared/domain/creation.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { newType } from './changed-type.ts';
import { createTypeRoute } from './routes.ts';

export const handler = endpoint(createTypeRoute, { notificationTypes }, async (input) => {
  const { notificationTypes, caller, body, request } = input;
  const creation = creationOf(createTypeRoute, input);
  const type = newType(body, request.receivedAtMs);
  const made = await notificationTypes.create(caller.environmentId, type, creation);
  if (!made) {
    throw new AppError('DUPLICATE_RESOURCE', {
      message: 'A notification type with this ID already exists.',
      fix: 'Change it with PATCH /types/{notificationId}, or choose another notificationId.',
    });
  }
  return typeAnswer(caller.environmentId, made);
});
