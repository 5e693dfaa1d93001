/** Charset names of mail programs, and the names that the platform knows. */
const ALIASES: Readonly<Record<string, string>> = {
  cp65001: 'utf-8',
  'utf-8-sig': 'utf-8',
  utf: 'utf-8',
  latin9: 'iso-8859-15',
  'iso-8859-8-e': 'iso-8859-8',
  'x-gbk': 'gbk',
  ms950: 'big5',
  ms932: 'shift_jis',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  ks_c_5601: 'euc-kr',
};
/** Names that say nothing: the bytes decide. */
const UNSAID =
  /^(?:|us-?ascii|ascii|ansi_x3\.4-19\d\d|iso646-us|unknown(?:-8bit)?|x-unknown|8bit|7bit|binary|default|none|utf-?8)$/;
const UTF_7 = /^(?:unicode-1-1-)?utf-?7$/;
const FALLBACK = 'windows-1252';
const META = /<meta[^<>]+charset\s*=\s*(?:["']\s*)?([\w:.-]+)/i;
const META_BYTES_MAX = 4096;
/** Code pages of DOS: the characters from 0x80, as changes to code page 850. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** Text from bytes in a charset of a mail: what is unknown, unsaid or wrong is read as UTF-8, as the HTML says, or as windows-1252. */
export function decodeText(bytes: Uint8Array, label: string, isHtml = false): string {
  const said = label
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$|\*.*/gs, '');
  const named = said
    .replace(/^(?:cs|x-)(?=ibm|cp|windows|iso)/, '')
    .replace(/^windows-?(\d+)$/, 'windows-$1');
  if (/^(?:ibm|cp)-?0?(?:850|437|858)$/.test(named)) return ofCodePage(bytes);
  if (named === 'iso-2022-kr') return decoder('euc-kr').decode(shiftedIn(bytes));
  if (UTF_7.test(named)) return ofUtf7(Buffer.from(bytes).toString('latin1'));
  const known = UNSAID.test(said) ? undefined : (labelOf(named) ?? labelOf(said));
  if (known) return (isSingleByte(known) && asUtf8(bytes)) || decoder(known).decode(bytes);
  return asUtf8(bytes) ?? decoder((isHtml && ofHtml(bytes)) || FALLBACK).decode(bytes);
}

/** True where the platform reads the charset as it is named. */
export const isPlainCharset = (label: string): boolean =>
  !UNSAID.test(label.toLowerCase()) && isKnown(label.toLowerCase()) && !isSingleByte(label);

/** Of these, bytes that are whole characters of UTF-8 make no text: the name is wrong. */
const isSingleByte = (label: string) => /^(?:iso-8859|windows|koi8|macintosh)/.test(decoder(label).encoding);

const decoder = (label: string) => new TextDecoder(label);

function labelOf(name: string): string | undefined {
  const numbered = /^(?:ibm|cp|windows|win)-?(125\d|874|1250)$/.exec(name)?.[1];
  return [ALIASES[name], name, numbered && `windows-${numbered}`].find((each) => each && isKnown(each));
}

function isKnown(label: string): boolean {
  try {
    return !['replacement', 'iso-2022-kr'].includes(decoder(label).encoding);
  } catch {
    return false;
  }
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function ofHtml(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, META_BYTES_MAX)).toString('latin1');
  return labelOf((META.exec(head)?.[1] ?? '').toLowerCase());
}

const ofCodePage = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP850[byte - 0x80])).join('');

/** Between `+` and `-`, the characters are UTF-16 in base64 (RFC 2152). */
const ofUtf7 = (text: string) =>
  text.replace(/\+([a-z0-9+/]*)-?/gi, (_, encoded: string) => {
    const bytes = Buffer.from(encoded, 'base64');
    return encoded === ''
      ? '+'
      : bytes
          .subarray(0, bytes.length & ~1)
          .swap16()
          .toString('utf16le');
  });

/** Between SO and SI, the bytes are EUC-KR without the high bit. */
function shiftedIn(bytes: Uint8Array): Uint8Array {
  let isIn = false;
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\u001b$)C', '');
  const read: number[] = [];
  for (const byte of Buffer.from(text, 'latin1')) {
    if (byte === 0x0e || byte === 0x0f) isIn = byte === 0x0e;
    else read.push(isIn && byte > 0x20 ? byte | 0x80 : byte);
  }
  return Uint8Array.from(read);
}
