import { match } from '@formatjs/intl-localematcher';

/** Returned by the matcher if nothing matches; no tag is empty. */
const NONE = '';

/**
 * The best of `available` by the lookup of RFC 4647: each wanted tag in turn, exactly, then without its last
 * part. Absent if none matches.
 */
export function lookUpLocale(
  preferred: readonly (string | undefined)[],
  available: readonly (string | undefined)[],
): string | undefined {
  const [wanted = [], offered = []] = [preferred, available].map((tags) =>
    tags.filter((tag) => tag !== undefined),
  );
  return match(wanted, offered, NONE, { algorithm: 'lookup' }) || undefined;
}

/**
 * Chooses the variant of a content for a reader with these languages, in order of preference. Falls back to the variant without a
 * locale, then to the English variant, then to the oldest.
 */
export function chooseVariant<T extends { locale?: string | undefined }>(
  variants: readonly T[],
  preferred: readonly (string | undefined)[],
): T | undefined {
  const locales = variants.map(({ locale }) => locale);
  const found = lookUpLocale(preferred, locales);
  const english = lookUpLocale(['en'], locales);
  return (
    variants.find(({ locale }) => locale === found) ??
    variants.find(({ locale }) => locale === english) ??
    variants[0]
  );
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set('Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa'.split(' '));

/** The writing direction of a language, by its likely script. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
}
