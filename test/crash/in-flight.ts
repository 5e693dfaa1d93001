import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** One message to a provider: `<trackingId> <channel>`. */
export type MessageName = string;

/** Names a message to a provider. */
export function messageName(trackingId: string, channel: string): MessageName {
  return `${trackingId} ${channel}`;
}

/**
 * The deliveries that were under way when the service was killed: those held in the queues' store. Reads a copy, so
 * that the next start finds the store as the kill left it.
 */
export function readInFlight(dataFolder: string): Set<MessageName> {
  const folder = mkdtempSync(join(tmpdir(), 'in-flight-'));
  try {
    for (const ending of ['', '-wal', '-shm']) {
      const file = join(dataFolder, `local.sqlite${ending}`);
      if (existsSync(file)) copyFileSync(file, join(folder, `local.sqlite${ending}`));
    }
    const store = new DatabaseSync(join(folder, 'local.sqlite'));
    const rows = store
      .prepare("SELECT body FROM queue_messages WHERE is_held = 1 AND queue LIKE 'deliver-%'")
      .all();
    store.close();
    return new Set(
      rows.map(({ body }) => {
        const message: { trackingId: string; channel: string } = JSON.parse(String(body));
        return messageName(message.trackingId, message.channel);
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
