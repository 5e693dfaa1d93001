import { hash, randomBytes, randomFillSync } from 'node:crypto';

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

/** A new tracking ID: a UUID version 7, sortable by time. IDs of the same millisecond are sorted by `position`, at most 127. */
export function newTrackingId(nowMs: number, position?: number): string {
  const bytes = Buffer.from(nextRandom());
  bytes.writeUIntBE(nowMs, 0, TIME_BYTES);
  // Of the bits that follow the time, the position takes the first seven: they are on both sides of the version.
  if (position !== undefined) {
    bytes[6] = position >>> 3;
    bytes[7] = (position << 5) | ((bytes[7] ?? 0) & 0x1f);
  }
  return uuidOf(bytes, 7);
}

/** When a tracking ID was made; undefined for one that is derived from other data. */
export function timeOfTrackingId(id: string): number | undefined {
  const hex = id.replaceAll('-', '');
  return hex[12] === '7' ? Number.parseInt(hex.slice(0, 2 * TIME_BYTES), 16) : undefined;
}

const TIME_BYTES = 6;

/** Sets version and variant (RFC 9562). */
function uuidOf(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

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
  return uuidOf(hash('sha256', JSON.stringify(parts), 'buffer'), 8);
}

/** Shard of `id` among `count`: even, stable. */
export function shardOf(id: string, count: number): number {
  if (count <= 1) return 0;
  return hash('sha1', id, 'buffer').readUInt32BE(0) % count;
}
