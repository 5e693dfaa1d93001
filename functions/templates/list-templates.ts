import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { refusalOf } from './refusals.ts';
import { listTemplatesRoute } from './routes.ts';
import { channelProblems, scopeOf, templateResponse } from './scope.ts';

export const handler = endpoint(
  listTemplatesRoute,
  { notificationTypes },
  async ({ notificationTypes, caller, path }) => {
    const scope = scopeOf(caller, path);
    const type = await notificationTypes.find(scope.environmentId, scope.notificationId);
    if (!type) throw refusalOf('no-type');
    const own = type.templates.filter((entry) => entry.channel === scope.channel);
    return { templates: own.map((entry) => templateResponse(scope, entry)) };
  },
  channelProblems,
);
