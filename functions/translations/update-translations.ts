import { translations } from '../../shared/database/entities/content/translations.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { updateTranslationsRoute } from './routes.ts';
import { messageProblems, savedLanguage } from './saved-translations.ts';

export const handler = endpoint(
  updateTranslationsRoute,
  { translations },
  ({ translations, caller, path, body, request }) => {
    const changed = (before: Record<string, string> | undefined) =>
      before && withoutNulls({ ...before, ...body });
    return savedLanguage(translations, [caller.environmentId, path.locale, changed, request.receivedAtMs]);
  },
  messageProblems,
);

const withoutNulls = (messages: Record<string, string | null>) =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([key, message]) => (message === null ? [] : [[key, message]])),
  );
