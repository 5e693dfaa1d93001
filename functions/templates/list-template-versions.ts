import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { templateVersions } from '../../shared/database/entities/content/template-versions.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listTemplateVersionsRoute } from './routes.ts';
import { channelProblems } from './scope.ts';
import { readEntry, versionResponse } from './versions.ts';

export const handler = endpoint(
  listTemplateVersionsRoute,
  { notificationTypes, templateVersions },
  async (input) => {
    const { scope, entry } = await readEntry(input);
    const earlier = await input.templateVersions.listEarlier(scope, entry);
    return { versions: [entry, ...earlier].map(versionResponse) };
  },
  channelProblems,
);
