import { translations } from '../../shared/database/entities/content/translations.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { noTranslations } from './response.ts';
import { deleteTranslationsRoute } from './routes.ts';

export const handler = endpoint(
  deleteTranslationsRoute,
  { translations },
  async ({ translations, caller, path }) => {
    if (!(await translations.delete(caller.environmentId, path.locale))) throw noTranslations();
    return { message: 'The translations are deleted.' };
  },
);
