import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { templateChanges } from '../../shared/database/entities/content/template-changes.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf } from '../../shared/http/problems/check.ts';
import { changedContent, contentProblems, draftOf, loadTemplateCheck, ownFields } from './draft.ts';
import { assertKnownComponents, assertLayout } from './known-components.ts';
import { createTemplateRoute } from './routes.ts';
import { savedEntry, scopeOf, templateResponse } from './scope.ts';

export const handler = endpoint(
  createTemplateRoute,
  { templateChanges, accounts, components },
  async (input) => {
    const { templateChanges, accounts, components, caller, path, body, request } = input;
    const creation = creationOf(createTemplateRoute, input);
    const check = await loadTemplateCheck();
    const scope = scopeOf(caller, path);
    const { linkSchemes = [] } = await accounts.get(caller.accountId);
    const { templateId = creation.id, locale, ...fields } = body;
    const draft = draftOf(check, scope.channel, changedContent({}, ownFields(scope.channel, fields)), {
      linkSchemes,
    });
    await assertLayout(components, scope.environmentId, draft.content);
    const outcome = await templateChanges.create(scope, { templateId, locale }, draft, {
      nowMs: request.receivedAtMs,
      creation,
    });
    if (outcome.kind === 'no-component') {
      await assertKnownComponents(components, scope.environmentId, { ids: draft.components, field: 'html' });
    }
    return templateResponse(scope, savedEntry(outcome));
  },
  (parts) => {
    const { templateId: _, locale: __, ...content } = fieldsOf(parts.body);
    return contentProblems(parts, 'body', content);
  },
);
