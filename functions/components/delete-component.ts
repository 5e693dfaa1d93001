import { componentChanges } from '../../shared/database/entities/content/component-changes.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { refusalOf } from './response.ts';
import { deleteComponentRoute } from './routes.ts';

export const handler = endpoint(
  deleteComponentRoute,
  { componentChanges },
  async ({ componentChanges, caller, path }) => {
    const outcome = await componentChanges.delete(caller.environmentId, path.componentId);
    if (outcome.kind === 'in-use') {
      throw new AppError('RESOURCE_IN_USE', {
        message: `The component is embedded by ${outcome.templates} templates and ${outcome.components} other components.`,
        fix: 'Remove it from their html first; GET /components/{componentId} lists the templates in referencedBy.',
      });
    }
    if (outcome.kind === 'not-found') throw refusalOf('not-found');
    return { message: 'The component is deleted.' };
  },
);
