import { createHash } from 'node:crypto';
import type { Address, Attachment, Email } from 'postal-mime';
import { defined } from '../../runtime/defined.ts';
import { toStorable } from '../../runtime/storable-text.ts';
import { withoutControls } from './address.ts';
import { boundMail } from './bound-mail.ts';
import { OWN_MARK } from './message-id.ts';

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
  html?: string;
  /** IDs of the emails it replies to, nearest first: of In-Reply-To, then of References from the right. */
  answers: string[];
  attachments: MailAttachment[];
  /** An automatic reply (RFC 3834), such as an out-of-office note. */
  isAutomatic: boolean;
  /** The tracking ID in the header of an email that this service sent. */
  ownMark?: string;
  /** Verdicts the receiving service wrote into the headers, in lower case: spam, virus. */
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
const TEXT_BYTES_MAX = 16 * 1024;
const HTML_BYTES_MAX = 32 * 1024;
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
  const { bytes, cut } = boundMail(raw);
  try {
    return mailOf(await parse(bytes), cut);
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

/** Header lines up to the first empty one, without those that describe the body. */
function topHeadersOf(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw.subarray(0, HEADERS_BYTES_MAX / 2)).toString('latin1');
  const headers = text.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const plain = headers.replace(/^(content-[\w-]+|mime-version):.*(\r?\n[ \t].*)*(\r?\n|$)/gim, '');
  return Buffer.from(`${plain.trimEnd()}\r\n\r\n`, 'latin1');
}

function mailOf(email: Email, cutBefore: readonly string[]): InboundMail {
  const from = mailboxesOf(email.from ? [email.from] : [])[0];
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
    ...filledText('text', email.text, TEXT_BYTES_MAX),
    ...filledText('html', email.html, HTML_BYTES_MAX),
    answers: answersOf(email),
    attachments: email.attachments.slice(0, ATTACHMENTS_MAX).map(attachmentOf),
    isAutomatic: isAutomatic(email),
    ...filled('ownMark', valuesOf(email, OWN_MARK.toLowerCase())[0]),
    verdicts: verdictsOf(email),
    ...defined({ fingerprint: email.messageId ? fingerprintOf(email) : undefined }),
    cut: [...cutBefore, ...cutOf(email)],
  };
}

function cutOf(email: Email): string[] {
  const isCut: Record<string, boolean> = {
    addresses: [email.to, email.cc, email.bcc].some((list) => mailboxesOf(list).length > ADDRESSES_MAX),
    text: Buffer.byteLength(email.text ?? '') > TEXT_BYTES_MAX,
    html: Buffer.byteLength(email.html ?? '') > HTML_BYTES_MAX,
    attachments: email.attachments.length > ATTACHMENTS_MAX,
  };
  return Object.keys(isCut).filter((name) => isCut[name]);
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

/**
 * Auto-Submitted is the standard since RFC 3834, the others are older; email from lists and campaigns is not
 * a reply.
 */
function isAutomatic(email: Email): boolean {
  const [submitted = 'no'] = valuesOf(email, 'auto-submitted');
  const isReply = submitted.trim().toLowerCase().startsWith('auto-replied');
  const hasOlder = valuesOf(email, 'precedence').some((value) => value.trim().toLowerCase() === 'auto_reply');
  const named = ['x-autoreply', 'x-autorespond'].flatMap((name) => valuesOf(email, name));
  return isReply || hasOlder || named.some((value) => value.trim().toLowerCase() !== 'no');
}

/** A forged header can only make a verdict worse: a failure counts. */
function verdictsOf(email: Email): Record<string, string> {
  const verdicts: Record<string, string> = {};
  for (const name of ['spam', 'virus']) {
    const values = valuesOf(email, `x-ses-${name}-verdict`).map((value) => value.trim().toLowerCase());
    const worst = values.includes('fail') ? 'fail' : values[0];
    if (worst !== undefined) verdicts[name] = cut(worst, 32);
  }
  return verdicts;
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
): { [K in N]?: string } {
  const text = cut(value ?? '', bytesMax);
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
