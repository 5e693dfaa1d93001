import { escapeHtml } from '../../../shared/channels/email/html-entities.ts';
import type { AdminNotice } from '../../../shared/schemas/admin-notice.ts';

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

/** The email of a notice. */
export function adminMailOf({ url, warning }: AdminNotice): { subject: string; html: string; text: string } {
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
