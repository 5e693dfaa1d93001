import * as v from 'valibot';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { type Route, route } from '../../shared/http/rows/route.ts';
import {
  TranslationLanguage,
  TranslationsBody,
  TranslationsChange,
} from '../../shared/schemas/content/translations.ts';
import { ContentLocale } from '../../shared/schemas/users/locale.ts';

const exampleMessages = {
  'cart.items': '{count, plural, =0 {Dein Warenkorb ist leer} one {# Artikel} other {# Artikel}}',
  greeting: 'Hallo {name}',
};
const exampleLanguage = { locale: 'de', keyCount: 2, updatedAt: '2026-11-22T08:30:00.000Z' };

const row = { access: SERVER_ACCESS } as const satisfies Partial<Route>;
const language = {
  path: '/translations/{locale}',
  pathParameters: v.object({ locale: ContentLocale }),
} as const;

export const listTranslationsRoute = route({
  ...row,
  id: 'listTranslations',
  method: 'GET',
  etag: 'list',
  path: '/translations',
  response: { kind: 'json', body: v.object({ translations: v.array(TranslationLanguage) }) },
  grants: { table: ['get', 'update'] },
  summary: 'List the languages that have translations',
  example: { response: { translations: [exampleLanguage] } },
});

export const getTranslationsRoute = route({
  ...row,
  ...language,
  id: 'getTranslations',
  method: 'GET',
  etag: 'translations',
  response: { kind: 'json', body: v.record(v.string(), v.string()) },
  grants: { table: ['get', 'update'] },
  summary: 'Get the translations of a language',
  description: 'Flat JSON: ICU messages by key, as saved.',
  example: { response: exampleMessages },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const saveTranslationsRoute = route({
  ...row,
  ...language,
  id: 'saveTranslations',
  method: 'PUT',
  etag: 'translations',
  body: TranslationsBody,
  response: { kind: 'json', body: TranslationLanguage },
  grants: { table: ['get', 'put', 'update'] },
  summary: 'Save the translations of a language',
  description:
    "Replaces all of them: at most 10,000 keys, each with a message in ICU MessageFormat. An invalid message is reported with its key, line and column. A key that the user's language lacks falls back to the account's locale, then to the key itself.",
  example: { request: exampleMessages, response: exampleLanguage },
});

export const updateTranslationsRoute = route({
  ...row,
  ...language,
  id: 'updateTranslations',
  method: 'PATCH',
  etag: 'translations',
  body: TranslationsChange,
  response: { kind: 'json', body: TranslationLanguage },
  grants: { table: ['get', 'put', 'update'] },
  summary: 'Change single texts of a language',
  description: 'Absent keys stay unchanged, null removes one. Creates no language: PUT does.',
  example: { request: { greeting: 'Guten Tag {name}', 'cart.old': null }, response: exampleLanguage },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const deleteTranslationsRoute = route({
  ...row,
  ...language,
  id: 'deleteTranslations',
  method: 'DELETE',
  etag: 'translations',
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'put', 'update', 'delete'] },
  summary: 'Delete the translations of a language',
  example: { response: { message: 'The translations are deleted.' } },
  errors: ['RESOURCE_NOT_FOUND'],
});
