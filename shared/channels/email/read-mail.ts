import { createHash } from 'node:crypto';
import type { Address, Attachment, Email } from 'postal-mime';
import { findSetting } from '../../runtime/config.ts';
import { defined } from '../../runtime/defined.ts';
import { toStorable } from '../../runtime/storable-text.ts';
import { withoutControls } from './address.ts';
import { boundMail } from './bound-mail.ts';
import { OWN_MARK } from './message-id.ts';
import { plainTextOf } from './plain-text.ts';
import { readableMail } from './readable-mail.ts';

/** A parsed email: every text is within limits and free of characters that a queue or the table rejects. */
export type InboundMail = {
  from?: string;
  fromName?: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo?: string;
  subject?: string;
  messageId?: string;
  inReplyTo?: string;
  references?: string;
  text?: string;
  strippedText?: string;
  html?: string;
  /** IDs of the emails it replies to, nearest first: of In-Reply-To, then of References from the right. */
  answers: string[];
  attachments: MailAttachment[];
  /** An automatic reply (RFC 3834), such as an out-of-office note. */
  isAutomatic: boolean;
  /** The tracking ID in the header of an email that this service sent. */
  ownMark?: string;
  /** What SES's headers say against it (spam, virus), and what a trusted relay found (spf, dkim, dmarc), in lower case. */
  verdicts: Record<string, string>;
  /**
   * The same for all copies of one email, however they were routed. Undefined for email without Message-ID.
   */
  fingerprint?: string;
  /**
   * Parts that exceeded a limit and were omitted: `bytes`, `lines`, `parts`, `headers`, `addresses`, `attachments`,
   * …
   */
  cut: string[];
};

/** An attachment; its name is as sent and must not be used as a path. */
export type MailAttachment = {
  filename: string;
  contentType: string;
  contentId?: string;
  content: Uint8Array;
};

/**
 * GET /logs returns 100 records within the 6 MB of a response: longer bodies are cut; the complete email
 * stays stored.
 */
const TEXT_LENGTH_MAX = 16 * 1024;
const HTML_LENGTH_MAX = 32 * 1024;
const BYTES_PER_CHARACTER_MAX = 3;
const FIELD_BYTES_MAX = 1024;
const REFERENCES_BYTES_MAX = 4096;
const ADDRESSES_MAX = 50;
const ADDRESS_BYTES_MAX = 320;
const ANSWERS_MAX = 25;
const ATTACHMENTS_MAX = 100;
const NESTING_MAX = 50;
const HEADERS_BYTES_MAX = 128 * 1024;

/**
 * Parses a raw email. Never throws, whatever it contains: if it cannot be parsed, only its headers are read.
 */
export async function readMail(raw: Uint8Array): Promise<InboundMail> {
  const { default: PostalMime } = await import('postal-mime');
  const parse = (bytes: Uint8Array) =>
    PostalMime.parse(bytes, {
      maxNestingDepth: NESTING_MAX,
      maxHeadersSize: HEADERS_BYTES_MAX,
      forceRfc822Attachments: true,
      attachmentEncoding: 'arraybuffer',
    });
  const { bytes: bounded, cut } = boundMail(raw);
  const bytes = readableMail(bounded);
  try {
    return await withStripped(mailOf(await parse(bytes), cut, bodyWithoutBoundary(bytes)));
  } catch {
    const unread = [...cut, 'body'];
    try {
      return mailOf(await parse(topHeadersOf(bytes)), unread);
    } catch {
      const none = { to: [], cc: [], bcc: [], answers: [], attachments: [] };
      return { ...none, isAutomatic: false, verdicts: {}, cut: [...unread, 'headers'] };
    }
  }
}

/** A line that introduces a quote in a language that the library does not know. */
const INTRODUCTION = /\n[^\n]*\d[^\n]*<[^<>\s]+@[^<>\s]+>[^\n]*:\s*$/;

/** The library takes seconds for thousands of them. */
const BLANK_LINES = /(?:\r?\n[ \t]*){3,}/g;

/** With what its author wrote, without quotes and signature. */
async function withStripped(mail: InboundMail): Promise<InboundMail> {
  if (!mail.text) return mail;
  const { default: ReplyParser } = await import('email-reply-parser');
  const visible = new ReplyParser().read(mail.text.replace(BLANK_LINES, '\n\n')).getVisibleText();
  return { ...mail, strippedText: visible.replace(INTRODUCTION, '').trim() };
}

/** What a multipart without a boundary has. */
function bodyWithoutBoundary(bytes: Uint8Array): string {
  const [headers = '', ...rest] = Buffer.from(bytes.subarray(0, HEADERS_BYTES_MAX))
    .toString()
    .split(/\r?\n\r?\n/);
  const isMultipart = /^content-type[ \t]*:[ \t]*multipart\//im.test(headers);
  return isMultipart && !/boundary\s*=/i.test(headers) ? rest.join('\n\n').trim() : '';
}

/** Header lines up to the first empty one, without those that describe the body. */
function topHeadersOf(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw.subarray(0, HEADERS_BYTES_MAX / 2)).toString('latin1');
  const headers = text.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const plain = headers.replace(/^(content-[\w-]+|mime-version):.*(\r?\n[ \t].*)*(\r?\n|$)/gim, '');
  return Buffer.from(`${plain.trimEnd()}\r\n\r\n`, 'latin1');
}

function mailOf(email: Email, cutBefore: readonly string[], unparsed = ''): InboundMail {
  const from = senderOf(email);
  const text = email.text?.trim()
    ? email.text
    : plainTextOf(email.html ?? '') || unparsed || (email.text ?? '');
  const html = shortHtml(email.html ?? '');
  return {
    ...filled('from', from?.address, ADDRESS_BYTES_MAX),
    ...filled('fromName', from?.name),
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    bcc: addressesOf(email.bcc),
    ...filled('replyTo', addressesOf(email.replyTo)[0]),
    ...filled('subject', email.subject),
    ...filled('messageId', email.messageId),
    ...filled('inReplyTo', email.inReplyTo),
    ...filled('references', email.references, REFERENCES_BYTES_MAX),
    ...filledText('text', text, TEXT_LENGTH_MAX * BYTES_PER_CHARACTER_MAX, TEXT_LENGTH_MAX),
    ...filledText('html', html, HTML_LENGTH_MAX * BYTES_PER_CHARACTER_MAX, HTML_LENGTH_MAX),
    answers: answersOf(email),
    attachments: email.attachments.slice(0, ATTACHMENTS_MAX).map(attachmentOf),
    isAutomatic: isAutomatic(email),
    ...filled('ownMark', valuesOf(email, OWN_MARK.toLowerCase())[0]),
    verdicts: { ...authenticationOf(email, findSetting('MAIL_AUTHSERV_ID')), ...verdictsOf(email) },
    ...defined({ fingerprint: email.messageId ? fingerprintOf(email) : undefined }),
    cut: [...cutBefore, ...cutOf(email, { text, html })],
  };
}

function cutOf(email: Email, { text, html }: { text: string; html: string }): string[] {
  const isCut: Record<string, boolean> = {
    addresses: [email.to, email.cc, email.bcc].some((list) => mailboxesOf(list).length > ADDRESSES_MAX),
    text: text.length > TEXT_LENGTH_MAX,
    html: html.length > HTML_LENGTH_MAX,
    attachments: email.attachments.length > ATTACHMENTS_MAX,
  };
  return Object.keys(isCut).filter((name) => isCut[name]);
}

/** HTML over the limit is without what it does not show. */
function shortHtml(html: string): string {
  return html.length <= HTML_LENGTH_MAX
    ? html
    : html.replace(/<(style|script|head)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, '');
}

/** The sender; where a name has a comma without quotes, the one address that is there, with all that stands before it. */
function senderOf(email: Email): { address: string; name: string } | undefined {
  const [raw = ''] = valuesOf(email, 'from');
  const [, name = '', address] = /^([^<>]*)<([^<>\s]+@[^<>\s]+)>\s*$/.exec(raw) ?? [];
  const parsed = mailboxesOf(email.from ? [email.from] : [])[0];
  if (parsed && !raw.slice(0, raw.indexOf('<')).includes(',')) return parsed;
  return address ? { address, name: name.trim().replace(/^"(.*)"$/, '$1') } : parsed;
}

function mailboxesOf(list: readonly Address[] | undefined): { address: string; name: string }[] {
  const mailboxes = (list ?? []).flatMap((each) => each.group ?? [each]);
  return mailboxes.filter((each) => each.address !== '');
}

const addressesOf = (list: readonly Address[] | undefined) =>
  mailboxesOf(list)
    .slice(0, ADDRESSES_MAX)
    .map(({ address }) => cut(withoutControls(address), ADDRESS_BYTES_MAX));

/** The last ID of References is always kept: a long thread began with it. */
function answersOf({ inReplyTo = '', references = '' }: Email): string[] {
  const idsOf = (text: string) => text.match(/<[^<>\s]+>|[^<>\s,]+/g) ?? [];
  const ids = [...idsOf(inReplyTo), ...idsOf(references).reverse()];
  return [...new Set([...ids.slice(0, ANSWERS_MAX - 1), ...ids.slice(-1)])];
}

function attachmentOf({ filename, mimeType, contentId, content }: Attachment, index: number): MailAttachment {
  return {
    filename: cut(withoutControls(filename ?? ''), 255) || `attachment-${index + 1}`,
    contentType: cut(withoutControls(mimeType), 255) || 'application/octet-stream',
    ...filled('contentId', contentId),
    content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  };
}

const valuesOf = ({ headers }: Email, name: string) =>
  headers.filter(({ key }) => key === name).map(({ value }) => value);

/** Headers of responders, lists and campaigns, and what in them says so. Auto-Submitted is the standard since RFC 3834. */
const AUTOMATIC: readonly (readonly [string, RegExp])[] = [
  ['auto-submitted', /^auto-replied/i],
  ['precedence', /^(?:auto_reply|bulk|junk|list)/i],
  ['x-apple-action', /^vacation/i],
  ['x-autogenerated', /^(?!no$)./i],
  ...['autoreply', 'auto-reply', 'autorespond', 'autoresponder', 'mail-autoreply'].map(
    (name) => [`x-${name}`, /^(?!no$)./i] as const,
  ),
  ['x-autoreply-from', /./],
  ['x-auto-reply-from', /./],
  ['list-id', /./],
  ['x-ms-exchange-generated-message-source', /mailbox rules agent|auto.?reply|out.?of.?office/i],
];
/** Exchange's absence notes: neither header alone says so, people's mail of some sites has them. */
const ABSENT =
  /^(?:automatic reply|out of (?:the )?office|automatische antwort|réponse automatique|respuesta automática|risposta automatica)/i;

function isAutomatic(email: Email): boolean {
  const has = (name: string, pattern: RegExp) =>
    valuesOf(email, name).some((value) => pattern.test(value.trim()));
  const isAbsence = has('auto-submitted', /^auto-generated/i) && has('x-auto-response-suppress', /./);
  return (
    AUTOMATIC.some(([name, pattern]) => has(name, pattern)) ||
    has('return-path', /^<\s*>$/) ||
    (isAbsence && ABSENT.test(email.subject?.trim() ?? ''))
  );
}

/** What SES's headers say against the email: anybody can write one that speaks for it. */
function verdictsOf(email: Email): Record<string, string> {
  const failed = ['spam', 'virus'].filter((name) =>
    valuesOf(email, `x-ses-${name}-verdict`).some((value) => value.trim().toLowerCase() === 'fail'),
  );
  return Object.fromEntries(failed.map((name) => [name, 'fail']));
}

/** What a relay that the configuration trusts found out about the sender (RFC 8601): only the uppermost header is its own. */
function authenticationOf(email: Email, trusted: string | undefined): Record<string, string> {
  const [own = ''] = valuesOf(email, 'authentication-results');
  const [host = '', ...results] = own.replace(/\([^()]*\)/g, '').split(';');
  if (trusted === undefined || host.trim().split(/\s/)[0]?.toLowerCase() !== trusted.toLowerCase()) return {};
  const found = results.flatMap((each) => {
    const [, method = '', result = ''] = /^\s*(spf|dkim|dmarc)\s*=\s*([a-z]+)/i.exec(each) ?? [];
    return method === '' ? [] : [[method.toLowerCase(), result.toLowerCase()] as const];
  });
  // One good signature of several is enough.
  return Object.fromEntries(
    found.toSorted(([, left], [, right]) => Number(left === 'pass') - Number(right === 'pass')),
  );
}

function fingerprintOf({ messageId, date, subject, text, html }: Email): string {
  const parts = [messageId, date, subject, text, html].map((each) => each ?? '');
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function filled<N extends string>(
  name: N,
  value: string | undefined,
  bytesMax = FIELD_BYTES_MAX,
): { [K in N]?: string } {
  return filledText(name, withoutControls(value ?? ''), bytesMax);
}

/** As `filled`, for texts of many lines. */
function filledText<N extends string>(
  name: N,
  value: string | undefined,
  bytesMax: number,
  lengthMax = Number.POSITIVE_INFINITY,
): { [K in N]?: string } {
  const text = cut((value ?? '').slice(0, lengthMax), bytesMax);
  return (text === '' ? {} : { [name]: text }) as { [K in N]?: string };
}

/** At most `bytesMax` bytes of the text in UTF-8, in whole characters that a queue accepts. */
function cut(text: string, bytesMax: number): string {
  const bytes = Buffer.from(toStorable(text));
  if (bytes.length <= bytesMax) return bytes.toString('utf8');
  return bytes
    .subarray(0, bytesMax)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
