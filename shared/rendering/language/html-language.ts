import { directionOf } from '../../domain/users/locales.ts';
import { canonicalLocale } from '../../schemas/users/locale.ts';

/** Of a text whose language nobody stated: its direction follows its own letters. */
export const UNKNOWN_LANGUAGE = 'und';

/**
 * An email's html marked with its language and direction, for screen readers, hyphenation and right-to-left
 * text. A complete page gets them at its `html` tag, unless the author set them; a fragment is wrapped in a
 * `div`.
 */
export function withLanguage(html: string, locale: string | undefined): string {
  if (locale === undefined || html.trim() === '') return html;
  // Outlook's conditional comments, for example, contain tags too.
  const shown = html.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => ' '.repeat(comment.length));
  const start = shown.search(/<html[\s>]/i);
  const end = start < 0 ? -1 : html.indexOf('>', start);
  if (end >= 0) return html.slice(0, start) + markedTag(html.slice(start, end), locale) + html.slice(end);
  const [, doctype = '', rest = ''] = /^(\s*<!doctype[^>]*>)?([\s\S]*)$/i.exec(html) ?? [];
  const isPage = doctype !== '' || /<(?:head|body)[\s>]/i.test(shown);
  const attributes = attributesOf(locale);
  return isPage ? `${doctype}<html ${attributes}>${rest}</html>` : `<div ${attributes}>${html}</div>`;
}

function attributesOf(locale: string): string {
  if (locale === UNKNOWN_LANGUAGE) return 'dir="auto"';
  const { baseName } = new Intl.Locale(locale);
  return `lang="${baseName}" dir="${directionOf(baseName)}"`;
}

/**
 * The start tag, without its end, with the missing attributes. An author's language also determines the
 * direction.
 */
function markedTag(tag: string, locale: string): string {
  const own = /\slang\s*=\s*["']?([a-z0-9-]+)/i.exec(tag)?.[1];
  const hasDirection = /\sdir\s*=/i.test(tag);
  if (own === undefined && !hasDirection) return `${tag} ${attributesOf(locale)}`;
  if (own === undefined && locale === UNKNOWN_LANGUAGE) return tag;
  if (own === undefined) return `${tag} lang="${new Intl.Locale(locale).baseName}"`;
  const known = canonicalLocale(own);
  return hasDirection || known === undefined ? tag : `${tag} dir="${directionOf(known)}"`;
}
