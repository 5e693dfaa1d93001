import { AppError, ERRORS } from '../runtime/errors.ts';
import { type Answer, htmlAnswer } from './answer.ts';
import { escapeHtml } from './escape-html.ts';
import { renderPage } from './page.ts';
import { fillText, pageLanguage } from './page-language.ts';

/**
 * The page that a person sees whose link is old, broken or of somebody who was deleted, in a language that their browser
 * accepts. Only in English does it say which of these.
 */
export function errorPage(error: unknown, requestId: string, acceptLanguage: string | undefined): Answer {
  const appError = error instanceof AppError ? error : new AppError('INTERNAL');
  const { status } = ERRORS[appError.code];
  const isOurs = status >= 500;
  const language = pageLanguage([], acceptLanguage);
  const { texts, locale } = language;
  const exact = [appError.message, appError.fix].filter((each) => each !== undefined).join(' ');
  const sentences = isOurs ? texts.ours : locale === 'en' ? exact : texts.broken;
  const body = `<p role="status">${escapeHtml(sentences)}</p>
<p class="note">${fillText(texts.reference, { id: escapeHtml(requestId) })}</p>`;
  const heading = isOurs ? texts.oursHeading : texts.brokenHeading;
  return htmlAnswer(status, renderPage({ heading, body, language }), requestId);
}
