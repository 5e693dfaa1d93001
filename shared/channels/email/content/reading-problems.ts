import { decodeEntities } from './html-entities.ts';
import { findAttribute, type HtmlToken, htmlTokens } from './html-tokens.ts';

/** Gmail shows no more of an email than this. */
const SHOWN_BYTES = 102 * 1024;

/** What readers of an email would miss. */
export function readingProblems(html: string): string[] {
  return [
    ...(Buffer.byteLength(html) > SHOWN_BYTES ? ['Gmail cuts it, because its html is over 102 KB.'] : []),
    ...([...htmlTokens(html)].some(isReadable) ? [] : ['it says nothing while images are off.']),
  ];
}

function isReadable(token: HtmlToken): boolean {
  if (token.kind === 'text') return decodeEntities(token.text).trim() !== '';
  return token.name === 'img' && findAttribute(token.attributes, 'alt').trim() !== '';
}
