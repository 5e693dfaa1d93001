import { responseBytes } from '../../shared/runtime/response-size.ts';
import type { LogRecord } from '../../shared/schemas/logs/log-record.ts';

/** Shorter texts are never cut: even together, they are a small part of a response. */
const LONG_TEXT_LENGTH = 256;

/**
 * Returns the record in at most `bytesMax` bytes of a response: its longest texts are cut, and `truncated` names their
 * fields.
 */
export function fitRecord(record: LogRecord, bytesMax: number): LogRecord {
  if (responseBytes(record) <= bytesMax) return record;
  const long = Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'string' && value.length > LONG_TEXT_LENGTH ? [{ name, text: value }] : [],
  );
  const short = Object.fromEntries(
    Object.entries(record).filter(([name]) => !long.some((text) => text.name === name)),
  );
  const shareBytes = Math.max(0, bytesMax - responseBytes(short)) / (long.length + 1);
  const cut = long.filter(({ text }) => responseBytes(text) > shareBytes);
  const texts = Object.fromEntries(cut.map(({ name, text }) => [name, cutTo(text, shareBytes)]));
  return { ...record, ...texts, truncated: cut.map(({ name }) => name) };
}

function cutTo(text: string, bytesMax: number): string {
  let shortened = text;
  for (
    let size = responseBytes(shortened);
    size > bytesMax && shortened !== '';
    size = responseBytes(shortened)
  ) {
    const length = Math.min(shortened.length - 1, Math.floor((shortened.length * bytesMax) / size));
    shortened = wholeCharacters(shortened.slice(0, length));
  }
  return shortened;
}

function wholeCharacters(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1).toWellFormed();
}
