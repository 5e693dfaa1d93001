import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { templateChanges } from '../../shared/database/entities/content/template-changes.ts';
import { templateVersions } from '../../shared/database/entities/content/template-versions.ts';
import { templates } from '../../shared/database/entities/content/templates.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { changeContent } from './change-content.ts';
import { restoreTemplateVersionRoute } from './routes.ts';
import { channelProblems } from './scope.ts';
import { readVersion } from './versions.ts';

export const handler = endpoint(
  restoreTemplateVersionRoute,
  { notificationTypes, templateChanges, templateVersions, templates, accounts, components },
  async (input) => {
    const { content } = await readVersion(input);
    return changeContent(input, () => ({ ...content }));
  },
  channelProblems,
);
