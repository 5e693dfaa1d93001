/** A file in a text, as programs wrote files before MIME. */
const FILE = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n((?:[ -`]*\r?\n)+)end[ \t]*(?:\r?\n|$)/gm;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

type UuFile = { filename: string; content: Buffer };

export function takeUuFiles(text: string): { text: string; files: UuFile[] } {
  const files: UuFile[] = [];
  const rest = text.replace(FILE, (_, filename: string, lines: string) => {
    files.push({ filename, content: Buffer.concat(lines.split(/\r?\n/).map(bytesOfLine)) });
    return '';
  });
  return { text: rest, files };
}

/** The first character of a line is its number of bytes; each further one has six bits. */
function bytesOfLine(line: string): Buffer {
  const [size = 0, ...data] = Array.from(line, (each) => (each.charCodeAt(0) - 0x20) & 0x3f);
  return Buffer.from(data.map((each) => BASE64[each]).join(''), 'base64').subarray(0, size);
}
