import { lookUpLocale } from './locales.ts';

/** The texts of a type that recipients read. */
export type TypeTexts = {
  title: string;
  category?: string | undefined;
  translations?: Record<string, { title?: string | undefined; category?: string | undefined }> | undefined;
};

/** A text of a type in the first of `locales` that has it, else as it was written. */
export function textIn<N extends 'title' | 'category'>(
  type: TypeTexts,
  name: N,
  locales: readonly (string | undefined)[],
): TypeTexts[N] {
  const { translations = {} } = type;
  const translated = Object.keys(translations).filter((locale) => translations[locale]?.[name] !== undefined);
  const locale = lookUpLocale(locales, translated);
  return (locale === undefined ? undefined : translations[locale]?.[name]) ?? type[name];
}

/**
 * Types as recipients read them, in their language: those without a category, then the others by category. One
 * translation of a category is enough for all of its types.
 */
export function inCategories<T extends TypeTexts>(
  types: readonly T[],
  locales: readonly (string | undefined)[],
): T[] {
  const groups = [...Map.groupBy(types, ({ category }) => category)].map(([category, own]) => {
    const translated = own.map((type) => textIn(type, 'category', locales)).find((text) => text !== category);
    const heading = category === undefined ? undefined : (translated ?? category);
    const shown = own.map((type) => ({ ...type, title: textIn(type, 'title', locales), category: heading }));
    return { heading: heading ?? '', shown };
  });
  return groups
    .sort((left, right) => left.heading.localeCompare(right.heading, [...locales].find(Boolean)))
    .flatMap(({ shown }) => shown);
}
