import { decodeHTMLAttribute, decodeHTMLStrict } from 'entities';

/** Decodes the entities of HTML 5 in text; one without a semicolon stays. */
export const decodeEntities = (text: string): string => decodeHTMLStrict(text);

/** The same in an attribute, where `&copy=` of a query is none. */
export const decodeAttribute = (text: string): string => decodeHTMLAttribute(text);

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
