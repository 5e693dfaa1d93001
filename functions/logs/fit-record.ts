import type { LogRecord } from '../../shared/schemas/log-record.ts';

/** Lambda rejects responses over 6 MB, in which the body is text within JSON. */
export const RESPONSE_BYTES_MAX = 5 * 1024 * 1024;

/** Shorter texts are never cut: together they are no large part of a response. */
const LONG_TEXT_LENGTH = 256;

/**
 * Returns the record in at most `bytesMax` bytes of a response: its longest texts are cut, and `truncated` names their
 * fields.
 */
export function fitRecord(record: LogRecord, bytesMax: number): LogRecord {
  if (sizeOf(record) <= bytesMax) return record;
  const long = Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'string' && value.length > LONG_TEXT_LENGTH ? [{ name, text: value }] : [],
  );
  const short = Object.fromEntries(
    Object.entries(record).filter(([name]) => !long.some((text) => text.name === name)),
  );
  const shareBytes = Math.max(0, bytesMax - sizeOf(short)) / (long.length + 1);
  const cut = long.filter(({ text }) => sizeOf(text) > shareBytes);
  const texts = Object.fromEntries(cut.map(({ name, text }) => [name, cutTo(text, shareBytes)]));
  return { ...record, ...texts, truncated: cut.map(({ name }) => name) };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

function cutTo(text: string, bytesMax: number): string {
  let kept = text;
  for (let size = sizeOf(kept); size > bytesMax && kept !== ''; size = sizeOf(kept)) {
    const length = Math.min(kept.length - 1, Math.floor((kept.length * bytesMax) / size));
    kept = wholeCharacters(kept.slice(0, length));
  }
  return kept;
}

function wholeCharacters(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1).toWellFormed();
}
