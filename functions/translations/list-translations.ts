import { translations } from '../../shared/database/entities/content/translations.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { languageResponse } from './response.ts';
import { listTranslationsRoute } from './routes.ts';

export const handler = endpoint(
  listTranslationsRoute,
  { translations },
  async ({ translations, caller }) => ({
    translations: (await translations.list(caller.environmentId)).map(languageResponse),
  }),
);
