import * as v from 'valibot';

const ISO_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const DAY = /^\d{4}-\d\d-\d\d/;

/** True if `text` is an ISO 8601 time with Z or an offset, on a day that exists. */
export function isIsoTime(text: string): boolean {
  return ISO_TIME.test(text) && isRealTime(text);
}

/** True if `text` is a time that starts with a day that exists: `Date.parse` reads 30 February as 2 March. */
export function isRealTime(text: string): boolean {
  const [day] = DAY.exec(text) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  const dayMs = Date.parse(day);
  return !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
}

/** An ISO 8601 time in a response, not checked. */
export const TimeText = v.string();

/** A day in a response, such as 2027-01-31, not checked. */
export const DayText = v.string();

/** A time that bounds a list. */
export const RangeTime = v.pipe(
  v.string(),
  v.check(isRealTime, 'must be an ISO 8601 time, such as 2027-01-31T08:30:00Z'),
);

/** An ISO 8601 time with Z or an offset, in UTC with milliseconds. */
export const IsoTime = v.pipe(
  v.string(),
  v.check(isIsoTime, 'must be an ISO 8601 time with Z or offset, such as 2027-01-31T08:30:00Z'),
  v.transform((text) => new Date(text).toISOString()),
);
