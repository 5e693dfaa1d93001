import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../shared/runtime/clock.ts';

/** A clock that runs with the machine's, but at a distance that can be moved forward; a restart keeps the distance. */
export type LocalClock = Clock & {
  /** Moves the clock to `ms`. False when that is before its time: it never runs backwards. */
  moveTo(ms: number): boolean;
  /** Stopped, except for `moveTo`, until `start`. */
  stop(): void;
  start(): void;
  /** Returns how far the clock is ahead of the machine's, ms. */
  offsetMs(): number;
};

export function openLocalClock(store: DatabaseSync, startMs: number | undefined): LocalClock {
  store.exec(
    'CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), offset_ms INTEGER NOT NULL)',
  );
  const row = store.prepare('SELECT offset_ms FROM clock WHERE id = 1').get();
  let offsetMs = row ? Number(row.offset_ms) : 0;
  const save = store.prepare(
    'INSERT INTO clock (id, offset_ms) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET offset_ms = excluded.offset_ms',
  );

  let stoppedAtMs: number | undefined;
  const now = () => stoppedAtMs ?? Date.now() + offsetMs;

  function setOffset(ms: number): void {
    offsetMs = ms;
    save.run(ms);
  }

  if (startMs !== undefined) setOffset(startMs - Date.now());
  return {
    now,
    offsetMs: () => now() - Date.now(),
    moveTo(ms) {
      if (ms < now()) return false;
      if (stoppedAtMs !== undefined) stoppedAtMs = ms;
      setOffset(Math.round(ms - Date.now()));
      return true;
    },
    stop() {
      stoppedAtMs = now();
    },
    start() {
      if (stoppedAtMs === undefined) return;
      setOffset(stoppedAtMs - Date.now());
      stoppedAtMs = undefined;
    },
  };
}

/** The due index orders times of 13 digits: to 2286, which leaves years for planned work. */
const EARLIEST_MS = Date.parse('2000-01-01T00:00:00Z');
const LATEST_MS = Date.parse('2200-01-01T00:00:00Z');

export const isClockTime = (ms: number) => ms >= EARLIEST_MS && ms <= LATEST_MS;

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Milliseconds of an ISO 8601 date or time, in UTC unless it has an offset; undefined when the clock cannot show it. */
export function parseClockMs(text: string): number | undefined {
  const fields = TIME.exec(text);
  if (!fields) return undefined;
  const [, time, offset] = fields;
  const ms = Date.parse(time && !offset ? `${text}Z` : text);
  return isClockTime(ms) ? ms : undefined;
}

const OFFSET_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** Describes an offset in its two largest units, such as `2 days 3 hours ahead of`; empty below a second. */
export function offsetText(offsetMs: number): string {
  let restMs = Math.round(Math.abs(offsetMs) / 1000) * 1000;
  const parts = OFFSET_UNITS.flatMap(([unit, ms]) => {
    const count = Math.floor(restMs / ms);
    restMs -= count * ms;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  });
  if (parts.length === 0) return '';
  return `${parts.slice(0, 2).join(' ')} ${offsetMs > 0 ? 'ahead of' : 'behind'}`;
}
