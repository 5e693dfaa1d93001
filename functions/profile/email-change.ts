import type { Member, Members } from '../../shared/database/entities/members.ts';
import { escapeHtml } from '../../shared/http/escape-html.ts';
import { renderPage } from '../../shared/http/page.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { readExpiringToken } from '../../shared/tokens/expiring-token.ts';
import type { Signer } from '../../shared/tokens/signer.ts';

/** The change that a confirmation link stands for. `isDone`: the address was confirmed before. */
export type EmailChange = { member: Member; email: string; isDone: boolean };

/** Reads a confirmation link; throws RESOURCE_NOT_FOUND when it is not ours, has expired or a later one replaced it. */
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

/** The error of a link that confirms nothing. */
export function invalidLink(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'The link is not valid, has expired or was replaced by a later one.',
    fix: 'Ask for the change again: POST /profile/change-email.',
  });
}

/** A page about the new address and, before it is confirmed, a button. */
export function confirmationPage(email: string, isDone: boolean): string {
  const address = `<strong>${escapeHtml(email)}</strong>`;
  return isDone
    ? renderPage({
        heading: 'Your new address is confirmed',
        body: `<p role="status">You sign in with ${address} from now on. You can close this page.</p>`,
      })
    : renderPage({
        heading: 'Confirm your email address',
        body: `<p>Do you want to sign in with ${address} from now on?</p>
<form method="post"><button type="submit">Confirm</button></form>
<p class="note">Nothing changes until you press the button.</p>`,
      });
}
