import { translations } from '../../shared/database/entities/translations.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { languageAnswer } from './answer.ts';
import { listTranslationsRoute } from './routes.ts';

export const handler = endpoint(
  listTranslationsRoute,
  { translations },
  async ({ translations, caller }) => ({
    translations: (await translations.list(caller.environmentId)).map(languageAnswer),
  }),
);
