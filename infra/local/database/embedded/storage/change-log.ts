import { sizeOf } from '../values/sizes.ts';
import type { WireItem } from '../values/wire.ts';
import type { StoredItem, TableDefinition } from './definition.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** A change of an item. Images that the stream does not show are not kept. */
export type Change = {
  sequence: number;
  atMs: number;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  key: WireItem;
  before: WireItem | undefined;
  after: WireItem | undefined;
  bytes: number;
  isByTtl: boolean;
};

/** The changes of a table's items of the last 24 hours, in the order of their writes. */
export type ChangeLog = {
  add(change: NewChange): void;
  /** Changes behind a sequence number. */
  after(sequence: number, countMax: number): Change[];
  /** The sequence number before the oldest change that is kept. */
  horizon(): number;
  last(): number;
  /** Calls back after each change, when it can be read. */
  onAdd(listener: () => void): void;
};
type NewChange = {
  key: WireItem;
  before: StoredItem | undefined;
  after: StoredItem | undefined;
  afterText: string | undefined;
  isByTtl: boolean;
};

const KEPT_MS = 24 * 60 * 60 * 1000;
/** Changes that nobody has read yet stay in memory: the newest, up to so many bytes. */
const RECENT_BYTES_MAX = 2 * 1024 * 1024;
/** Old changes are deleted after this many new changes. */
const TRIM_EVERY = 1000;

const NONE: ChangeLog = { add() {}, after: () => [], horizon: () => 0, last: () => 0, onAdd() {} };

export function openChangeLog(
  file: SqliteFile,
  { id, streamView: view }: TableDefinition,
  nowMs: () => number,
): ChangeLog {
  if (!view) return NONE;
  const table = `changes_${id}`;
  const hasBefore = view === 'OLD_IMAGE' || view === 'NEW_AND_OLD_IMAGES';
  const hasAfter = view === 'NEW_IMAGE' || view === 'NEW_AND_OLD_IMAGES';
  const insert = `INSERT INTO ${table} (at, key, before, after, bytes, by_ttl) VALUES (?, ?, ?, ?, ?, ?)`;
  const listeners: (() => void)[] = [];
  const recent = openRecent();
  file.onUndone(recent.clear);
  let untilTrim = 0;

  /** Up to the first that is kept, without a look at the others. The last stays, so that no sequence number comes twice. */
  function trim(): void {
    const kept = `SELECT seq FROM ${table} WHERE at >= ? ORDER BY seq LIMIT 1`;
    file
      .statement(`DELETE FROM ${table} WHERE seq < COALESCE((${kept}), (SELECT MAX(seq) FROM ${table}))`)
      .run(nowMs() - KEPT_MS);
  }

  return {
    add({ key, before, after, afterText, isByTtl }) {
      if (untilTrim === 0) trim();
      untilTrim = (untilTrim || TRIM_EVERY) - 1;
      const images = [hasBefore ? before : undefined, hasAfter ? after : undefined];
      const bytes = images.reduce((sum, image) => sum + (image?.bytes ?? 0), sizeOf(key));
      const atMs = nowMs();
      const { lastInsertRowid } = file
        .statement(insert)
        .run(
          atMs,
          JSON.stringify(key),
          imageText(before?.item, hasBefore),
          imageText(after?.item, hasAfter, afterText),
          bytes,
          isByTtl ? 1 : 0,
        );
      recent.add({
        sequence: Number(lastInsertRowid),
        atMs,
        eventName: eventNameOf(before, after),
        key,
        before: images[0]?.item,
        after: images[1]?.item,
        bytes,
        isByTtl,
      });
      for (const listener of listeners) listener();
    },
    after(sequence, countMax) {
      const oldestMs = nowMs() - KEPT_MS;
      const held = recent.after(sequence)?.filter(({ atMs }) => atMs >= oldestMs);
      if (held) return held.slice(0, countMax);
      const sql = `SELECT * FROM ${table} WHERE seq > ? AND at >= ? ORDER BY seq LIMIT ?`;
      return file.statement(sql).all(sequence, oldestMs, countMax).map(changeOf);
    },
    horizon() {
      const row = file.statement(`SELECT MIN(seq) AS seq FROM ${table} WHERE at >= ?`).get(nowMs() - KEPT_MS);
      return row?.seq ? Number(row.seq) - 1 : this.last();
    },
    onAdd: (listener) => void listeners.push(listener),
    last: () => Number(file.statement(`SELECT MAX(seq) AS seq FROM ${table}`).get()?.seq ?? 0),
  };
}

/** Changes without a gap up to the latest. */
function openRecent() {
  let changes: Change[] = [];
  let bytes = 0;
  return {
    add(change: Change): void {
      changes.push(change);
      bytes += change.bytes;
      while (bytes > RECENT_BYTES_MAX && changes.length > 1) bytes -= changes.shift()?.bytes ?? 0;
    },
    /** Undefined if a change behind the sequence number may be missing. Those before it have been read, and are forgotten. */
    after(sequence: number): Change[] | undefined {
      const first = changes[0]?.sequence;
      if (first === undefined || first > sequence + 1) return undefined;
      for (const read of changes.splice(0, sequence - first)) bytes -= read.bytes;
      return changes.filter((change) => change.sequence > sequence);
    },
    clear(): void {
      changes = [];
      bytes = 0;
    },
  };
}

function eventNameOf(before: unknown, after: unknown): Change['eventName'] {
  if (!after) return 'REMOVE';
  return before ? 'MODIFY' : 'INSERT';
}

/** What stood there is told by an empty text if the image itself is not kept. */
function imageText(image: WireItem | undefined, isKept: boolean, text?: string): string | null {
  if (!image) return null;
  return isKept ? (text ?? JSON.stringify(image)) : '';
}

function changeOf(row: Record<string, unknown>): Change {
  const { before, after } = row as { before: string | null; after: string | null };
  return {
    sequence: Number(row.seq),
    atMs: Number(row.at),
    eventName: eventNameOf(before !== null, after !== null),
    key: JSON.parse(String(row.key)),
    before: before ? JSON.parse(before) : undefined,
    after: after ? JSON.parse(after) : undefined,
    bytes: Number(row.bytes),
    isByTtl: row.by_ttl === 1,
  };
}
