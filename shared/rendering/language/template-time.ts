import { isRealTime } from '../../schemas/fields/time.ts';

/** A time that a template names. A date alone, or one without an offset, is shown as it is written. */
export type TemplateTime = { atMs: number; isDate: boolean; isWritten: boolean };

const DATE = /^\d{4}-\d\d-\d\d$/;
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;
// The engine reads much more as a time, in the zone of the machine: `Room 12` as 1 December 2001.
const WITH_OFFSET = /^(?=.*\b\d{4}\b)(?=.*\d\d:\d\d).*(Z|GMT|UTC|[+-]\d\d:?\d\d)/;
/** Larger values are milliseconds: in seconds they would be after the year 5138. */
const MILLISECONDS_MIN = 1e11;

/** Reads a time: ISO 8601 or another format with an offset, `now`, or seconds or milliseconds since 1970. */
export function readTime(value: unknown, nowMs: number): TemplateTime | undefined {
  if (value === 'now' || value === 'today') return { atMs: nowMs, isDate: false, isWritten: false };
  if (typeof value === 'number') return sinceEpoch(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = value.trim();
  if (/^\d{4}-/.test(text) && !isRealTime(text)) return undefined;
  if (DATE.test(text)) return timeOf(Date.parse(text), { isDate: true, isWritten: true });
  if (WITHOUT_OFFSET.test(text)) return timeOf(Date.parse(`${text.replace(' ', 'T')}Z`), { isWritten: true });
  if (/^-?\d+(\.\d+)?$/.test(text)) return sinceEpoch(Number(text));
  return WITH_OFFSET.test(text) ? timeOf(Date.parse(text)) : undefined;
}

function sinceEpoch(value: number): TemplateTime | undefined {
  return timeOf(Math.abs(value) < MILLISECONDS_MIN ? value * 1000 : value);
}

function timeOf(atMs: number, more: Partial<TemplateTime> = {}): TemplateTime | undefined {
  const isTime = Math.abs(atMs) <= 8.64e15;
  return isTime ? { isDate: false, isWritten: false, ...more, atMs } : undefined;
}
