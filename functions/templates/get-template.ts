import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { templates } from '../../shared/database/entities/content/templates.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { refusalOf } from './refusals.ts';
import { getTemplateRoute } from './routes.ts';
import { channelProblems, entryOf, scopeOf, templateResponse } from './scope.ts';

export const handler = endpoint(
  getTemplateRoute,
  { notificationTypes, templates },
  async ({ notificationTypes, templates, caller, path, query }) => {
    const scope = scopeOf(caller, path);
    const { environmentId, notificationId, channel } = scope;
    const type = await notificationTypes.find(environmentId, notificationId);
    const entry = entryOf(type, scope, { ...path, ...query });
    const content = await templates.findStoredContent(environmentId, notificationId, channel, entry);
    if (!content) throw refusalOf('no-template');
    return { ...templateResponse(scope, entry), ...content };
  },
  channelProblems,
);
