/** Lambda rejects responses over 6 MB, in which the body is text within JSON. */
export const RESPONSE_BYTES_MAX = 5 * 1024 * 1024;

/** Bytes that a value takes in a function's response: JSON within JSON. */
export function responseBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}
