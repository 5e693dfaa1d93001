import type { DatabaseSync } from 'node:sqlite';
import type { SandboxMessage } from '../../../shared/channels/sandbox/sandbox.ts';
import { committed, write } from '../queue/shared-commit.ts';

export type OutboxMessage = SandboxMessage & { id: number };

/** Which calls are listed; each filter narrows. */
export type OutboxFilter = {
  channel?: string;
  to?: string;
  trackingId?: string;
  userId?: string;
  /** Only newer messages. */
  after?: number;
  /** Only older messages. */
  before?: number;
  /** At most so many, of the newest; all by default. */
  limit?: number;
};

export type Outbox = {
  record(message: SandboxMessage): Promise<void>;
  /** Lists oldest first. */
  list(filter: OutboxFilter): OutboxMessage[];
  find(id: number): OutboxMessage | undefined;
  clear(between?: Pick<OutboxFilter, 'after' | 'before'>): void;
  /** Calls `listener` with each new message; the function returned ends that. */
  onMessage(listener: (message: OutboxMessage) => void): () => void;
};

export function openOutbox(store: DatabaseSync): Outbox {
  store.exec(
    'CREATE TABLE IF NOT EXISTS sandbox_messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, tracking_id TEXT NOT NULL, message TEXT NOT NULL)',
  );
  const insert = store.prepare(
    'INSERT INTO sandbox_messages (channel, tracking_id, message) VALUES (?, ?, ?)',
  );
  const select = store.prepare(
    `SELECT seq, message FROM sandbox_messages
     WHERE (?1 IS NULL OR channel = ?1) AND (?2 IS NULL OR tracking_id = ?2) AND seq > ?3 AND seq < ?4
       AND (?5 IS NULL OR json_extract(message, '$.userId') = ?5)
       AND (?6 IS NULL OR EXISTS (SELECT 1 FROM json_each(message, '$.to') WHERE value = ?6))
     ORDER BY seq DESC LIMIT ?7`,
  );
  const selectOne = store.prepare('SELECT seq, message FROM sandbox_messages WHERE seq = ?');
  const removeBetween = store.prepare('DELETE FROM sandbox_messages WHERE seq > ? AND seq < ?');
  const listeners = new Set<(message: OutboxMessage) => void>();
  return {
    async record(message) {
      const { channel, trackingId } = message;
      const { lastInsertRowid } = write(store, () =>
        insert.run(channel, trackingId, JSON.stringify(message)),
      );
      await committed(store);
      for (const listener of listeners) listener({ id: Number(lastInsertRowid), ...message });
    },
    list({ channel, to, trackingId, userId, after = 0, before = Number.MAX_SAFE_INTEGER, limit = -1 }) {
      const { MAX_SAFE_INTEGER } = Number;
      const rows = select.all(
        channel ?? null,
        trackingId ?? null,
        after,
        Math.min(before, MAX_SAFE_INTEGER),
        userId ?? null,
        to ?? null,
        limit,
      );
      return rows.map(messageOf).reverse();
    },
    find(id) {
      const row = selectOne.get(id);
      return row && messageOf(row);
    },
    clear: ({ after = 0, before = Number.MAX_SAFE_INTEGER } = {}) => void removeBetween.run(after, before),
    onMessage(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function messageOf(row: Record<string, unknown>): OutboxMessage {
  const message: SandboxMessage = JSON.parse(String(row.message));
  return { id: Number(row.seq), ...message };
}
