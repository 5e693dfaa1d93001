import { templateChanges } from '../../shared/database/entities/content/template-changes.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { deleteTemplateRoute } from './routes.ts';
import { channelProblems, savedEntry, scopeOf } from './scope.ts';

export const handler = endpoint(
  deleteTemplateRoute,
  { templateChanges },
  async ({ templateChanges, caller, path, query }) => {
    const name = { templateId: path.templateId, locale: query.locale };
    savedEntry(await templateChanges.delete(scopeOf(caller, path), name));
    return { message: 'The template is deleted.' };
  },
  channelProblems,
);
