const SPEAK = /^\s*<speak\b[^>]*>([\s\S]*)<\/speak>\s*$/;
const TAG = /<(\/?)([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g;
const ENTITY = /&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);/gi;

/** The content of a text that is SSML (`<speak>…</speak>`); undefined for plain text. */
export const innerSsml = (text: string): string | undefined => SPEAK.exec(text)?.[1];

/** True if a text is meant as SSML, before it is rendered too. */
export const isSsml = (text: string | undefined): boolean => text !== undefined && /^\s*<speak\b/.test(text);

/** The words of a text without its markup. */
export const spokenWords = (text: string): string =>
  isSsml(text) ? text.replace(TAG, ' ').replace(/\s+/g, ' ').trim() : text;

/** True if the elements of SSML are closed in order, and all else is text: providers reject a call whose script is not. */
export function isWellFormed(ssml: string): boolean {
  const open: string[] = [];
  for (const [, closing, name = '', , empty] of ssml.matchAll(TAG)) {
    if (closing ? open.pop() !== name : false) return false;
    if (!closing && !empty) open.push(name);
  }
  return open.length === 0 && !/[<&]/.test(ssml.replace(TAG, '').replace(ENTITY, ''));
}
