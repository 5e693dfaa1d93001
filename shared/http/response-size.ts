/** Lambda rejects responses over 6 MB, in which the body is text within JSON. */
export const RESPONSE_BYTES_MAX = 5 * 1024 * 1024;

/** Bytes of a value in a function's response: JSON within JSON. */
export function responseBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}
