import { accounts } from '../../shared/database/entities/accounts.ts';
import { templateChanges } from '../../shared/database/entities/template-changes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { changedContent, draftOf, loadTemplateCheck, ownFields } from './draft.ts';
import { createTemplateRoute } from './routes.ts';
import { savedEntry, scopeOf, templateAnswer } from './scope.ts';

export const handler = endpoint(
  createTemplateRoute,
  { templateChanges, accounts },
  async ({ templateChanges, accounts, caller, path, body, request }) => {
    const check = await loadTemplateCheck();
    const scope = scopeOf(caller, path);
    const { linkSchemes = [] } = await accounts.get(caller.accountId);
    const { templateId = newId(), locale, ...fields } = body;
    const draft = draftOf(
      check,
      scope.channel,
      changedContent({}, ownFields(scope.channel, fields)),
      linkSchemes,
    );
    const outcome = await templateChanges.create(scope, { templateId, locale }, draft, request.receivedAtMs);
    return templateAnswer(scope, savedEntry(outcome));
  },
);
