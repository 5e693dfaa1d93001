import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { templateVersions } from '../../shared/database/entities/content/template-versions.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { deleteTemplateDraftRoute } from './routes.ts';
import { channelProblems } from './scope.ts';
import { readEntry } from './versions.ts';

export const handler = endpoint(
  deleteTemplateDraftRoute,
  { notificationTypes, templateVersions },
  async (input) => {
    const { scope, entry } = await readEntry(input);
    await input.templateVersions.deleteDraft(scope, entry);
    return { message: 'The draft is discarded.' };
  },
  channelProblems,
);
