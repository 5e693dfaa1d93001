import { defined } from '../../../runtime/values/defined.ts';
import type { EmailFailureCode } from '../email-failure.ts';
import { readFailure } from '../inbound/failure-reply.ts';

const PERMANENT: Readonly<Record<string, EmailFailureCode>> = {
  NoEmail: 'PERMANENT_NO_EMAIL_BOUNCE',
  Suppressed: 'PERMANENT_SUPPRESSED_BOUNCE',
  OnAccountSuppressionList: 'SUPPRESSED_BOUNCE',
};

const TRANSIENT: Readonly<Record<string, EmailFailureCode>> = {
  MailboxFull: 'TRANSIENT_MAILBOX_FULL_BOUNCE',
  MessageTooLarge: 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE',
  ContentRejected: 'TRANSIENT_CONTENT_REJECTED_BOUNCE',
  AttachmentRejected: 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE',
};

const COMPLAINTS: Readonly<Record<string, EmailFailureCode>> = {
  abuse: 'COMPLAINT_ABUSE',
  'auth-failure': 'COMPLAINT_AUTH',
  fraud: 'COMPLAINT_FRAUD',
  'not-spam': 'COMPLAINT_NOT_SPAM',
  virus: 'COMPLAINT_VIRUS',
};

/** The failure code of a bounce, by its type first: SES adds subtypes. */
export function codeOfBounce(type: string, subType: string): EmailFailureCode {
  if (type === 'Permanent') return find(PERMANENT, subType) ?? 'PERMANENT_GENERAL_BOUNCE';
  if (type === 'Transient') return find(TRANSIENT, subType) ?? 'TRANSIENT_GENERAL_BOUNCE';
  return 'UNDETERMINED_BOUNCE';
}

/**
 * What a bounce means. Unless its subtype says what it is about, the recipient's status and the server's words decide: a permanent
 * status suppresses although SES says transient, and what is about the content or passes does not although it says permanent.
 */
export function bounceOf(
  type: string,
  subType: string,
  { status, diagnosticCode = '' }: { status?: string | undefined; diagnosticCode?: string | undefined },
): { code: EmailFailureCode; suppresses: boolean; isCounted: boolean } {
  const code = codeOfBounce(type, subType);
  const said = { code, suppresses: type === 'Permanent', isCounted: code === 'TRANSIENT_GENERAL_BOUNCE' };
  const isVague = code === 'UNDETERMINED_BOUNCE' || /_(?:GENERAL|NO_EMAIL)_BOUNCE$/.test(code);
  const read = readFailure({ text: diagnosticCode, ...defined({ status }) });
  const isKnown = read.reason !== undefined && read.reason !== 'general';
  const isDecisive =
    type === 'Permanent' ? !read.suppresses : type === 'Transient' && (status ?? read.status).startsWith('5');
  if (!isVague || !isKnown || !isDecisive) return said;
  return {
    code: read.code,
    suppresses: read.suppresses,
    isCounted: read.code === 'TRANSIENT_GENERAL_BOUNCE',
  };
}

/** The failure code of a complaint; no feedback type, or an unlisted one, is COMPLAINT_OTHER. */
export function codeOfComplaint(feedbackType: string, subType: string): EmailFailureCode {
  if (subType === 'OnAccountSuppressionList') return 'SUPPRESSED_COMPLAINT';
  return find(COMPLAINTS, feedbackType) ?? 'COMPLAINT_OTHER';
}

/** Not of a person who does not want the email: of a program about the sender or the content, or of one who wants it. */
const NO_COMPLAINTS: readonly EmailFailureCode[] = [
  'COMPLAINT_AUTH',
  'COMPLAINT_NOT_SPAM',
  'COMPLAINT_VIRUS',
  'SUPPRESSED_COMPLAINT',
];

/** True if a complaint suppresses the address. */
export const complaintSuppresses = (code: EmailFailureCode): boolean => !NO_COMPLAINTS.includes(code);

function find(table: Readonly<Record<string, EmailFailureCode>>, key: string): EmailFailureCode | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
