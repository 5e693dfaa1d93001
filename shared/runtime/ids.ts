import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { stringify, v7 } from 'uuid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random base62 characters (5.95 bits each), without modulo bias. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** A new id of an account, environment, key or other resource: 16 base62 characters, 95 bits. */
export function newId(): string {
  return randomText(16);
}

/** A new tracking ID: a UUID version 7, sortable by time; those of one millisecond by `position`, at most 127. */
export function newTrackingId(nowMs: number, position?: number): string {
  const random = nextRandom();
  if (position === undefined) return v7({ msecs: nowMs, random });
  const seq = (position * 2 ** POSITION_SHIFT + (Buffer.from(random).readUInt32BE(0) >>> 7)) >>> 0;
  return v7({ msecs: nowMs, random, seq });
}

/** Of the 32 bits that follow the time, the position takes the first seven. */
const POSITION_SHIFT = 25;

const RANDOM_BYTES = 16;
const nextRandom = createRandomPool();

/** Random bytes are drawn for many IDs together: each draw costs as much as 2 KB of them. */
function createRandomPool(): () => Uint8Array {
  const pool = Buffer.alloc(128 * RANDOM_BYTES);
  let usedBytes = pool.length;
  return () => {
    if (usedBytes === pool.length) {
      randomFillSync(pool);
      usedBytes = 0;
    }
    usedBytes += RANDOM_BYTES;
    return pool.subarray(usedBytes - RANDOM_BYTES, usedBytes);
  };
}

/** The tracking ID that belongs to the given parts, as a UUID version 8: the same parts give the same ID. */
export function trackingIdOf(parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return stringify(hash.subarray(0, 16));
}

/** Shard of `id` among `count`: even, stable. */
export function shardOf(id: string, count: number): number {
  if (count <= 1) return 0;
  return createHash('sha1').update(id).digest().readUInt32BE(0) % count;
}
