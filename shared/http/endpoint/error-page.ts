import { AppError, ERRORS, type ErrorCode } from '../../runtime/errors.ts';
import { escapeHtml } from '../pages/escape-html.ts';
import { renderPage } from '../pages/page.ts';
import { fillText, pageLanguage } from '../pages/page-language.ts';
import { type HttpResponse, htmlResponse } from './response.ts';

/** Codes of what is wrong with a link. */
const BROKEN: ReadonlySet<ErrorCode> = new Set(['INVALID_REQUEST', 'RESOURCE_NOT_FOUND']);

/**
 * Renders the page for a link that is old, broken or belongs to a deleted user, or for what failed behind a good one, in a
 * language that the browser accepts. Only the English page gives the exact reason.
 */
export function errorPage(
  error: unknown,
  requestId: string,
  acceptLanguage: string | undefined,
): HttpResponse {
  const appError = error instanceof AppError ? error : new AppError('INTERNAL');
  const { status } = ERRORS[appError.code];
  if (appError.page) return htmlResponse(status, appError.page, requestId);
  const isOurs = status >= 500;
  const isBroken = BROKEN.has(appError.code) && !appError.isAboutBody;
  const language = pageLanguage([], acceptLanguage);
  const { texts, locale } = language;
  const exact = [appError.message, appError.fix].filter((each) => each !== undefined).join(' ');
  const sentences = !isOurs && locale === 'en' ? exact : isBroken ? texts.broken : texts.ours;
  const body = `<p role="status">${escapeHtml(sentences)}</p>
<p class="note">${fillText(texts.reference, { id: escapeHtml(requestId) })}</p>`;
  const heading = isBroken ? texts.brokenHeading : texts.oursHeading;
  return htmlResponse(status, renderPage({ heading, body, language }), requestId);
}
