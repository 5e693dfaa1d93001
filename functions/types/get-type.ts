import {
  notificationTypes,
  typeResponse,
} from '../../shared/database/entities/content/notification-types.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { typeNotFound } from './not-found.ts';
import { getTypeRoute } from './routes.ts';

export const handler = endpoint(
  getTypeRoute,
  { notificationTypes },
  async ({ notificationTypes, caller, path }) => {
    const type = await notificationTypes.find(caller.environmentId, path.notificationId);
    if (!type) throw typeNotFound();
    return typeResponse(caller.environmentId, type);
  },
);
