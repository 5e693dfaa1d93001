import { defined } from '../../../runtime/values/defined.ts';
import { toAsciiAddress } from '../address.ts';
import { plainTextOf } from '../content/plain-text.ts';
import { codeOfComplaint, complaintSuppresses } from '../ses/ses-event-codes.ts';
import { type ReadFailure, readFailure } from './failure-reply.ts';
import { ABSENT } from './failure-words.ts';
import type { InboundMail, MailAttachment } from './read-mail.ts';

/** A recipient whom a message did not reach, in the words of the delivery log. */
export type ReportedFailure = Pick<ReadFailure, 'code' | 'status' | 'suppresses'> & {
  /** The addresses that the report names the recipient by; none in a bounce in words. */
  recipients: string[];
  diagnosticCode?: string;
};

/** The delivery failures of another email that this email reports. */
export type DeliveryReport = { failures: ReportedFailure[] };

type Fields = ReadonlyMap<string, string>;

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status'];
/** That the email was read, or deleted (RFC 8098). */
const RECEIPT_TYPE = 'message/disposition-notification';
const FEEDBACK_TYPE = 'message/feedback-report';
const HOTMAIL_FIELD = 'x-hmxmroriginalrecipient';
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
  const complaint = findComplaint(mail);
  if (complaint) return { failures: [complaintOf(complaint)] };
  if (mail.attachments.some(({ contentType }) => isType(contentType, [RECEIPT_TYPE])))
    return { failures: [] };
  const groups = statusTextsOf(mail).flatMap(groupsOf).slice(0, RECIPIENTS_MAX);
  if (groups.length > 0) return { failures: groups.flatMap((fields) => failureOf(fields, proseOf(mail))) };
  return { failures: mayBeInWords ? failureInWords(mail) : [] };
}

/** True if the email is a report by its form, wherever it was sent to. */
export function isReport(mail: InboundMail): boolean {
  const isStatus = mail.attachments.some(({ contentType }) => isType(contentType, STATUS_TYPES));
  return isStatus || findComplaint(mail) !== undefined;
}

/** The part with the fields of a complaint, or the message that Hotmail's users complain about, which it sends without any. */
function findComplaint({ from = '', attachments }: InboundMail): MailAttachment | undefined {
  const isOfHotmail = (part: MailAttachment) =>
    isType(part.contentType, ['message/rfc822']) &&
    (/^staff@hotmail\.com$/i.test(from) || fieldsOf(part).has(HOTMAIL_FIELD));
  const stated = attachments.find(({ contentType }) => isType(contentType, [FEEDBACK_TYPE]));
  return stated ?? attachments.find(isOfHotmail);
}

const isType = (contentType: string, types: readonly string[]) => types.includes(contentType.toLowerCase());

/** The parts with the fields of a report, by media type. Falls back to any text that contains such fields. */
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

/** The fields of each recipient, by name in lower case. Servers insert fields of the message and omit blank lines. */
function groupsOf(text: string): Fields[] {
  const groups: Map<string, string>[] = [];
  let current = new Map<string, string>();
  const close = () => {
    if (OUTCOME_FIELDS.some((name) => current.has(name))) groups.push(current);
    current = new Map();
  };
  for (const line of text.replace(/\n[ \t]+(?=\S)/g, ' ').split('\n')) {
    const [, name = '', value = ''] = /^([\w-]+)\s*:(.*)/s.exec(line) ?? [];
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
  const fields = fieldsOf(part);
  const isStated = isType(part.contentType, [FEEDBACK_TYPE]);
  const code = codeOfComplaint(isStated ? (fields.get('feedback-type') ?? '').toLowerCase() : 'abuse', '');
  const recipient = fields.get(isStated ? 'original-rcpt-to' : HOTMAIL_FIELD) ?? '';
  const isNamed = recipient.includes('@') && !/redact/i.test(recipient);
  return {
    ...{ code, status: '', suppresses: complaintSuppresses(code) },
    recipients: isNamed ? [addressIn(recipient)] : [],
  };
}

/** The fields up to the first empty line. */
function fieldsOf(part: MailAttachment): Fields {
  const [head = ''] = textOf(part).trimStart().split('\n\n', 1);
  const lines = head.matchAll(/^([\w-]+)\s*:\s*(.*)$/gm);
  return new Map(Array.from(lines, ([, name = '', value = '']) => [name.toLowerCase(), value.trim()]));
}

const DELAY =
  /delay(?:ed)?\b|not (?:yet )?been delivered|will (?:(?:keep|continue|be) (?:on )?)?(?:trying|re-?tr|attempt)|still (?:being|trying)|warning(?: message|: could)|do(?:es)? not need to (?:resend|do anything)|this is a warning|no action is required|verzögert|verspätet|retard[ée]e?|retrasad[oa]|demorad[oa]|in ritardo|atrasad[oa]|vertraagd|opóźnion|задерж|遅延|遅れて|延迟|지연/i;
const FAILED =
  /undeliver|not (?:be )?deliver|delivery (?:\w+ ){0,3}fail|fail(?:ed|ure)|returned (?:mail|to sender)|could ?n[o']t be|can ?n[o']t be|unable to deliver|permanent|rejected|bounce|giv(?:en|ing) up|(?:not|n't) reach|error (?:has )?occurred|error sending|trouble delivering|^[45]\d\d[ -]|unzustellbar|onbestelbaar|falha na entrega|nicht (?:zugestellt|übermittelt)|non remis|échec|(?:pas|être) (?:pu être )?(?:remis|livré|distribué)|no se (?:pudo|ha podido)|no entregado|impossibile (?:recapitare|consegnare)|mancat[ao] (?:recapito|consegna)|não (?:foi possível|entregue|pôde)|niet (?:worden )?(?:bezorgd|afgeleverd)|nie (?:można|dostarczon|udało)|не ?(?:может быть )?доставлен|配[信達](?:でき|に失敗|不能)|届けられ|退信|无法(?:投递|送达)|投递失败|전송(?:할 수|에 실패)|배달되지/im;
const COPY =
  /^[-=_ >*#]*(?:below this line|original (?:message|mail)|this is a copy|(?:a|the) copy of|the attachment contains|return-path:|received:|forwarded message|unsent message|message (?:headers?|details)|begin(?:ning of)? (?:the )?(?:original )?message|included is|headers? of the)/im;

/** What an email at a return path says without fields: a reply code or a known phrase. What cannot be told is undetermined. */
function failureInWords(mail: InboundMail): ReportedFailure[] {
  const { subject = '', isAutomatic } = mail;
  const prose = proseOf(mail);
  const said = `${subject}\n${prose}`;
  const read = readFailure({ text: prose });
  const hasFailed = FAILED.test(said) || read.status !== '';
  if (ABSENT.test(subject) || (!hasFailed && (isAutomatic || ABSENT.test(prose)))) return [];
  if (DELAY.test(said) && !/giv(?:en|ing) up|(?<!fails )permanent|returned to sender/i.test(said)) return [];
  const known = read.reason !== undefined && hasFailed;
  const { code, status, suppresses } = known
    ? read
    : { code: 'UNDETERMINED_BOUNCE' as const, status: '', suppresses: false };
  return [{ code, status, suppresses, recipients: [] }];
}

/** The text of an email before the copy of the original message. */
function proseOf({ text, html }: InboundMail): string {
  const whole = text?.trim() ? text : plainTextOf(html ?? '');
  const [own = ''] = whole.slice(0, TEXT_CHARACTERS_MAX).split(COPY, 1);
  return own.trim() === '' ? whole.slice(0, TEXT_CHARACTERS_MAX) : own;
}
