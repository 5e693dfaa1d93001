import type { DatabaseSync } from 'node:sqlite';

export const QUEUE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS queue_messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    group_id TEXT,
    deduplication_id TEXT,
    sent_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    first_received_at INTEGER,
    receive_count INTEGER NOT NULL DEFAULT 0,
    is_held INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  );
  CREATE INDEX IF NOT EXISTS queue_messages_by_time ON queue_messages (queue, visible_at, seq) WHERE is_held = 0;
  CREATE INDEX IF NOT EXISTS queue_messages_by_group ON queue_messages (queue, group_id, seq) WHERE group_id IS NOT NULL;
  CREATE TABLE IF NOT EXISTS queue_repeats (
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (queue, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS queue_repeats_by_end ON queue_repeats (until);
`;

/** Adds columns that an earlier version's store lacks. */
export function migrateQueues(store: DatabaseSync): void {
  const columns = store.prepare('PRAGMA table_info(queue_messages)').all();
  if (!columns.some(({ name }) => name === 'last_error'))
    store.exec('ALTER TABLE queue_messages ADD COLUMN last_error TEXT');
}

/** The group has no earlier message, in flight or not. */
const IS_FIRST_OF_GROUP = `(m.group_id IS NULL OR NOT EXISTS (
  SELECT 1 FROM queue_messages e WHERE e.queue = m.queue AND e.group_id = m.group_id AND e.seq < m.seq))`;

export type QueueSql = ReturnType<typeof prepareQueueSql>;

export function prepareQueueSql(store: DatabaseSync) {
  return {
    insert: store.prepare(
      'INSERT INTO queue_messages (queue, id, body, group_id, deduplication_id, sent_at, visible_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    /** Changes nothing while the ID is stored. */
    keepDuplicate: store.prepare(
      'INSERT INTO queue_repeats (queue, id, until) VALUES (?, ?, ?) ON CONFLICT (queue, id) DO UPDATE SET until = excluded.until WHERE until <= ?',
    ),
    expireDuplicates: store.prepare('DELETE FROM queue_repeats WHERE until <= ?'),
    receivable: store.prepare(
      `SELECT * FROM queue_messages m WHERE m.queue = ? AND m.is_held = 0 AND m.visible_at <= ? AND ${IS_FIRST_OF_GROUP}
       ORDER BY m.visible_at, m.seq LIMIT ?`,
    ),
    next: store.prepare(
      `SELECT m.visible_at AS at FROM queue_messages m WHERE m.queue = ? AND m.is_held = 0 AND ${IS_FIRST_OF_GROUP}
       ORDER BY m.visible_at, m.seq LIMIT 1`,
    ),
    take: store.prepare(
      `UPDATE queue_messages SET visible_at = ?, is_held = ?, receive_count = receive_count + 1,
       first_received_at = COALESCE(first_received_at, ?) WHERE seq = ?`,
    ),
    bury: store.prepare('UPDATE queue_messages SET queue = ?, visible_at = ? WHERE seq = ?'),
    revive: store.prepare(
      'UPDATE queue_messages SET queue = ?, visible_at = ?, receive_count = 0, first_received_at = NULL WHERE queue = ? AND (? IS NULL OR id = ?)',
    ),
    fail: store.prepare(
      'UPDATE queue_messages SET last_error = ? WHERE seq = ? AND queue = ? AND receive_count = ?',
    ),
    list: store.prepare('SELECT * FROM queue_messages WHERE queue = ? ORDER BY seq LIMIT ?'),
    remove: store.prepare('DELETE FROM queue_messages WHERE seq = ? AND queue = ? AND receive_count = ?'),
    release: store.prepare(
      'UPDATE queue_messages SET is_held = 0 WHERE seq = ? AND queue = ? AND receive_count = ?',
    ),
    move: store.prepare(
      'UPDATE queue_messages SET visible_at = ? WHERE seq = ? AND queue = ? AND receive_count = ?',
    ),
    recover: store.prepare('UPDATE queue_messages SET is_held = 0, visible_at = ? WHERE is_held = 1'),
    depth: store.prepare(
      `SELECT COUNT(*) AS total,
         COUNT(*) FILTER (WHERE m.is_held = 0 AND m.visible_at <= ? AND ${IS_FIRST_OF_GROUP}) AS visible,
         COUNT(*) FILTER (WHERE m.is_held = 1 OR (m.receive_count > 0 AND m.visible_at > ?)) AS in_flight
       FROM queue_messages m WHERE m.queue = ?`,
    ),
  };
}
