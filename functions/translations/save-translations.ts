import { CONTENT_BYTES_MAX } from '../../shared/database/entities/packed-content.ts';
import { LANGUAGES_MAX, translations } from '../../shared/database/entities/translations.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { assertNoProblems, PROBLEMS_MAX, type Problem } from '../../shared/http/problems.ts';
import { messageProblem } from '../../shared/rendering/message-check.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { TOO_LARGE } from '../templates/refusals.ts';
import { languageAnswer } from './answer.ts';
import { saveTranslationsRoute } from './routes.ts';

export const handler = endpoint(
  saveTranslationsRoute,
  { translations },
  async ({ translations, caller, path, body, request }) => {
    // Before the messages are parsed: a body of 6 MB takes seconds.
    if (Buffer.byteLength(JSON.stringify(body)) > CONTENT_BYTES_MAX) throw new AppError(...TOO_LARGE);
    assertNoProblems(problemsOf(body, path.locale));
    const { environmentId } = caller;
    const outcome = await translations.save(environmentId, path.locale, body, request.receivedAtMs);
    if (outcome.kind === 'too-large') throw new AppError(...TOO_LARGE);
    if (outcome.kind === 'full') {
      throw new AppError('INVALID_REQUEST', {
        message: `The environment has reached the limit of ${LANGUAGES_MAX} languages with translations.`,
        fix: 'Delete a language that is no longer used.',
      });
    }
    return languageAnswer(outcome.language);
  },
);

/** The messages that are not valid ICU MessageFormat, each with its key and position. */
function problemsOf(messages: Readonly<Record<string, string>>, locale: string): Problem[] {
  const problems: Problem[] = [];
  for (const [key, message] of Object.entries(messages)) {
    const problem = messageProblem(message, locale);
    if (problem) problems.push({ where: `body["${key}"]`, must: `must be ICU MessageFormat: ${problem}` });
    if (problems.length > PROBLEMS_MAX) break;
  }
  return problems;
}
