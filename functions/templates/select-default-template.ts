import { templateChanges } from '../../shared/database/entities/template-changes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { invalidRequest } from '../../shared/http/problems.ts';
import { modesOf } from '../../shared/schemas/template.ts';
import { selectDefaultTemplateRoute } from './routes.ts';
import { savedEntry, scopeOf, templateAnswer } from './scope.ts';

export const handler = endpoint(
  selectDefaultTemplateRoute,
  { templateChanges },
  async ({ templateChanges, caller, path, body }) => {
    const scope = scopeOf(caller, path);
    const known = modesOf(scope.channel);
    if (body.modes.some((mode) => !known.includes(mode))) {
      throw invalidRequest('body.modes', `must be modes of ${scope.channel}: ${known.join(', ')}`);
    }
    const outcome = await templateChanges.selectDefault(scope, body.templateId, body.modes);
    return templateAnswer(scope, savedEntry(outcome));
  },
);
