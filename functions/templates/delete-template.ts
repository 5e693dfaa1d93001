import { templateChanges } from '../../shared/database/entities/template-changes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deleteTemplateRoute } from './routes.ts';
import { savedEntry, scopeOf } from './scope.ts';

export const handler = endpoint(
  deleteTemplateRoute,
  { templateChanges },
  async ({ templateChanges, caller, path }) => {
    savedEntry(await templateChanges.delete(scopeOf(caller, path), path.templateId));
    return { message: 'The template is deleted.' };
  },
);
