export const USAGE_MONTHS_MAX = 36;

/** Months of a range, or the problem; `too_long` is over 36 months. */
export type MonthsOfRange =
  | { ok: true; months: string[] }
  | { ok: false; problem: 'malformed' | 'reversed' | 'too_long' };

/** The months (YYYY-MM, ascending) that the days from `startDate` to `endDate` (YYYY-MM-DD, both included) touch. */
export function monthsOfRange(startDate: string, endDate: string): MonthsOfRange {
  const start = parseDate(startDate);
  const end = parseDate(endDate);
  if (!start || !end) return { ok: false, problem: 'malformed' };
  if (startDate > endDate) return { ok: false, problem: 'reversed' };
  const count = (end.year - start.year) * 12 + end.month - start.month + 1;
  if (count > USAGE_MONTHS_MAX) return { ok: false, problem: 'too_long' };
  const months = Array.from({ length: count }, (_, index) => yearMonthOf(start.year, start.month + index));
  return { ok: true, months };
}

/** The UTC month (YYYY-MM) that an instant belongs to. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** First day (YYYY-MM-DD) of a billing period and the first day after it, both at 00:00 UTC. */
export type BillingPeriod = { startDate: string; endDate: string };

/**
 * The billing period that `nowMs` is in. Periods begin each month on the day of the month of `anchorDate`
 * (YYYY-MM-DD), or on the last day of a shorter month. Throws RangeError when the anchor is no date.
 */
export function billingPeriodOf(anchorDate: string, nowMs: number): BillingPeriod {
  const anchor = parseDate(anchorDate);
  if (!anchor) throw new RangeError('anchorDate must be a calendar date YYYY-MM-DD');
  const now = new Date(nowMs);
  const resetIn = (monthsAhead: number) =>
    clampedDate(now.getUTCFullYear(), now.getUTCMonth() + monthsAhead, anchor.day);
  const reset = resetIn(0);
  return reset <= now.toISOString()
    ? { startDate: reset, endDate: resetIn(1) }
    : { startDate: resetIn(-1), endDate: reset };
}

/** The next monthly reset (YYYY-MM-DD) after `nowMs`: the end of its billing period. Throws as `billingPeriodOf`. */
export function nextAnniversary(anchorDate: string, nowMs: number): string {
  return billingPeriodOf(anchorDate, nowMs).endDate;
}

/** True if the text is a calendar date, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  return parseDate(text) !== undefined;
}

/** Calendar date with `month` from 0, as `Date.UTC` counts; undefined when it is malformed or no date. */
function parseDate(text: string): { year: number; month: number; day: number } | undefined {
  const date = new Date(`${text}T00:00:00Z`);
  // Years of six digits have a sign.
  if (!/^\d/.test(text) || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text)
    return undefined;
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

function clampedDate(year: number, month: number, day: number): string {
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, daysInMonth))).toISOString().slice(0, 10);
}

function yearMonthOf(year: number, month: number): string {
  const fullYear = String(year + Math.floor(month / 12)).padStart(4, '0');
  return `${fullYear}-${String((month % 12) + 1).padStart(2, '0')}`;
}
