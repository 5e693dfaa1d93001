import { firstTimezone, instantOf } from './timezone.ts';

/** Requested time; `inPast` means now. Not ok: malformed or too far ahead. */
export type ParsedSchedule = { ok: true; dueAtMs: number; inPast: boolean } | { ok: false };

const DATE = String.raw`(?<date>\d{4}-\d{2}-\d{2})`;
const TIME = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:[.,](?<fraction>\d{1,9}))?)?`;
const OFFSET = String.raw`(?:z|(?<sign>[+-])(?<offsetHours>[01]\d|2[0-3])(?::?(?<offsetMinutes>[0-5]\d))?)`;
const SCHEDULE = new RegExp(`^${DATE}[t ]${TIME}(?<offset>${OFFSET})?$`, 'i');

/**
 * Reads an ISO 8601 date and time: `2026-03-29T09:30`, seconds and fraction optional, `T` or a space between. Without `Z` or an
 * offset it is wall-clock time in `zone`, by default in UTC. A skipped time is the gap's end; a repeated time is its first
 * occurrence. Digits below a millisecond are cut off. At most a year ahead: the same date and time of the next year in UTC, 1
 * March for 29 February.
 */
export function parseSchedule(
  text: string,
  context: { zone?: string | undefined; nowMs: number },
): ParsedSchedule {
  const fields = SCHEDULE.exec(text)?.groups;
  const wallClockMs = fields && readWallClock(fields);
  if (!fields || wallClockMs === undefined) return { ok: false };
  const dueAtMs = fields.offset
    ? wallClockMs - readOffset(fields)
    : instantOf(wallClockMs, firstTimezone([context.zone]));
  if (dueAtMs > aYearAfter(context.nowMs)) return { ok: false };
  return { ok: true, dueAtMs, inPast: dueAtMs <= context.nowMs };
}

/** True if the text is a time. How far ahead it may be depends on the clock: `parseSchedule` checks that. */
export function isScheduleText(text: string): boolean {
  const fields = SCHEDULE.exec(text)?.groups;
  return fields !== undefined && readWallClock(fields) !== undefined;
}

function aYearAfter(ms: number): number {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}

type Fields = Record<string, string | undefined>;

function readWallClock({ date, hour, minute, second = '00', fraction = '' }: Fields): number | undefined {
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // The engine lets 30 February run over into March.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? undefined : ms;
}

function readOffset({ sign, offsetHours = '0', offsetMinutes = '0' }: Fields): number {
  const minutes = Number(offsetHours) * 60 + Number(offsetMinutes);
  return (sign === '-' ? -minutes : minutes) * 60_000;
}
