import { defined } from '../../runtime/defined.ts';
import { toAsciiAddress } from './address.ts';
import { type ReadFailure, readFailure } from './failure-reply.ts';
import { plainTextOf } from './plain-text.ts';
import type { InboundMail, MailAttachment } from './read-mail.ts';
import { codeOfComplaint, complaintSuppresses } from './ses-event-codes.ts';

/** A recipient whom a message did not reach, in the words of the delivery log. */
export type ReportedFailure = Pick<ReadFailure, 'code' | 'status' | 'suppresses'> & {
  /** The addresses that the report names the recipient by; none in a bounce in words. */
  recipients: string[];
  diagnosticCode?: string;
};

/** The failures that an email reports about the delivery of another one. */
export type DeliveryReport = { failures: ReportedFailure[] };

type Fields = ReadonlyMap<string, string>;

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status'];
const FEEDBACK_TYPE = 'message/feedback-report';
const PART_BYTES_MAX = 64 * 1024;
const TEXT_CHARACTERS_MAX = 16 * 1024;
const RECIPIENTS_MAX = 50;
const RECIPIENT_FIELDS = ['original-recipient', 'final-recipient', 'x-actual-recipient'];
const OUTCOME_FIELDS = ['action', 'status', 'diagnostic-code'];
const NO_FAILURE = ['delayed', 'delivered', 'relayed', 'expanded'];

/**
 * What an email to a return path reports: failures (RFC 3464, in any of the forms that servers write), a complaint (RFC 5965), or a
 * bounce in words alone, which only a sender that is no person may have written. Without failures for a note that a program sent, such as an absence or a delay.
 */
export function readReport(mail: InboundMail, { mayBeInWords }: { mayBeInWords: boolean }): DeliveryReport {
  const complaint = mail.attachments.find(({ contentType }) => isType(contentType, [FEEDBACK_TYPE]));
  if (complaint) return { failures: [complaintOf(complaint)] };
  const groups = statusTextsOf(mail).flatMap(groupsOf).slice(0, RECIPIENTS_MAX);
  if (groups.length > 0) return { failures: groups.flatMap((fields) => failureOf(fields, proseOf(mail))) };
  return { failures: mayBeInWords ? failureInWords(mail) : [] };
}

/** True if the email is a report by its form, wherever it was sent to. */
export function isReport({ attachments }: InboundMail): boolean {
  return attachments.some(({ contentType }) => isType(contentType, [...STATUS_TYPES, FEEDBACK_TYPE]));
}

const isType = (contentType: string, types: readonly string[]) => types.includes(contentType.toLowerCase());

/** The parts with the fields of a report: by their type, or else any text that has them. */
function statusTextsOf({ attachments, text = '' }: InboundMail): string[] {
  const parts = attachments.filter(({ contentType }) => isType(contentType, STATUS_TYPES)).map(textOf);
  const filled = parts.filter(hasFields);
  if (filled.length > 0) return filled;
  const others = attachments.filter(({ contentType }) => /^text\//i.test(contentType)).map(textOf);
  return [text, ...others].filter(hasFields).slice(0, 1);
}

const hasFields = (text: string) =>
  /^(?:final|original)-recipient\s*:/im.test(text) && /^(?:action|status|diagnostic-code)\s*:/im.test(text);

const textOf = ({ content }: MailAttachment) =>
  Buffer.from(content.subarray(0, PART_BYTES_MAX)).toString('utf8').replace(/\r\n?/g, '\n');

/** The fields of each recipient, by name in lower case: servers mix those of the message in, and leave blank lines out. */
function groupsOf(text: string): Fields[] {
  const groups: Map<string, string>[] = [];
  let current = new Map<string, string>();
  const close = () => {
    if (OUTCOME_FIELDS.some((name) => current.has(name))) groups.push(current);
    current = new Map();
  };
  for (const line of text.replace(/\n[ \t]+(?=\S)/g, ' ').split('\n')) {
    const [, name = '', value = ''] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? [];
    const field = name.toLowerCase();
    const isNext = RECIPIENT_FIELDS.includes(field) && current.has(field);
    if (isNext || (line.trim() === '' && isWhole(current))) close();
    if ([...RECIPIENT_FIELDS, ...OUTCOME_FIELDS].includes(field) && !current.has(field))
      current.set(field, value.trim());
  }
  close();
  return groups;
}

const isWhole = (fields: Fields) =>
  RECIPIENT_FIELDS.some((name) => fields.has(name)) && (fields.has('action') || fields.has('status'));

/** Delays, relays and deliveries are no failure. */
function failureOf(fields: Fields, prose: string): ReportedFailure[] {
  const action = /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0]?.toLowerCase() ?? '';
  const diagnosticCode = fields.get('diagnostic-code') ?? '';
  const status = fields.get('status') ?? '';
  if (NO_FAILURE.includes(action) || status.startsWith('2')) return [];
  const isExpired = action === 'expired';
  const stated = readFailure({ status: isExpired ? '4.4.7' : status, text: diagnosticCode });
  // Where the fields say no more than that it failed, the text part has the server's words.
  const isVague =
    stated.reason === undefined || (stated.reason === 'general' && stated.code.startsWith('PERMANENT_'));
  const read = isVague ? readFailure({ status, text: prose }) : stated;
  const chosen = read.reason === undefined ? stated : read;
  return [{ ...failing(chosen, diagnosticCode), recipients: recipientsOf(fields) }];
}

const failing = ({ code, status, suppresses }: ReadFailure, diagnosticCode: string) => ({
  ...{ code, status, suppresses },
  ...defined({ diagnosticCode: diagnosticCode || undefined }),
});

function recipientsOf(fields: Fields): string[] {
  const named = RECIPIENT_FIELDS.flatMap((name) => {
    const value = fields.get(name)?.replace(/^[^;<"@]*;/, '');
    return value ? [addressIn(name === 'original-recipient' ? decodeXtext(value) : value)] : [];
  });
  return [...new Set(named.filter((address) => address.includes('@')))];
}

/** The address in `Ada <ada@example.com>`, `"ada"@example.com` or `ada@example.com (Ada)`. */
function addressIn(value: string): string {
  const inner = /<([^<>]+)>/.exec(value)?.[1] ?? value.replace(/\([^()]*\)/g, '');
  return toAsciiAddress(inner.trim().replace(/^"([^"\s]+)"(?=@)/, '$1'));
}

/** RFC 3461: `+40` is `@`. An address with a tag stays as it is. */
const decodeXtext = (value: string) =>
  value.replace(/\+([2-7][0-9A-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function complaintOf(part: MailAttachment): ReportedFailure {
  const lines = textOf(part).matchAll(/^([\w-]+)\s*:\s*(.*)$/gm);
  const fields = new Map(
    Array.from(lines, ([, name = '', value = '']) => [name.toLowerCase(), value.trim()]),
  );
  const code = codeOfComplaint((fields.get('feedback-type') ?? '').toLowerCase(), '');
  const recipient = fields.get('original-rcpt-to');
  return {
    code,
    status: '',
    suppresses: complaintSuppresses(code),
    recipients: recipient ? [addressIn(recipient)] : [],
  };
}

const ABSENT =
  /out of (?:the )?office|automatic reply|auto-?reply|auto(?:matic)? ?response|on (?:vacation|holiday|leave)|away from|abwesen|absence|fuera de la oficina|fuori ufficio|ausente|不在/i;
const DELAY =
  /delay(?:ed)?\b|not (?:yet )?been delivered|will (?:keep|continue|be) (?:on )?(?:trying|re-?tr|attempt)|still (?:being|trying)|warning(?: message|: could)|do(?:es)? not need to (?:resend|do anything)|this is a warning|no action is required/i;
const FAILED =
  /undeliver|not (?:be )?deliver|delivery (?:\w+ ){0,3}fail|fail(?:ed|ure)|returned (?:mail|to sender)|could ?n[o']t be|can ?n[o']t be|unable to deliver|permanent|rejected|bounce|giv(?:en|ing) up|unzustellbar|non remis/i;
const COPY =
  /^[-=_ >*#]*(?:below this line|original (?:message|mail)|this is a copy|(?:a|the) copy of|return-path:|received:|forwarded message|unsent message|message headers?|begin(?:ning of)? (?:the )?(?:original )?message|included is|headers? of the)/im;

/** What an email at a return path says without fields: a reply code or a known phrase. What cannot be told is undetermined. */
function failureInWords(mail: InboundMail): ReportedFailure[] {
  const { subject = '', isAutomatic } = mail;
  const prose = proseOf(mail);
  const said = `${subject}\n${prose}`;
  const read = readFailure({ text: prose });
  const hasFailed = FAILED.test(said);
  if (ABSENT.test(subject) || (!hasFailed && (isAutomatic || ABSENT.test(prose)))) return [];
  if (DELAY.test(said) && !/giv(?:en|ing) up|permanent|returned to sender/i.test(said)) return [];
  const known = read.reason !== undefined && (hasFailed || read.status !== '');
  const { code, status, suppresses } = known
    ? read
    : { code: 'UNDETERMINED_BOUNCE' as const, status: '', suppresses: false };
  return [{ code, status, suppresses, recipients: [] }];
}

/** The text of an email before the copy of the one that it is about. */
function proseOf({ text, html }: InboundMail): string {
  const whole = text?.trim() ? text : plainTextOf(html ?? '');
  const [own = ''] = whole.slice(0, TEXT_CHARACTERS_MAX).split(COPY, 1);
  return own.trim() === '' ? whole.slice(0, TEXT_CHARACTERS_MAX) : own;
}
