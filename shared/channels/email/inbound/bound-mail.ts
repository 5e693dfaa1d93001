/** Limits of a received email before it is parsed. */
const BYTES_MAX = 40 * 1024 * 1024;
/** Base64 has a line every 78 bytes; beyond that, an email may have at most this many lines. */
const LINES_MAX = 20_000;
const BYTES_PER_LINE = 40;
const PARTS_MAX = 1000;

const LINE_FEED = 0x0a;
const HYPHEN = 0x2d;

/**
 * The beginning of an email that is safe to parse, and what was cut off its end. The parser's work grows with
 * lines and parts, so those are limited before parsing.
 */
export function boundMail(raw: Uint8Array): { bytes: Uint8Array; cut: string[] } {
  const sizeBytes = Math.min(raw.length, BYTES_MAX);
  const cut = raw.length > BYTES_MAX ? ['bytes'] : [];
  let parts = 0;
  let lines = 0;
  for (let start = 0; start < sizeBytes; lines += 1) {
    if (raw[start] === HYPHEN && raw[start + 1] === HYPHEN) parts += 1;
    if (parts > PARTS_MAX) return { bytes: raw.subarray(0, start), cut: [...cut, 'parts'] };
    if (lines > LINES_MAX + start / BYTES_PER_LINE)
      return { bytes: raw.subarray(0, start), cut: [...cut, 'lines'] };
    const end = raw.indexOf(LINE_FEED, start);
    start = end < 0 ? sizeBytes : end + 1;
  }
  return { bytes: raw.subarray(0, sizeBytes), cut };
}
