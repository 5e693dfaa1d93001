import type { InboundMessage } from '../schemas/inbound-message.ts';
import type { LogFields } from '../schemas/log-record.ts';

/** The fields `email_inbound_*` of the log that an inbound email's record fills. */
export function inboundEmailFields(record: InboundMessage): LogFields {
  const { attachments = [], resolutionType } = record;
  const joined = (list: readonly string[] | undefined) => (list?.length ? list.join(', ') : undefined);
  return {
    email_inbound_from: record.from,
    email_inbound_from_name: record.fromName,
    email_inbound_to: joined(record.to),
    email_inbound_cc: joined(record.cc),
    email_inbound_bcc: joined(record.bcc),
    email_inbound_reply_to: record.replyTo,
    email_inbound_inbox: record.inbox,
    email_inbound_subject: record.subject,
    email_inbound_body_text: record.bodyText,
    email_inbound_body_html: record.bodyHtml,
    email_inbound_has_attachments: attachments.length > 0,
    email_inbound_attachment_count: attachments.length,
    email_inbound_internal: record.cut?.length ? `omitted: ${record.cut.join(', ')}` : undefined,
    email_inbound_message_id: record.messageId,
    email_inbound_in_reply_to: record.inReplyTo,
    email_inbound_references: record.references,
    ...(resolutionType === undefined || resolutionType === 'inbound'
      ? {}
      : { email_inbound_resolution_type: resolutionType }),
  };
}
