import { isoOf } from '../../shared/runtime/clock.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { DAY_MS } from '../../shared/runtime/values/durations.ts';
import { CHANNELS, type Channel } from '../../shared/schemas/channel.ts';
import { isIsoTime } from '../../shared/schemas/fields/time.ts';
import { usageError } from '../frame/command.ts';
import { QUEUES } from './dead-letters.ts';

/** The action: the arguments and options of the command line, checked. */
type Task =
  | { kind: 'dead-letters'; queues: readonly string[] }
  | { kind: 'notifications'; from: string; to: string }
  | { kind: 'failed'; from: string; to: string; accountId: string; channel?: Channel; code?: string }
  | { kind: 'usage'; days: string[] };

/** Reads the arguments and options of the command line. */
export function taskOf(
  [kind, ...names]: string[],
  range: Range & { account?: string | undefined; channel?: string | undefined; code?: string | undefined },
  nowMs: number,
): Task {
  if (kind !== 'failed' && (range.account ?? range.channel ?? range.code) !== undefined)
    throw usageError('Only failed accepts --account, --channel and --code.');
  if (kind === 'dead-letters') {
    const unknown = names.find((name) => !QUEUES.has(name));
    if (unknown !== undefined)
      throw usageError(
        `The queue ${unknown} does not exist: the queues are ${[...QUEUES.keys()].join(', ')}.`,
      );
    if (range.from || range.to) throw usageError('dead-letters accepts no time.');
    return { kind, queues: names.length > 0 ? names : [...QUEUES.keys()] };
  }
  if (kind === 'usage' && names.length === 0) return { kind, days: daysOf(range, nowMs) };
  if ((kind !== 'notifications' && kind !== 'failed') || names.length > 0)
    throw usageError('Pass dead-letters, notifications, failed or usage.');
  const times = rangeOf(kind, range, nowMs);
  if (kind === 'notifications') return { kind, ...times };
  if (!range.account) throw usageError('failed needs --account.');
  const channel = CHANNELS.find((each) => each === range.channel);
  if (range.channel !== undefined && !channel)
    throw usageError(`--channel must be one of ${CHANNELS.join(', ')}.`);
  return { kind, ...times, accountId: range.account, ...defined({ channel, code: range.code }) };
}

type Range = { from?: string | undefined; to?: string | undefined };

/** A range of time up to now, of a command or an argument named `kind`. */
export function rangeOf(kind: string, range: Range, nowMs: number): { from: string; to: string } {
  if (!range.from) throw usageError(`${kind} needs --from.`);
  const from = timeOf('--from', range.from);
  const to = range.to ? timeOf('--to', range.to) : new Date(nowMs);
  if (from >= to) throw usageError('--from must be before --to.');
  return { from: from.toISOString(), to: to.toISOString() };
}

const DAYS_MAX = 366;

function daysOf(
  { from, to = from }: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): string[] {
  if (from === undefined || to === undefined) throw usageError('usage needs --from.');
  const [first, last] = [dayOf('--from', from), dayOf('--to', to)];
  const count = (last - first) / DAY_MS + 1;
  if (count < 1) throw usageError('--from must not be after --to.');
  if (last + 2 * DAY_MS > nowMs) throw usageError('A day can be recounted 24 hours after it ends.');
  if (count > DAYS_MAX) throw usageError(`usage accepts at most ${DAYS_MAX} days.`);
  return Array.from({ length: count }, (_, index) => isoOf(first + index * DAY_MS).slice(0, 10));
}

function dayOf(option: string, text: string): number {
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(timeMs) || isoOf(timeMs).slice(0, 10) !== text)
    throw usageError(`${option} must be a day, such as 2026-11-20.`);
  return timeMs;
}

function timeOf(option: string, text: string): Date {
  if (!isIsoTime(text))
    throw usageError(`${option} must be an ISO 8601 time with its zone, such as 2026-11-20T08:00:00Z.`);
  return new Date(text);
}
