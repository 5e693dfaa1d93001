/** A time that a template names. A date alone, or one without an offset, is shown as it is written. */
export type TemplateTime = { atMs: number; isDate: boolean; isWritten: boolean };

const DATE = /^\d{4}-\d\d-\d\d$/;
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** Reads a time as the `date` filter does: ISO 8601, `now`, or seconds since 1970. Undefined otherwise. */
export function readTime(value: unknown, nowMs: number): TemplateTime | undefined {
  if (value === 'now' || value === 'today') return { atMs: nowMs, isDate: false, isWritten: false };
  if (typeof value === 'number') return timeOf(value * 1000);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = value.trim();
  if (DATE.test(text)) return timeOf(Date.parse(text), { isDate: true, isWritten: true });
  if (WITHOUT_OFFSET.test(text)) return timeOf(Date.parse(`${text.replace(' ', 'T')}Z`), { isWritten: true });
  return /^-?\d+(\.\d+)?$/.test(text) ? timeOf(Number(text) * 1000) : timeOf(Date.parse(text));
}

function timeOf(atMs: number, more: Partial<TemplateTime> = {}): TemplateTime | undefined {
  const isTime = Math.abs(atMs) <= 8.64e15;
  return isTime ? { isDate: false, isWritten: false, ...more, atMs } : undefined;
}
