import { notificationTypes, typeAnswer } from '../../shared/database/entities/notification-types.ts';
import { idProblems } from '../../shared/http/check.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { changedType } from './changed-type.ts';
import { typeNotFound } from './not-found.ts';
import { updateTypeRoute } from './routes.ts';

export const handler = endpoint(
  updateTypeRoute,
  { notificationTypes },
  async ({ notificationTypes, caller, path, body }) => {
    const type = await notificationTypes.edit(caller.environmentId, path.notificationId, (stored) =>
      changedType(stored, body),
    );
    if (!type) throw typeNotFound();
    return typeAnswer(caller.environmentId, type);
  },
  ({ path, body }) => idProblems('notificationId', path.notificationId, body),
);
