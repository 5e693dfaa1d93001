import * as v from 'valibot';
import { CONTENT_BYTES_MAX } from '../../shared/database/entities/content/packed-content.ts';
import { LANGUAGES_MAX, type Translations } from '../../shared/database/entities/content/translations.ts';
import { fieldsOf, type RequestParts } from '../../shared/http/problems/check.ts';
import { keyStep } from '../../shared/http/problems/misfits.ts';
import { PROBLEMS_MAX, type Problem } from '../../shared/http/problems/problems.ts';
import { messageProblem } from '../../shared/rendering/language/message-check.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import {
  KEYS_MAX,
  MESSAGE_LENGTH_MAX,
  type TranslationLanguage,
} from '../../shared/schemas/content/translations.ts';
import { Locale } from '../../shared/schemas/users/locale.ts';
import { TOO_LARGE } from '../templates/refusals.ts';
import { languageResponse, noTranslations } from './response.ts';

type Saving = Parameters<Translations['save']>;

/** Saves the translations that `edit` returns. Throws for translations that cannot be stored. */
export async function savedLanguage(
  translations: Translations,
  [environmentId, locale, edit, nowMs]: Saving,
): Promise<TranslationLanguage> {
  const outcome = await translations.save(environmentId, locale, fitting(edit), nowMs);
  if (outcome.kind === 'saved') return languageResponse(outcome.language);
  if (outcome.kind === 'none') throw noTranslations();
  if (outcome.kind === 'full') {
    throw new AppError('INVALID_REQUEST', {
      message: `The environment has reached the limit of ${LANGUAGES_MAX} languages with translations.`,
      path: 'path.locale',
      fix: 'Delete a language that is no longer used.',
    });
  }
  throw new AppError(...TOO_LARGE);
}

const fitting =
  (edit: Saving[2]): Saving[2] =>
  (before) => {
    const messages = edit(before);
    if (isTooLarge(messages)) throw new AppError(...TOO_LARGE);
    if (messages && Object.keys(messages).length > KEYS_MAX) {
      throw new AppError('INVALID_REQUEST', {
        message: `The language would have more than ${KEYS_MAX} keys.`,
        fix: 'Remove keys that are no longer used: send them as null.',
      });
    }
    return messages;
  };

/** Its messages are not parsed: for a body of 6 MB, that takes seconds. */
function isTooLarge(body: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(body) ?? '') > CONTENT_BYTES_MAX;
}

/** The messages that are not valid ICU MessageFormat, each with its key and position. */
export function messageProblems({ path, body }: RequestParts): Problem[] {
  const problems: Problem[] = [];
  const locale = v.safeParse(Locale, path.locale);
  if (isTooLarge(body)) return [];
  for (const [key, message] of Object.entries(fieldsOf(body))) {
    const isText = typeof message === 'string' && message.length <= MESSAGE_LENGTH_MAX;
    const problem = isText ? messageProblem(message, locale.success ? locale.output : 'en') : undefined;
    if (problem)
      problems.push({ where: `body${keyStep(key)}`, must: `must be ICU MessageFormat: ${problem}` });
    if (problems.length > PROBLEMS_MAX) break;
  }
  return problems;
}
