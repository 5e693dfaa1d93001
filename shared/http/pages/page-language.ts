import { directionOf, lookUpLocale } from '../../domain/users/locales.ts';
import { canonicalLocale } from '../../schemas/users/locale.ts';
import ar from '../page-texts/ar.json' with { type: 'json' };
import de from '../page-texts/de.json' with { type: 'json' };
import en from '../page-texts/en.json' with { type: 'json' };
import es from '../page-texts/es.json' with { type: 'json' };
import fr from '../page-texts/fr.json' with { type: 'json' };
import it from '../page-texts/it.json' with { type: 'json' };
import ja from '../page-texts/ja.json' with { type: 'json' };
import pt from '../page-texts/pt.json' with { type: 'json' };
import { escapeHtml } from './escape-html.ts';

export type PageTexts = typeof en;

const TEXTS: Readonly<Record<string, PageTexts>> = { ar, de, en, es, fr, it, ja, pt };

/** The language of a page: its texts, and the tag and direction for the html. */
export type PageLanguage = {
  locale: string;
  direction: 'ltr' | 'rtl';
  texts: PageTexts;
  /**
   * The languages for an account's own texts: the language that the reader prefers, even if the page lacks it, then the page's.
   */
  locales: readonly (string | undefined)[];
};

const ACCEPTED_MAX = 20;

/**
 * Returns the language of a recipient's page: the first usable entry of `locales`, then of the header Accept-Language, then
 * English.
 */
export function pageLanguage(
  locales: readonly (string | undefined)[],
  acceptLanguage: string | undefined,
): PageLanguage {
  const preferred = [...locales, ...acceptedLocales(acceptLanguage ?? '')];
  const locale = lookUpLocale(preferred, Object.keys(TEXTS)) ?? 'en';
  const direction = directionOf(locale);
  return { locale, direction, texts: TEXTS[locale] ?? en, locales: [preferred.find(Boolean), locale] };
}

/** The language tags of an Accept-Language header, most wanted first. */
function acceptedLocales(header: string): string[] {
  return header
    .split(',', ACCEPTED_MAX)
    .map((entry) => {
      const [tag = '', ...options] = entry.split(';').map((each) => each.trim());
      const quality = options.find((each) => each.startsWith('q='));
      return { locale: canonicalLocale(tag), weight: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .flatMap(({ locale }) => (locale === undefined ? [] : [locale]));
}

/** A text with its `{names}` replaced by html; the text itself is escaped. */
export function fillText(text: string, values: Readonly<Record<string, string>> = {}): string {
  return escapeHtml(text).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
