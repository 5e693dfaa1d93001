import { decodeText, isPlainCharset } from './charset.ts';
import { takeUuFiles } from './uuencode.ts';

/** A part: where its headers and its body are in the email, as characters of latin1. */
type Part = { start: number; bodyAt: number; end: number; headers: string };

const TEXT_PART = /^content-type[ \t]*:[ \t]*text\/(?:plain|html)\b/im;
const UUENCODED = /^content-transfer-encoding[ \t]*:[ \t]*"?(?:x-)?uue?(?:ncode)?\b/im;
const WORD = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi;
const WORDS = /(?:=\?[^?\s]+\?[bq]\?[^?\s]*\?=)(?:\s*=\?[^?\s]+\?[bq]\?[^?\s]*\?=)*/gi;
const PARTS_MAX = 200;

/**
 * An email in a form that the parser reads correctly: texts and headers in UTF-8, whole encoded words, inline text files as
 * attachments, and flowed text unfolded by quote depth (RFC 3676 4.5).
 */
export function readableMail(raw: Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const mail = bytes.includes('\n') ? bytes : bytes.replaceAll('\r', '\r\n');
  let read = '';
  let at = 0;
  let hasText = false;
  for (const part of partsOf(mail)) {
    read += mail.slice(at, part.start) + readable(mail, part, hasText);
    at = part.end;
    hasText ||= isText(part.headers) && !isFile(part.headers);
  }
  return Buffer.from(read + mail.slice(at), 'latin1');
}

/** What states no type is text. */
const isText = (headers: string) => TEXT_PART.test(headers) || !/^content-type[ \t]*:/im.test(headers);
const isAttached = (headers: string) => /^content-disposition[ \t]*:[ \t]*attachment/im.test(headers);
const isFile = (headers: string) => isAttached(headers) || /(?:file)?name\*?(?:\d\*?)?=/i.test(headers);

/** Headers end at a blank line, a body at the next line of a boundary. */
function partsOf(mail: string): Part[] {
  const names = Array.from(
    mail.matchAll(/boundary=(?:"([^"\r\n]+)"|([^\s;"]+))/gi),
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  const boundary = names.length > 0 ? boundaryLine(names) : undefined;
  const starts = [0, ...(boundary ? Array.from(mail.matchAll(boundary), lineEnd) : [])].slice(0, PARTS_MAX);
  return starts.flatMap((start, index) => {
    const blank = /\r?\n\r?\n/g;
    blank.lastIndex = Math.max(0, start - 2);
    const found = blank.exec(mail);
    if (!found && start > 0) return [];
    const headers = mail.slice(start, found?.index);
    const bodyAt = found ? found.index + found[0].length : mail.length;
    const next = starts[index + 1];
    const end = next === undefined ? mail.length : mail.lastIndexOf('\n--', next - 2);
    const isCut = end + 1 < bodyAt || /^--/m.test(headers);
    return isCut ? [] : [{ start, bodyAt, end: Math.max(bodyAt, end), headers }];
  });
}

/** Without a charset that changes how they are read. */
const isAscii = (charset: string, bytes: Uint8Array) =>
  /^(?!utf-?7|unicode-1-1|iso-2022-kr|hz)/i.test(charset) && bytes.every((byte) => byte < 0x80);

const lineEnd = (match: RegExpMatchArray) => (match.index ?? 0) + match[0].length;

function boundaryLine(names: readonly string[]): RegExp {
  const escaped = [...new Set(names)].slice(0, 50).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^--(?:${escaped.join('|')})(?:--)?[ \\t]*(?:\\r?\\n|$)`, 'gm');
}

function readable(mail: string, part: Part, hasText: boolean): string {
  const headers = withWholeWords(part.headers);
  const afterHeaders = mail.slice(part.start + part.headers.length, part.end);
  const body = mail.slice(part.bodyAt, part.end).replace(/\r$/, '');
  const folded = headers.replace(/\r?\n[ \t]+/g, ' ');
  const isUuencoded = UUENCODED.test(folded);
  if (!isText(headers) || isAttached(headers))
    return isUuencoded ? inBase64(folded, bytesOf(body, folded)) : headers + afterHeaders;
  if (isFile(headers) && hasText) return asAttachment(headers) + afterHeaders;
  const type = /^content-type[ \t]*:.*$/im.exec(folded)?.[0] ?? '';
  const charset = /charset\s*=\s*("[^"]*"|[^\s;]+)/i.exec(type)?.[1]?.replaceAll('"', '') ?? '';
  const isFlowed = /format\s*=\s*"?flowed/i.test(type);
  const bytes = bytesOf(body, folded);
  if (!isFlowed && !isUuencoded && (isPlainCharset(charset) || isAscii(charset, bytes)))
    return headers + afterHeaders;
  const isHtml = /text\/html/i.test(type);
  const text = decodeText(bytes, charset, isHtml);
  const shown = isFlowed ? unflowed(text, /delsp\s*=\s*"?yes/i.test(type)) : text;
  return inBase64(folded, Buffer.from(shown), `text/${isHtml ? 'html' : 'plain'}; charset=utf-8`);
}

/** A part with these bytes, in text of `type` if it is given. */
function inBase64(headers: string, bytes: Uint8Array, type?: string): string {
  const replaced = `transfer-encoding${type ? '|type' : ''}`;
  const kept = headers
    .replace(new RegExp(`^content-(?:${replaced})[ \\t]*:.*(?:\\r?\\n|$)`, 'gim'), '')
    .trimEnd();
  const own = [kept, type && `Content-Type: ${type}`, 'Content-Transfer-Encoding: base64'].filter(Boolean);
  const lines = Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
  return `${own.join('\r\n')}\r\n\r\n${lines}\r\n`;
}

/** A named part that is not the first text is a file. */
function asAttachment(headers: string): string {
  const disposition = /^content-disposition[ \t]*:[ \t]*[\w-]+/im;
  return disposition.test(headers)
    ? headers.replace(disposition, 'Content-Disposition: attachment')
    : `Content-Disposition: attachment\r\n${headers}`;
}

function bytesOf(body: string, headers: string): Uint8Array {
  const encoding = /^content-transfer-encoding[ \t]*:[ \t]*"?([\w-]+)/im.exec(headers)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding === 'quoted-printable')
    return unquoted(body.replace(/(?<![ \t])[ \t]+(?=\r?\n)/g, '').replace(/=\r?\n/g, ''));
  if (UUENCODED.test(headers))
    return takeUuFiles(`${body}\n`).files[0]?.content ?? Buffer.from(body, 'latin1');
  return Buffer.from(body, 'latin1');
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Lines that end in a space go on in the next one of the same quote depth. */
function unflowed(text: string, isSpaceDeleted: boolean): string {
  const lines: string[] = [];
  let open: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const quotes = /^>*/.exec(line)?.[0] ?? '';
    const content = line.slice(quotes.length).replace(/^ /, '');
    const isGoingOn = open === quotes;
    if (isGoingOn) lines.push(`${lines.pop()}${content}`);
    else lines.push(quotes === '' ? content : `${quotes} ${content}`);
    const isFlowing = content.endsWith(' ') && content !== '-- ';
    open = isFlowing ? quotes : undefined;
    if (isFlowing && isSpaceDeleted) lines.push(lines.pop()?.slice(0, -1) ?? '');
  }
  return lines.join('\n');
}

/** Words of one text are decoded together: some programs split them inside a character. Bytes without words are UTF-8 or windows-1252. */
function withWholeWords(raw: string): string {
  const headers = decodeText(Buffer.from(raw, 'latin1'), '');
  const whole = headers.replace(WORDS, (words) => {
    const runs: { charset: string; bytes: Uint8Array[] }[] = [];
    for (const [, charset = '', encoding = '', text = ''] of words.matchAll(WORD)) {
      const bytes =
        encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : unquoted(text.replaceAll('_', ' '));
      const last = runs.at(-1);
      if (last?.charset.toLowerCase() === charset.toLowerCase()) last.bytes.push(bytes);
      else runs.push({ charset, bytes: [bytes] });
    }
    const text = runs.map(({ charset, bytes }) => decodeText(Buffer.concat(bytes), charset)).join('');
    return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
  });
  return Buffer.from(whole).toString('latin1');
}
