import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { templateChanges } from '../../shared/database/entities/content/template-changes.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { changeContent } from './change-content.ts';
import { changedContent, contentProblems, ownFields } from './draft.ts';
import { updateTemplateRoute } from './routes.ts';
import { scopeOf } from './scope.ts';

export const handler = endpoint(
  updateTemplateRoute,
  { templateChanges, accounts, components },
  (input) => {
    const fields = ownFields(scopeOf(input.caller, input.path).channel, input.body);
    return changeContent(input, (content) => changedContent(content, fields));
  },
  (parts) => contentProblems(parts, 'body', parts.body),
);
