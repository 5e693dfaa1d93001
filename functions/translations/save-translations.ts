import * as v from 'valibot';
import { CONTENT_BYTES_MAX } from '../../shared/database/entities/packed-content.ts';
import { LANGUAGES_MAX, translations } from '../../shared/database/entities/translations.ts';
import { fieldsOf, type RequestParts } from '../../shared/http/check.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { keyStep } from '../../shared/http/misfits.ts';
import { PROBLEMS_MAX, type Problem } from '../../shared/http/problems.ts';
import { messageProblem } from '../../shared/rendering/message-check.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { Locale } from '../../shared/schemas/locale.ts';
import { TOO_LARGE } from '../templates/refusals.ts';
import { languageAnswer } from './answer.ts';
import { saveTranslationsRoute } from './routes.ts';

export const handler = endpoint(
  saveTranslationsRoute,
  { translations },
  async ({ translations, caller, path, body, request }) => {
    if (isTooLarge(body)) throw new AppError(...TOO_LARGE);
    const { environmentId } = caller;
    const outcome = await translations.save(environmentId, path.locale, body, request.receivedAtMs);
    if (outcome.kind === 'too-large') throw new AppError(...TOO_LARGE);
    if (outcome.kind === 'full') {
      throw new AppError('INVALID_REQUEST', {
        message: `The environment has reached the limit of ${LANGUAGES_MAX} languages with translations.`,
        path: 'path.locale',
        fix: 'Delete a language that is no longer used.',
      });
    }
    return languageAnswer(outcome.language);
  },
  messageProblems,
);

/** Its messages are not parsed: for a body of 6 MB, that takes seconds. */
function isTooLarge(body: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(body) ?? '') > CONTENT_BYTES_MAX;
}

/** The messages that are not valid ICU MessageFormat, each with its key and position. */
function messageProblems({ path, body }: RequestParts): Problem[] {
  const problems: Problem[] = [];
  const locale = v.safeParse(Locale, path.locale);
  if (isTooLarge(body)) return [];
  for (const [key, message] of Object.entries(fieldsOf(body))) {
    const isText = typeof message === 'string';
    const problem = isText ? messageProblem(message, locale.success ? locale.output : 'en') : undefined;
    if (problem)
      problems.push({ where: `body${keyStep(key)}`, must: `must be ICU MessageFormat: ${problem}` });
    if (problems.length > PROBLEMS_MAX) break;
  }
  return problems;
}
