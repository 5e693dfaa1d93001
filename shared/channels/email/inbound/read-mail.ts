import { createHash } from 'node:crypto';
import type { Address, Attachment, Email } from 'postal-mime';
import { findSetting } from '../../../runtime/config.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { withoutControls } from '../address.ts';
import { plainTextOf } from '../content/plain-text.ts';
import { OWN_MARK } from '../message-id.ts';
import { boundMail } from './bound-mail.ts';
import { ABSENT } from './failure-words.ts';
import { readableMail } from './readable-mail.ts';
import { takeUuFiles } from './uuencode.ts';
import { verdictsOf } from './verdicts.ts';

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
  /** An automatic reply (RFC 3834) by its headers, such as an out-of-office note. */
  isAutomatic: boolean;
  hasNoSender: boolean;
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
/** To the end where it is not closed, as browsers read it. */
const UNSHOWN = /<(style|script)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)/gi;
const BYTES_PER_CHARACTER_MAX = 3;
const FIELD_BYTES_MAX = 1024;
const REFERENCES_BYTES_MAX = 4096;
const ADDRESSES_MAX = 50;
const ADDRESS_BYTES_MAX = 320;
const ANSWERS_MAX = 25;
const ATTACHMENTS_MAX = 100;
const NESTING_MAX = 50;
const HEADERS_BYTES_MAX = 128 * 1024;

/** HTML with a mark of its quotes, which its text shows. */
function markedHtml(html: string): string {
  const start = html.search(/<blockquote\b/i);
  const end = html.toLowerCase().lastIndexOf('</blockquote');
  return start >= 0 && end > start ? `${html.slice(0, start)}<p>&gt;</p><p${html.slice(end + 12)}` : html;
}

/** Parses a raw email. Never throws: if the body cannot be parsed, only the headers are read. */
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
    const email = await parse(bytes);
    const mail = mailOf(withUuFiles(email), cut, bodyWithoutParts(email, bytes));
    const { html = '', text } = email;
    const marked = text?.trim() ? '' : plainTextOf(markedHtml(html)).slice(0, TEXT_LENGTH_MAX);
    return mail.text ? { ...mail, strippedText: await strippedTextOf(marked || mail.text) } : mail;
  } catch {
    const unread = [...cut, 'body'];
    try {
      return mailOf(await parse(topHeadersOf(bytes)), unread);
    } catch {
      const none = { to: [], cc: [], bcc: [], answers: [], attachments: [] };
      return { ...none, isAutomatic: false, hasNoSender: false, verdicts: {}, cut: [...unread, 'headers'] };
    }
  }
}

/** With the files in its text as attachments. */
function withUuFiles(email: Email): Email {
  const { text, files } = takeUuFiles(email.text ?? '');
  if (files.length === 0) return email;
  const attachments = files.map(({ filename, content }) => ({
    filename,
    content: Uint8Array.from(content).buffer,
    mimeType: 'application/octet-stream',
    disposition: 'attachment' as const,
  }));
  return { ...email, text, attachments: [...email.attachments, ...attachments] };
}

/** What an email has whose parts cannot be told apart: a boundary is missing, or no line has it. */
function bodyWithoutParts({ text, html, attachments }: Email, bytes: Uint8Array): string {
  if (text !== undefined || html !== undefined || attachments.length > 0) return '';
  const [, ...rest] = Buffer.from(bytes)
    .toString()
    .split(/\r?\n\r?\n/);
  return rest
    .join('\n\n')
    .replace(/^(?:--\S+|[ \t]*(?:content-[\w-]+:|boundary=).*)(?:\r?\n|$)/gim, '')
    .trim();
}

/** Header lines up to the first empty line, without the headers that describe the body. */
function topHeadersOf(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw.subarray(0, HEADERS_BYTES_MAX / 2)).toString('latin1');
  const headers = text.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const plain = headers.replace(/^(content-[\w-]+|mime-version):.*(\r?\n[ \t].*)*(\r?\n|$)/gim, '');
  return Buffer.from(`${plain.trimEnd()}\r\n\r\n`, 'latin1');
}

function mailOf(email: Email, cutBefore: readonly string[], unparsed = ''): InboundMail {
  const from = senderOf(email);
  const text = (
    email.text?.trim() ? email.text : plainTextOf(email.html ?? '') || unparsed || (email.text ?? '')
  ).replace(/\r\n?/g, '\n');
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
    hasNoSender: valuesOf(email, 'return-path').some((value) => /^<\s*>$/.test(value.trim())),
    ...filled('ownMark', valuesOf(email, OWN_MARK.toLowerCase())[0]),
    verdicts: verdictsOf(email.headers, findSetting('MAIL_AUTHSERV_ID')),
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
  return html.length <= HTML_LENGTH_MAX ? html : html.replace(UNSHOWN, '');
}

/** The sender; where a name has a comma without quotes, the one address that is there, with all that stands before it. */
function senderOf(email: Email): { address: string; name: string } | undefined {
  const [raw = ''] = valuesOf(email, 'from');
  const [, name = '', address] = /^([^<>]*)<([^<>\s@]+@[^<>\s]+)>\s*$/.exec(raw) ?? [];
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

/** A name without them (RFC 2183 §2.3), because programs store files under the name that a sender chose. */
const FOLDERS = /^(.*[\\/])?(\.{1,2}$)?/s;

function attachmentOf({ filename, mimeType, contentId, content }: Attachment, index: number): MailAttachment {
  return {
    filename: cut(withoutControls(filename ?? '').replace(FOLDERS, ''), 255) || `attachment-${index + 1}`,
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
  ...['autoreply', 'auto-reply', 'autorespond', 'autoresponder', 'mail-autoreply', 'yahoo-autoreply'].map(
    (name) => [`x-${name}`, /^(?!no$)./i] as const,
  ),
  ['x-post-messageclass', /autoresponder/i],
  ['delivered-to', /^autoresponder$/i],
  ['x-autoreply-from', /./],
  ['x-auto-reply-from', /./],
  ['list-id', /./],
  ['x-ms-exchange-generated-message-source', /mailbox rules agent|auto.?reply|out.?of.?office/i],
];
/** Absence notes of Exchange and Domino by their subject: the header alone does not say so, people's mail of some sites has it. */
const ABSENCE = new RegExp(`^(?:${ABSENT.source})`, 'i');

function isAutomatic(email: Email): boolean {
  const has = (name: string, pattern: RegExp) =>
    valuesOf(email, name).some((value) => pattern.test(value.trim()));
  const isAbsence = ABSENCE.test(email.subject?.trim() ?? '');
  return (
    AUTOMATIC.some(([name, pattern]) => has(name, pattern)) ||
    (isAbsence && has('auto-submitted', /^auto-generated/i))
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

/** The library takes seconds for thousands of them. */
const BLANK_LINES = /(?:\r?\n[ \t]*){3,}/g;
const NAME = String.raw`\n[ \t]*[\p{L}\p{M}][\p{L}\p{M} ]{0,24}[:：]`;
/** How mail programs of any language repeat an email: its sender, its date and its recipient on lines of their own. */
const HEADERS = new RegExp(
  String.raw`(?:\n[-_=]{3}[^\n]*)?${NAME}(?=[^\n]*@)[^\n]*${NAME}(?=[^\n]*\d{4})[^\n]*${NAME}[\s\S]*$`,
  'u',
);
/** A line that introduces a quote: a time, who wrote, and a colon at its end. */
const INTRODUCTION =
  /\n(?=[^\n]*\d[:.]\d\d)(?=[^\n]*(?:@|wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|skrev|pisze|напис|пишет|[写寫]道))[^\n]*[:：][^\p{L}\p{N}\n:：]*\n[\s\S]*$/u;
/** Between the name and the address in it, programs break the line. */
const BROKEN = /<[ \t]*\n[ \t]*(?=[^\s<>@]+@[^\s<>]+>)/g;
/** What is left of it above a quote, in a language that the library does not know. */
const LAST_LINE = /\n(?=[^\n]*(?:@|\d[:.]\d\d))[^\n]*[:：][^\p{L}\p{N}\n:：]*$/u;

/** What the author of a text wrote, without quotes and signature. */
async function strippedTextOf(text: string): Promise<string> {
  const { default: ReplyParser } = await import('email-reply-parser');
  const short = text.replace(BLANK_LINES, '\n\n').replace(BROKEN, '<');
  const above = `\n${short}`.replace(HEADERS, '');
  const own = /^>/m.test(above) ? above : above.replace(INTRODUCTION, '');
  const visible = new ReplyParser().read(own.trim()).getVisibleText().trim();
  return (visible.length < own.trim().length ? `\n${visible}`.replace(LAST_LINE, '') : visible).trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const REJECTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * The text with every character that SQS rejects replaced by U+FFFD, including lone surrogates. For
 * strangers' texts: one such character would block everything behind it.
 */
function toStorable(text: string): string {
  return text.toWellFormed().replace(REJECTED, '\ufffd');
}
