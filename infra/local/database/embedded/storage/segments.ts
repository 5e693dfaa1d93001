/** The value of a key's column. */
export type KeyValue = string | Uint8Array;

/** The segment of a scan that a partition is in: by a hash of its key (FNV-1a). */
export function segmentOf(hash: KeyValue, total: number): number {
  const bytes = typeof hash === 'string' ? Buffer.from(hash) : hash;
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return sum % total;
}
