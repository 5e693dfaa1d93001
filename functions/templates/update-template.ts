import { accounts } from '../../shared/database/entities/accounts.ts';
import { components } from '../../shared/database/entities/components.ts';
import { templateChanges } from '../../shared/database/entities/template-changes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { changedContent, contentProblems, draftOf, loadTemplateCheck, ownFields } from './draft.ts';
import { assertKnownComponents, assertLayout } from './known-components.ts';
import { updateTemplateRoute } from './routes.ts';
import { savedEntry, scopeOf, templateAnswer } from './scope.ts';

export const handler = endpoint(
  updateTemplateRoute,
  { templateChanges, accounts, components },
  async ({ templateChanges, accounts, components, caller, path, query, body, request }) => {
    const check = await loadTemplateCheck();
    const scope = scopeOf(caller, path);
    const { linkSchemes = [] } = await accounts.get(caller.accountId);
    const fields = ownFields(scope.channel, body);
    const draft = draftOf(check, scope.channel, changedContent({}, fields), { linkSchemes });
    await assertLayout(components, scope.environmentId, draft.content);
    const outcome = await templateChanges.edit(
      scope,
      { templateId: path.templateId, locale: query.locale },
      (content) => {
        const changed = changedContent(content, fields);
        const isSame = JSON.stringify(changed) === JSON.stringify(content);
        return isSame ? undefined : draftOf(check, scope.channel, changed, { linkSchemes });
      },
      request.receivedAtMs,
    );
    if (outcome.kind === 'no-component') {
      await assertKnownComponents(components, scope.environmentId, { ids: draft.components, field: 'html' });
    }
    return templateAnswer(scope, savedEntry(outcome));
  },
  (parts) => contentProblems(parts, 'body', parts.body),
);
