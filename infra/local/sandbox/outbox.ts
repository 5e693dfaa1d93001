import type { DatabaseSync } from 'node:sqlite';
import type { SandboxMessage } from '../../../shared/channels/sandbox/sandbox.ts';

/** What the sandbox providers were given. */
export type Outbox = {
  record(message: SandboxMessage): Promise<void>;
  /** Oldest first; each filter narrows. */
  list(filter: { channel?: string; to?: string; trackingId?: string }): SandboxMessage[];
  clear(): void;
};

/** Opens the outbox of a store. */
export function openOutbox(store: DatabaseSync): Outbox {
  store.exec(
    'CREATE TABLE IF NOT EXISTS sandbox_messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, tracking_id TEXT NOT NULL, message TEXT NOT NULL)',
  );
  const insert = store.prepare(
    'INSERT INTO sandbox_messages (channel, tracking_id, message) VALUES (?, ?, ?)',
  );
  const select = store.prepare(
    'SELECT message FROM sandbox_messages WHERE (? IS NULL OR channel = ?) AND (? IS NULL OR tracking_id = ?) ORDER BY seq',
  );
  return {
    async record(message) {
      insert.run(message.channel, message.trackingId, JSON.stringify(message));
    },
    list({
      channel = null,
      to,
      trackingId = null,
    }: {
      channel?: string | null;
      to?: string;
      trackingId?: string | null;
    }) {
      const rows = select.all(channel, channel, trackingId, trackingId);
      const messages = rows.map((row): SandboxMessage => JSON.parse(String(row.message)));
      return to === undefined ? messages : messages.filter((message) => message.to.includes(to));
    },
    clear: () => store.exec('DELETE FROM sandbox_messages'),
  };
}
