const PLAIN = /^[A-Za-z0-9._-]*$/;

/**
 * Writes an ID as one segment of a path: as it is, or as `~` and the base64url of its UTF-8, which no decoding on the
 * way to the service changes. An ID that begins with `~` is always written this way.
 */
export function pathSegmentOf(value: string): string {
  if (PLAIN.test(value)) return value;
  // Half a character has no UTF-8: its replacement would name somebody else.
  if (/\p{Surrogate}/u.test(value)) throw new TypeError('an ID must be well-formed text');
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
  return `~${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}
