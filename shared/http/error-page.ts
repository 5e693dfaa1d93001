import { AppError, ERRORS } from '../runtime/errors.ts';
import { type Answer, htmlAnswer } from './answer.ts';
import { escapeHtml } from './escape-html.ts';
import { renderPage } from './page.ts';

/** The page that a person sees whose link is old, broken or of somebody who was deleted. */
export function errorPage(error: unknown, requestId: string): Answer {
  const appError = error instanceof AppError ? error : new AppError('INTERNAL');
  const { status } = ERRORS[appError.code];
  const isOurs = status >= 500;
  const heading = isOurs ? 'Something went wrong' : 'This link does not work';
  const sentences = isOurs
    ? 'Nothing was changed. Please open the link again in a few minutes.'
    : [appError.message, appError.fix].filter((each) => each !== undefined).join(' ');
  const body = `<p role="status">${escapeHtml(sentences)}</p>
<p class="note">Reference: ${escapeHtml(requestId)}</p>`;
  return htmlAnswer(status, renderPage({ heading, body }), requestId);
}
