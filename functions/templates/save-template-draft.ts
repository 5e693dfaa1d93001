import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { templateVersions } from '../../shared/database/entities/content/template-versions.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { changedContent, contentProblems, draftOf, loadTemplateCheck, ownFields } from './draft.ts';
import { assertKnownComponents, assertLayout } from './known-components.ts';
import { refusalOf } from './refusals.ts';
import { saveTemplateDraftRoute } from './routes.ts';
import { readEntry, versionResponse } from './versions.ts';

export const handler = endpoint(
  saveTemplateDraftRoute,
  { notificationTypes, templateVersions, accounts, components },
  async (input) => {
    const { templateVersions, accounts, components, caller, body } = input;
    const check = await loadTemplateCheck();
    const { scope, entry } = await readEntry(input);
    const { linkSchemes = [] } = await accounts.get(caller.accountId);
    const fields = changedContent({}, ownFields(scope.channel, body));
    const draft = draftOf(check, scope.channel, fields, { linkSchemes });
    await assertLayout(components, scope.environmentId, draft.content);
    await assertKnownComponents(components, scope.environmentId, { ids: draft.components, field: 'html' });
    const saved = await templateVersions.saveDraft(scope, entry, draft.content);
    if (!saved) throw refusalOf('too-large');
    return versionResponse(saved);
  },
  (parts) => contentProblems(parts, 'body', parts.body),
);
