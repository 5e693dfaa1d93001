import type { Member, Members } from '../../shared/database/entities/access/members.ts';
import { escapeHtml } from '../../shared/http/pages/escape-html.ts';
import { renderPage } from '../../shared/http/pages/page.ts';
import { fillText, pageLanguage } from '../../shared/http/pages/page-language.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { readExpiringToken } from '../../shared/tokens/expiring-token.ts';
import type { Signer } from '../../shared/tokens/signer.ts';

/** The change that a confirmation link represents. `isDone`: the address was confirmed before. */
export type EmailChange = { member: Member; email: string; isDone: boolean };

/**
 * Reads a confirmation link; throws RESOURCE_NOT_FOUND if the service did not issue it, it has expired, or a later link replaced
 * it.
 */
export async function getEmailChange(
  signer: Signer,
  members: Members,
  token: string,
  nowMs: number,
): Promise<EmailChange> {
  const named = await readExpiringToken(signer, 'email-change', token, nowMs);
  const member = named && (await members.find(named.accountId, named.memberId));
  const isDone = named !== undefined && member?.email === named.subject;
  if (!named || !member || (member.pendingEmail !== named.subject && !isDone)) throw invalidLink();
  return { member, email: named.subject, isDone };
}

export function invalidLink(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'The link is not valid, has expired or was replaced by a later link.',
    fix: 'Open the link of the newest email, or request the change of the address again.',
  });
}

/**
 * Renders a page about the new address with a button, or with the result if it is confirmed, in a language
 * that the browser accepts.
 */
export function confirmationPage(email: string, isDone: boolean, acceptLanguage: string | undefined): string {
  const language = pageLanguage([], acceptLanguage);
  const { texts } = language;
  const values = { email: `<strong>${escapeHtml(email)}</strong>` };
  if (isDone) {
    const body = `<p role="status">${fillText(texts.confirmed, values)}</p>`;
    return renderPage({ heading: texts.confirmedHeading, body, language });
  }
  return renderPage({
    heading: texts.confirmHeading,
    body: `<p>${fillText(texts.confirmAsk, values)}</p>
<form method="post"><button type="submit">${escapeHtml(texts.confirm)}</button></form>
<p class="note">${escapeHtml(texts.nothingYet)}</p>`,
    language,
  });
}
