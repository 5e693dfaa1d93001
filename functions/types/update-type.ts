import { notificationTypes, typeAnswer } from '../../shared/database/entities/notification-types.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { invalidRequest } from '../../shared/http/problems.ts';
import { changedType } from './changed-type.ts';
import { typeNotFound } from './not-found.ts';
import { updateTypeRoute } from './routes.ts';

export const handler = endpoint(
  updateTypeRoute,
  { notificationTypes },
  async ({ notificationTypes, caller, path, body }) => {
    if (body.notificationId !== undefined && body.notificationId !== path.notificationId) {
      throw invalidRequest('body.notificationId', 'must be the ID in the path, or be omitted');
    }
    const type = await notificationTypes.edit(caller.environmentId, path.notificationId, (stored) =>
      changedType(stored, body),
    );
    if (!type) throw typeNotFound();
    return typeAnswer(caller.environmentId, type);
  },
);
