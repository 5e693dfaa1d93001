import { decodeText, isPlainCharset } from './charset.ts';

/** A text part: where its headers and its body are in the email, as characters of latin1. */
type Part = { start: number; bodyAt: number; end: number; headers: string };

const TEXT_PART = /^content-type[ \t]*:[ \t]*text\/(?:plain|html)\b/im;
const WORD = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi;
const WORDS = /(?:=\?[^?\s]+\?[bq]\?[^?\s]*\?=)(?:\s+=\?[^?\s]+\?[bq]\?[^?\s]*\?=)*/gi;
const PARTS_MAX = 200;

/**
 * An email as the parser reads it rightly: texts in UTF-8 whatever their charset is called, encoded words whole, text files that
 * mail programs send inline as attachments, and flowed text unfolded by quote depth (RFC 3676 4.5).
 */
export function readableMail(raw: Uint8Array): Uint8Array {
  const mail = Buffer.from(raw).toString('latin1');
  const parts = textPartsOf(mail);
  let read = '';
  let at = 0;
  let hasText = false;
  for (const part of parts) {
    read += mail.slice(at, part.start) + rewritten(mail, part, hasText);
    at = part.end;
    hasText ||= !isFile(part.headers);
  }
  return Buffer.from(withWholeWords(read + mail.slice(at)), 'latin1');
}

const isFile = (headers: string) =>
  /^content-disposition[ \t]*:[ \t]*attachment/im.test(headers) ||
  /(?:file)?name\*?(?:\d\*?)?=/i.test(headers);

/** Headers end at a blank line, a body at the next line of a boundary. */
function textPartsOf(mail: string): Part[] {
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
    if (!found) return [];
    const headers = mail.slice(start, found.index);
    const bodyAt = found.index + found[0].length;
    const next = starts[index + 1];
    const end = next === undefined ? mail.length : mail.lastIndexOf('\n--', next - 2);
    if (end < bodyAt || !TEXT_PART.test(headers) || /^--/m.test(headers)) return [];
    return [{ start, bodyAt, end, headers }];
  });
}

const lineEnd = (match: RegExpMatchArray) => (match.index ?? 0) + match[0].length;

function boundaryLine(names: readonly string[]): RegExp {
  const escaped = [...new Set(names)].slice(0, 50).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^--(?:${escaped.join('|')})(?:--)?[ \\t]*(?:\\r?\\n|$)`, 'gm');
}

function rewritten(mail: string, { start, bodyAt, end, headers }: Part, hasText: boolean): string {
  const whole = mail.slice(start, end);
  if (/^content-disposition[ \t]*:[ \t]*attachment/im.test(headers)) return whole;
  if (isFile(headers) && hasText) return asAttachment(headers) + mail.slice(start + headers.length, end);
  const folded = headers.replace(/\r?\n[ \t]+/g, ' ');
  const type = /^content-type[ \t]*:.*$/im.exec(folded)?.[0] ?? '';
  const charset = /charset\s*=\s*("[^"]*"|[^\s;]+)/i.exec(type)?.[1]?.replaceAll('"', '') ?? '';
  const isFlowed = /format\s*=\s*"?flowed/i.test(type);
  if (!isFlowed && isPlainCharset(charset)) return whole;
  const isHtml = /text\/html/i.test(type);
  const bytes = bytesOf(mail.slice(bodyAt, end), folded);
  if (!isFlowed && /^utf-?8$|^$/i.test(charset) && bytes.every((byte) => byte < 0x80)) return whole;
  const text = decodeText(bytes, charset, isHtml);
  const shown = isFlowed ? unflowed(text, /delsp\s*=\s*"?yes/i.test(type)) : text;
  const kept = folded.replace(/^content-(?:type|transfer-encoding)[ \t]*:.*(?:\r?\n|$)/gim, '').trimEnd();
  const own = `Content-Type: text/${isHtml ? 'html' : 'plain'}; charset=utf-8\r\nContent-Transfer-Encoding: base64`;
  const lines = Buffer.from(shown).toString('base64').replace(/.{76}/g, '$&\r\n');
  return `${kept === '' ? '' : `${kept}\r\n`}${own}\r\n\r\n${lines}\r\n`;
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
    return unquoted(body.replace(/[ \t]+(?=\r?\n)/g, '').replace(/=\r?\n/g, ''));
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

/** Words of one text are decoded together: some programs split them inside a character. */
function withWholeWords(mail: string): string {
  const headersEnd = /\r?\n\r?\n/.exec(mail)?.index ?? mail.length;
  const whole = mail.slice(0, headersEnd).replace(WORDS, (words) => {
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
  return whole + mail.slice(headersEnd);
}
