import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { tablePages } from '../../shared/database/client/table-pages.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import type { TestApp } from './app.ts';

const READERS = [gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync];

/** Everything that is stored, as one text: items, blobs and queued messages, unpacked. */
export async function everythingIn(app: TestApp): Promise<string> {
  const found: unknown[] = [...app.blobs, ...app.sent];
  let after: Parameters<ReturnType<typeof pages>['read']>[0];
  const pages = () => resolve(tablePages);
  do {
    const page = await pages().read(after);
    found.push(...page.items);
    after = page.next;
  } while (after);
  return unpackedText(found);
}

/** A value as text, with its bytes unpacked. */
export const unpackedText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? unpacked(each) : each));

/** The content of bytes, compressed or not. */
function unpacked(bytes: Uint8Array): string {
  for (const read of READERS) {
    try {
      return read(bytes).toString('latin1');
    } catch {}
  }
  return Buffer.from(bytes).toString('latin1');
}
