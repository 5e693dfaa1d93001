import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A short text needs no large window: preparing one takes longer than deflating it. */
const SHORT_LENGTH_MAX = 4096;
/** A result keeps the memory of a whole chunk, by default 16 KB. */
const FOR_SHORT = { memLevel: 4, windowBits: 13, chunkSize: 1024 };
const CHUNK = { chunkSize: 4096 };

/** Deflated text as it is stored. */
export function deflated(text: string): Uint8Array {
  return deflateRawSync(text, text.length > SHORT_LENGTH_MAX ? CHUNK : FOR_SHORT);
}

export function inflated(bytes: Uint8Array): string {
  return inflateRawSync(bytes, CHUNK).toString('utf8');
}
