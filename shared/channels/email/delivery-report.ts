import { defined } from '../../runtime/defined.ts';
import type { EmailFailureCode } from './email-failure.ts';
import type { InboundMail, MailAttachment } from './read-mail.ts';
import { codeOfReply } from './smtp-failure.ts';

/** A recipient whom a message did not reach, in the words of the delivery log. */
export type ReportedFailure = {
  /** The addresses that the report names the recipient by. */
  recipients: string[];
  code: EmailFailureCode;
  status: string;
  diagnosticCode?: string;
};

/** The failures that an email reports about the delivery of another one (RFC 3464). */
export type DeliveryReport = { failures: ReportedFailure[] };

type Fields = ReadonlyMap<string, string>;

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status'];
const PART_BYTES_MAX = 64 * 1024;
const RECIPIENTS_MAX = 50;
const ENHANCED = /\b([245]\.\d{1,3}\.\d{1,3})\b/;

/** The delivery report in an email; undefined if it has none. */
export function findDeliveryReport({ attachments }: InboundMail): DeliveryReport | undefined {
  const report = attachments.find(({ contentType }) => STATUS_TYPES.includes(contentType.toLowerCase()));
  if (!report) return undefined;
  const [, ...recipients] = blocksOf(report);
  return { failures: recipients.slice(0, RECIPIENTS_MAX).flatMap(failureOf) };
}

/** The groups of fields of a part, by name in lower case; lines that continue one are joined. */
function blocksOf({ content }: MailAttachment): Fields[] {
  const text = Buffer.from(content.subarray(0, PART_BYTES_MAX)).toString('utf8').replace(/\r\n?/g, '\n');
  const blocks = text.replace(/\n[ \t]+(?=\S)/g, ' ').split(/\n{2,}/);
  return blocks.filter((block) => block.trim() !== '').map(fieldsOf);
}

function fieldsOf(block: string): Fields {
  const pairs = block.split('\n').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
  });
  // The first of a name counts.
  return new Map(pairs.reverse());
}

/** Delays, relays and deliveries are no failure. */
function failureOf(fields: Fields): ReportedFailure[] {
  if (fields.get('action')?.toLowerCase() !== 'failed') return [];
  const recipients = ['original-recipient', 'final-recipient'].flatMap((name) => {
    const address = fields
      .get(name)
      ?.replace(/^[^;]*;/, '')
      .trim()
      .replace(/^<|>$/g, '');
    return address ? [address] : [];
  });
  const diagnosticCode = fields.get('diagnostic-code');
  const status = statusOf(fields.get('status') ?? '', diagnosticCode ?? '');
  const code = codeOf(status, diagnosticCode ?? '');
  return [
    {
      recipients: [...new Set(recipients)],
      code,
      status,
      ...defined({ diagnosticCode: diagnosticCode || undefined }),
    },
  ];
}

/** The status field, or the server's own status if the field only states that delivery failed. */
function statusOf(field: string, diagnosticCode: string): string {
  const status = ENHANCED.exec(field)?.[1] ?? '';
  const isVague = status === '' || status.endsWith('.0.0');
  return (isVague ? ENHANCED.exec(diagnosticCode)?.[1] : undefined) ?? status;
}

/**
 * By the same rules as a rejection while sending; security and content (x.6, x.7) are reported after the
 * message's data.
 */
function codeOf(status: string, diagnosticCode: string): EmailFailureCode {
  const smtpCode = /\b([45]\d\d)\b/.exec(diagnosticCode)?.[1];
  if (status === '' && smtpCode === undefined) return 'UNDETERMINED_BOUNCE';
  const code = Number(smtpCode ?? `${status[0]}00`);
  const command = /^[45]\.[67]\./.test(status) ? 'DATA' : 'RCPT TO';
  return codeOfReply({ command, code, enhanced: status, text: diagnosticCode });
}
