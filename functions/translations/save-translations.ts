import { translations } from '../../shared/database/entities/content/translations.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { saveTranslationsRoute } from './routes.ts';
import { messageProblems, savedLanguage } from './saved-translations.ts';

export const handler = endpoint(
  saveTranslationsRoute,
  { translations },
  ({ translations, caller, path, body, request }) =>
    savedLanguage(translations, [caller.environmentId, path.locale, () => body, request.receivedAtMs]),
  messageProblems,
);
