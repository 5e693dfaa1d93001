import { typeRemovals } from '../../shared/database/entities/content/type-removal.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { typeNotFound } from './not-found.ts';
import { deleteTypeRoute } from './routes.ts';

export const handler = endpoint(deleteTypeRoute, { typeRemovals }, async ({ typeRemovals, caller, path }) => {
  if (!(await typeRemovals.delete(caller.environmentId, path.notificationId))) throw typeNotFound();
  return { message: 'The notification type and its templates are deleted.' };
});
