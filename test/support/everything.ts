import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { tablePages } from '../../shared/database/client/table-pages.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import type { TestApp } from './app.ts';

/** What is stored is packed without a header; bytes of the other kinds are none of it. */
const READERS = [inflateRawSync, gunzipSync, inflateSync, brotliDecompressSync];

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

/** What was unpacked: most of a table is read again after each step of a story. */
const known = new Map<string, string>();

/** The content of bytes, compressed or not. */
function unpacked(bytes: Uint8Array): string {
  const plain = Buffer.from(bytes).toString('latin1');
  const content = known.get(plain) ?? contentOf(bytes) ?? plain;
  known.set(plain, content);
  return content;
}

function contentOf(bytes: Uint8Array): string | undefined {
  for (const read of READERS) {
    try {
      return read(bytes).toString('latin1');
    } catch {}
  }
  return undefined;
}
