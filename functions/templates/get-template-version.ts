import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { templateVersions } from '../../shared/database/entities/content/template-versions.ts';
import { templates } from '../../shared/database/entities/content/templates.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getTemplateVersionRoute } from './routes.ts';
import { channelProblems } from './scope.ts';
import { readVersion, versionResponse } from './versions.ts';

export const handler = endpoint(
  getTemplateVersionRoute,
  { notificationTypes, templateVersions, templates },
  async (input) => {
    const version = await readVersion(input);
    return { ...versionResponse(version), ...version.content };
  },
  channelProblems,
);
