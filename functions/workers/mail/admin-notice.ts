import * as v from 'valibot';
import { escapeHtml } from '../../../shared/channels/email/html-entities.ts';

/** Something that the administrators of an account are to know. */
export const AdminNotice = v.object({
  kind: v.literal('webhook'),
  accountId: v.string(),
  url: v.string(),
  warning: v.picklist(['gone', 'failing', 'given_up']),
});
export type AdminNotice = v.InferOutput<typeof AdminNotice>;

const WEBHOOK_TEXTS = {
  gone: {
    subject: 'Your webhook was disabled',
    what: 'answered 410, which asks for no more calls. It was disabled: events are not told any more.',
  },
  failing: {
    subject: 'Your webhook was disabled',
    what: 'has only failed for five days. It was disabled: events are not told any more.',
  },
  given_up: {
    subject: 'Your webhook does not answer',
    what: 'did not take an event with any of ten attempts over three days. That event is not told any more, later ones are.',
  },
} as const;
const NEXT =
  'GET /webhooks/events shows the last attempts. PUT /webhooks/events enables the webhook again, with the same or another URL.';

/** The mail of a notice. */
export function adminMailOf({ url, warning }: AdminNotice): { subject: string; html: string; text: string } {
  const { subject, what } = WEBHOOK_TEXTS[warning];
  const { origin, pathname } = new URL(url);
  // A query may hold a credential.
  const named = `${origin}${pathname}`;
  return {
    subject,
    html: `<p>The webhook <code>${escapeHtml(named)}</code> ${what}</p><p>${NEXT}</p>`,
    text: `The webhook ${named} ${what}\n\n${NEXT}\n`,
  };
}
