import { escapeHtml } from '../../../shared/channels/email/content/html-entities.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import type { AdminNotice } from '../../../shared/schemas/logs/admin-notice.ts';
import { adminMailDependencies, mailToAdmins } from './mail-to-admins.ts';

export const noticeDependencies = { accounts, ...adminMailDependencies };

/** Emails a notice to the administrators of its account. Without a mail domain, it only writes a line to the log. */
export async function mailNotice(
  { accounts, ...deps }: Resolved<typeof noticeDependencies>,
  notice: AdminNotice,
  messageId: string,
): Promise<void> {
  const { accountId, kind } = notice;
  const account = await accounts.find(accountId);
  if (!account) return;
  const named = { name: kind, id: `${kind}-${messageId}` };
  const isSent = await mailToAdmins(deps, account, named, adminMailOf(notice));
  if (!isSent) log.warn('no administrator could be emailed', { accountId });
}

const WEBHOOK_TEXTS = {
  gone: {
    subject: 'Your webhook was disabled',
    what: 'responded with 410 Gone, so we disabled it. No more events are sent to it.',
  },
  failing: {
    subject: 'Your webhook was disabled',
    what: 'has failed continuously for five days. It was disabled: events are no longer sent.',
  },
  resting: {
    subject: 'Your webhook does not respond',
    what: 'has not responded for a day. It is tried every five minutes; events that find it resting are tried again, ten times over three days.',
  },
  given_up: {
    subject: 'Your webhook does not respond',
    what: 'did not accept an event in ten attempts over three days. It will not be sent again; later events will.',
  },
} as const;
const NEXT =
  'GET /webhooks/events shows the last attempts. PUT /webhooks/events enables the webhook again, with the same or another URL.';

function adminMailOf({ url, warning }: AdminNotice): { subject: string; html: string; text: string } {
  const { subject, what } = WEBHOOK_TEXTS[warning];
  const { origin, pathname } = new URL(url);
  // A query may contain a credential.
  const named = `${origin}${pathname}`;
  return {
    subject,
    html: `<p>The webhook <code>${escapeHtml(named)}</code> ${what}</p><p>${NEXT}</p>`,
    text: `The webhook ${named} ${what}\n\n${NEXT}\n`,
  };
}
