import * as v from 'valibot';
import { INBOUND_PREFIX } from '../../../shared/blobs/blob-folders.ts';

/** A received email: where it is stored, and what the receiving server reports about it. */
export type MailNotice = {
  objectName: string;
  /** The recipients of the envelope. The sender controls the headers, so they decide nothing. */
  recipients: string[];
  /** True if the envelope has no sender, as with bounces and automatic notes, or a server as its sender. */
  isFromNobody: boolean;
  hasNoSender: boolean;
  verdicts: Record<string, string>;
};

const VERDICTS = ['spam', 'virus', 'spf', 'dkim', 'dmarc'] as const;
const NOBODY = /^(?:<>)?$|^<?(?:mailer-daemon|postmaster)@/i;
const Verdict = v.optional(v.object({ status: v.string() }));
const Notification = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ Message: v.pipe(v.string(), v.parseJson()) }),
);
const Received = v.object({
  notificationType: v.literal('Received'),
  mail: v.object({
    messageId: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,128}$/)),
    source: v.fallback(v.optional(v.string(), ''), ''),
  }),
  receipt: v.object({
    recipients: v.array(v.string()),
    spamVerdict: Verdict,
    virusVerdict: Verdict,
    spfVerdict: Verdict,
    dkimVerdict: Verdict,
    dmarcVerdict: Verdict,
  }),
});

/**
 * The email that an SNS notification of SES's S3 action is about
 * (https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html); undefined for anything else.
 */
export function findMailNotice(body: string): MailNotice | undefined {
  const notification = v.safeParse(Notification, body);
  const received = v.safeParse(Received, notification.success ? notification.output.Message : undefined);
  if (!received.success) return undefined;
  const { mail, receipt } = received.output;
  const verdicts: Record<string, string> = {};
  for (const name of VERDICTS) {
    const status = receipt[`${name}Verdict`]?.status;
    if (status !== undefined) verdicts[name] = status.toLowerCase();
  }
  const isFromNobody = NOBODY.test(mail.source.trim());
  return {
    objectName: INBOUND_PREFIX + mail.messageId,
    recipients: receipt.recipients,
    isFromNobody,
    hasNoSender: /^(?:<>)?$/.test(mail.source.trim()),
    verdicts,
  };
}
