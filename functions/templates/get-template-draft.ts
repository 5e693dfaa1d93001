import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { templateVersions } from '../../shared/database/entities/content/template-versions.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getTemplateDraftRoute } from './routes.ts';
import { channelProblems } from './scope.ts';
import { knownDraft, readEntry, versionResponse } from './versions.ts';

export const handler = endpoint(
  getTemplateDraftRoute,
  { notificationTypes, templateVersions },
  async (input) => {
    const { scope, entry } = await readEntry(input);
    const draft = knownDraft(await input.templateVersions.findDraft(scope, entry));
    return { ...versionResponse(draft), ...draft.content };
  },
  channelProblems,
);
