import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { templateChanges, templateState } from '../../shared/database/entities/content/template-changes.ts';
import { templateVersions } from '../../shared/database/entities/content/template-versions.ts';
import { expectState } from '../../shared/database/items/edition.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { changeContent } from './change-content.ts';
import { publishTemplateDraftRoute } from './routes.ts';
import { channelProblems, scopeOf } from './scope.ts';
import { knownDraft, readEntry } from './versions.ts';

export const handler = endpoint(
  publishTemplateDraftRoute,
  { notificationTypes, templateChanges, templateVersions, accounts, components },
  async (input) => {
    const { templateVersions, caller, path, query } = input;
    const scope = scopeOf(caller, path);
    const name = { ...path, ...query };
    const draft = knownDraft(await templateVersions.findDraft(scope, name));
    const { entry } = await readEntry(input);
    // A change that was made after the draft began is replaced by those who have seen it only.
    expectState('template', { ...templateState(entry), version: draft.version });
    const published = await changeContent(input, () => ({ ...draft.content }));
    await templateVersions.deleteDraft(scope, name, draft);
    return published;
  },
  channelProblems,
);
