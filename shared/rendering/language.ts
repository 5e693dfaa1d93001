/** One language's translations: ICU messages by key. */
export type Catalog = {
  locale: string;
  messages: Readonly<Record<string, string>>;
  /** Of the account's default language, not of the reader's. */
  isFallback: boolean;
};

/** A translation that the reader's language lacks. `found` is the language that was used instead. */
export type MissingTranslation = { key: string; found?: string };

/** The language of a content. */
export type Language = {
  /** Language of numbers and dates. */
  locale: string;
  /** Timezone of dates. */
  zone: string;
  /** Translations, in order of preference; absent if the content uses none. */
  catalogs?: readonly Catalog[] | undefined;
  /** Language that the html of an email is marked with. */
  htmlLocale?: string | undefined;
  /** Called with each translation that is missing. */
  onMissing?: ((missing: MissingTranslation) => void) | undefined;
};

/** The language of an unknown reader. */
export const ANY_LANGUAGE: Language = { locale: 'en', zone: 'UTC' };

const TRANSLATES = /\|\s*t\b/;
const READER =
  /\|\s*(?:t|number|money|datetime)\b|\buser\s*\.\s*(?:locale|timezone|chatChannel|attributes)\b/;

/** True if a template may render differently for another reader with the same addresses. */
export function dependsOnReader(template: string): boolean {
  return READER.test(template);
}

/** True if any text in a content, at any depth, may use a translation. */
export function usesTranslations(content: unknown): boolean {
  if (typeof content === 'string') return TRANSLATES.test(content);
  return typeof content === 'object' && content !== null && Object.values(content).some(usesTranslations);
}
