import { translations } from '../../shared/database/entities/content/translations.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { noTranslations } from './response.ts';
import { getTranslationsRoute } from './routes.ts';

export const handler = endpoint(
  getTranslationsRoute,
  { translations },
  async ({ translations, caller, path }) => {
    const messages = await translations.find(caller.environmentId, path.locale);
    if (!messages) throw noTranslations();
    return messages;
  },
);
