/** One language's translations: ICU messages by key. */
export type Catalog = {
  locale: string;
  messages: Readonly<Record<string, string>>;
  /** Of another language than the reader's. */
  isFallback: boolean;
};

/** A translation that the reader's language lacks. `found` is the language that was used instead. */
export type MissingTranslation = { key: string; found?: string };

export type Language = {
  locale: string;
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

const LITERAL_KEY = /(?:\{\{-?|=|\becho)\s*(?:"([^"]*)"|'([^']*)')\s*\|\s*t\b/g;

/** Keys of translations that a content names; `isComplete` unless it also computes some. */
export function translationKeysIn(content: unknown): { keys: Set<string>; isComplete: boolean } {
  const texts = textsIn(content);
  const keys = texts.flatMap((text) =>
    [...text.matchAll(LITERAL_KEY)].map((each) => each[1] ?? each[2] ?? ''),
  );
  const uses = texts.flatMap((text) => text.match(/\|\s*t\b/g) ?? []);
  return { keys: new Set(keys), isComplete: keys.length === uses.length };
}

export function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return typeof content === 'object' && content !== null ? Object.values(content).flatMap(textsIn) : [];
}

/** True if any text in a content, at any depth, may use a translation. */
export const usesTranslations = (content: unknown): boolean =>
  textsIn(content).some((text) => TRANSLATES.test(text));
