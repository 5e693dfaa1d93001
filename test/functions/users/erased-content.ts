import { inflateRawSync } from 'node:zlib';
import { logPk } from '../../../shared/database/keys/key.ts';
import { app } from './erase-logs-setup.ts';

/** Everything that is stored of a log as text: what is compressed, unpacked. */
export async function contentOf(trackingId: string): Promise<string> {
  const items = await app.database.queryAll(logPk(trackingId), '');
  return JSON.stringify(items, (_, value) => (value instanceof Uint8Array ? unpacked(value) : value));
}

function unpacked(bytes: Uint8Array): string {
  try {
    return inflateRawSync(bytes).toString('utf8');
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}
