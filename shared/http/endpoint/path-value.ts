const ENCODED = /^~([A-Za-z0-9_-]+)$/;
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a path parameter, which may be written as `~` and the base64url of its UTF-8: it does not depend on how often
 * a gateway decodes a path. Undefined for a `~` that no text of this form follows.
 */
export function readPathValue(text: string): string | undefined {
  if (!text.startsWith('~')) return text;
  const bytes = Buffer.from(ENCODED.exec(text)?.[1] ?? '', 'base64url');
  // Each text has one spelling: a cut or padded one is a mistake.
  if (bytes.length === 0 || `~${bytes.toString('base64url')}` !== text) return undefined;
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}
