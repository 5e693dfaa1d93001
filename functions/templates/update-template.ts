import { templateChanges } from '../../shared/database/entities/template-changes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { changedContent, draftOf, loadTemplateCheck, ownFields } from './draft.ts';
import { updateTemplateRoute } from './routes.ts';
import { savedEntry, scopeOf, templateAnswer } from './scope.ts';

export const handler = endpoint(
  updateTemplateRoute,
  { templateChanges },
  async ({ templateChanges, caller, path, body, request }) => {
    const check = await loadTemplateCheck();
    const scope = scopeOf(caller, path);
    const fields = ownFields(scope.channel, body);
    draftOf(check, scope.channel, changedContent({}, fields));
    const outcome = await templateChanges.edit(
      scope,
      path.templateId,
      (content) => {
        const changed = changedContent(content, fields);
        const isSame = JSON.stringify(changed) === JSON.stringify(content);
        return isSame ? undefined : draftOf(check, scope.channel, changed);
      },
      request.receivedAtMs,
    );
    return templateAnswer(scope, savedEntry(outcome));
  },
);
