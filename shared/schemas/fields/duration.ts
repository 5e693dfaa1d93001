import { DAY_MS } from '../../runtime/values/durations.ts';

const DURATION =
  /^P(?=\d|T\d)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/;
const UNITS_MS = [7 * DAY_MS, 86_400_000, 3_600_000, 60_000, 1000];

/**
 * Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds into milliseconds; undefined if it
 * is invalid.
 */
export function durationMsOf(text: string): number | undefined {
  const fields = DURATION.exec(text)?.slice(1);
  return fields?.reduce((sum, field, index) => sum + Number(field ?? 0) * (UNITS_MS[index] ?? 0), 0);
}
