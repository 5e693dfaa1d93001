import { createHash } from 'node:crypto';
import type { Address, Attachment, Email } from 'postal-mime';
import { withoutControls } from './address.ts';
import { OWN_MARK } from './message-id.ts';

/** A mail as it was read: every text within limits, no lone surrogates. */
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
  /** Ids of the mails it answers, nearest first: of In-Reply-To, then of References from the right. */
  answers: string[];
  attachments: MailAttachment[];
  /** Addresses it was for: those the receiving servers noted, then those its headers name. */
  recipients: string[];
  /** A program's answer (RFC 3834), such as an out-of-office note, and not a person's. */
  isAutomatic: boolean;
  /** The tracking ID in the mark of a mail that this service sent. */
  ownMark?: string;
  /** Verdicts the receiving service wrote into the headers, in lower case: spam, virus. */
  verdicts: Record<string, string>;
  /** The same for copies of one mail, also when they took different ways. Undefined for mail without Message-ID. */
  fingerprint?: string;
};

/** An attachment; its name is as sent and must not be used as a path. */
export type MailAttachment = {
  filename: string;
  contentType: string;
  contentId?: string;
  content: Uint8Array;
};

/** GET /logs answers 100 records within the 6 MB of an answer: longer bodies are cut, the whole mail stays stored. */
const TEXT_BYTES_MAX = 16 * 1024;
const HTML_BYTES_MAX = 32 * 1024;
const FIELD_BYTES_MAX = 1024;
const REFERENCES_BYTES_MAX = 4096;
const ADDRESSES_MAX = 50;
const RECIPIENTS_MAX = 250;
const ANSWERS_MAX = 100;
const ATTACHMENTS_MAX = 100;
const NESTING_MAX = 50;
const HEADERS_BYTES_MAX = 256 * 1024;

/** Reads a raw mail. Never throws for what the mail holds: what cannot be parsed is read by its headers alone. */
export async function readMail(raw: Uint8Array): Promise<InboundMail> {
  const { default: PostalMime } = await import('postal-mime');
  const parse = (bytes: Uint8Array) =>
    PostalMime.parse(bytes, {
      maxNestingDepth: NESTING_MAX,
      maxHeadersSize: HEADERS_BYTES_MAX,
      forceRfc822Attachments: true,
      attachmentEncoding: 'arraybuffer',
    });
  try {
    return mailOf(await parse(raw));
  } catch {
    try {
      return mailOf(await parse(topHeadersOf(raw)));
    } catch {
      const none = { to: [], cc: [], bcc: [], answers: [], attachments: [], recipients: [] };
      return { ...none, isAutomatic: false, verdicts: {} };
    }
  }
}

/** Header lines up to the first empty one without those that say how the body is made. */
function topHeadersOf(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw.subarray(0, HEADERS_BYTES_MAX / 2)).toString('latin1');
  const headers = text.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const plain = headers.replace(/^(content-[\w-]+|mime-version):.*(\r?\n[ \t].*)*(\r?\n|$)/gim, '');
  return Buffer.from(`${plain.trimEnd()}\r\n\r\n`, 'latin1');
}

function mailOf(email: Email): InboundMail {
  const from = mailboxesOf(email.from ? [email.from] : [])[0];
  return {
    ...filled('from', from?.address),
    ...filled('fromName', withoutControls(from?.name ?? '')),
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    bcc: addressesOf(email.bcc),
    ...filled('replyTo', addressesOf(email.replyTo)[0]),
    ...filled('subject', withoutControls(email.subject ?? '')),
    ...filled('messageId', email.messageId),
    ...filled('inReplyTo', email.inReplyTo),
    ...filled('references', email.references, REFERENCES_BYTES_MAX),
    ...filled('text', email.text, TEXT_BYTES_MAX),
    ...filled('html', email.html, HTML_BYTES_MAX),
    answers: answersOf(email),
    attachments: email.attachments.slice(0, ATTACHMENTS_MAX).map(attachmentOf),
    recipients: recipientsOf(email),
    isAutomatic: isAutomatic(email),
    ...filled('ownMark', valuesOf(email, OWN_MARK.toLowerCase())[0]?.trim()),
    verdicts: verdictsOf(email),
    ...(email.messageId ? { fingerprint: fingerprintOf(email) } : {}),
  };
}

function mailboxesOf(list: readonly Address[] | undefined): { address: string; name: string }[] {
  const mailboxes = (list ?? []).flatMap((each) => each.group ?? [each]);
  return mailboxes.filter((each) => each.address !== '');
}

const addressesOf = (list: readonly Address[] | undefined) =>
  mailboxesOf(list)
    .slice(0, ADDRESSES_MAX)
    .map(({ address }) => cut(address, 320));

/** The last id of References stays in any case: a long thread began with it. */
function answersOf({ inReplyTo = '', references = '' }: Email): string[] {
  const idsOf = (text: string) => text.match(/<[^<>\s]+>|[^<>\s,]+/g) ?? [];
  const ids = [...idsOf(inReplyTo), ...idsOf(references).reverse()];
  return [...new Set([...ids.slice(0, ANSWERS_MAX - 1), ...ids.slice(-1)])];
}

function attachmentOf({ filename, mimeType, contentId, content }: Attachment, index: number): MailAttachment {
  return {
    filename: cut(withoutControls(filename ?? ''), 255) || `attachment-${index + 1}`,
    contentType: cut(mimeType, 255) || 'application/octet-stream',
    ...filled('contentId', contentId),
    content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  };
}

const valuesOf = ({ headers }: Email, name: string) =>
  headers.filter(({ key }) => key === name).map(({ value }) => value);

function recipientsOf(email: Email): string[] {
  const received = valuesOf(email, 'received').flatMap(
    (line) => /\sfor\s+<?([^\s<>;]+@[^\s<>;]+)>?/i.exec(line)?.[1] ?? [],
  );
  const named = ['delivered-to', 'x-original-to', 'envelope-to'].flatMap((name) => valuesOf(email, name));
  const noted = [...received, ...named.map((value) => value.trim().replace(/^<|>$/g, ''))];
  const headers = [email.to, email.cc, email.bcc].flatMap(mailboxesOf).map(({ address }) => address);
  return [...noted, ...headers].slice(0, RECIPIENTS_MAX);
}

/** Auto-Submitted says it since RFC 3834, the others did before; mail of lists and campaigns is no answer. */
function isAutomatic(email: Email): boolean {
  const [submitted = 'no'] = valuesOf(email, 'auto-submitted');
  const isReply = submitted.trim().toLowerCase().startsWith('auto-replied');
  const hasOlder = valuesOf(email, 'precedence').some((value) => value.trim().toLowerCase() === 'auto_reply');
  const named = ['x-autoreply', 'x-autorespond'].flatMap((name) => valuesOf(email, name));
  return isReply || hasOlder || named.some((value) => value.trim().toLowerCase() !== 'no');
}

/** A forged header can only make a verdict worse: one that says fail stands. */
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
  const text = value === undefined ? '' : cut(value, bytesMax);
  return (text === '' ? {} : { [name]: text }) as { [K in N]?: string };
}

/** At most `bytesMax` bytes of the text in UTF-8, whole characters. */
function cut(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text.toWellFormed());
  if (bytes.length <= bytesMax) return text.toWellFormed();
  return bytes
    .subarray(0, bytesMax)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
