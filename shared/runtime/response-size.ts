/** Most bytes in a response that Lambda accepts, with the body as text within JSON. */
export const LAMBDA_BYTES_MAX = 6 * 1024 * 1024;

/** Most bytes that a list puts into a response: headers and the list's frame need room too. */
export const RESPONSE_BYTES_MAX = 5 * 1024 * 1024;

export function responseBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

/** Returns how many of the values, at least one, fit into a response; undefined values need no room. */
export function countFitting(values: readonly unknown[]): number {
  let sizeBytes = 0;
  const end = values.findIndex((value, index) => {
    sizeBytes += value === undefined ? 0 : responseBytes(value);
    return index > 0 && sizeBytes > RESPONSE_BYTES_MAX;
  });
  return end < 0 ? values.length : end;
}
