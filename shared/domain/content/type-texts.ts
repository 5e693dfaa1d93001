import { lookUpLocale } from '../users/locales.ts';

/** The texts of a type that recipients read. */
export type TypeTexts = {
  title: string;
  category?: string | undefined;
  translations?: Record<string, { title?: string | undefined; category?: string | undefined }> | undefined;
};

type Locales = readonly (string | undefined)[];

/** The first of `locales` that a text of a type is translated into. */
function localeOf({ translations = {} }: TypeTexts, name: 'title' | 'category', locales: Locales) {
  const translated = Object.keys(translations).filter((locale) => translations[locale]?.[name] !== undefined);
  return lookUpLocale(locales, translated);
}

/** A text of a type in the first of `locales` that has it. Falls back to the text as it was written. */
export function textIn<N extends 'title' | 'category'>(
  type: TypeTexts,
  name: N,
  locales: Locales,
): TypeTexts[N] {
  const locale = localeOf(type, name, locales);
  return type.translations?.[locale ?? '']?.[name] ?? type[name];
}

/**
 * Types as recipients read them, in their language: those without a category, then the others by category. One
 * translation of a category is enough for all of its types. `languages` has '' for a text as it was written.
 */
export function inCategories<T extends TypeTexts>(types: readonly T[], locales: Locales) {
  const groups = [...Map.groupBy(types, ({ category }) => category)].map(([category, own]) => {
    const isTranslated = (type: T) =>
      category !== undefined && localeOf(type, 'category', locales) !== undefined;
    const translator = own.find(isTranslated);
    const heading = translator ? textIn(translator, 'category', locales) : category;
    const of = (translator && localeOf(translator, 'category', locales)) ?? '';
    const shown = own.map((type) => ({
      ...type,
      title: textIn(type, 'title', locales),
      category: heading,
      languages: { title: localeOf(type, 'title', locales) ?? '', category: of },
    }));
    return { heading: heading ?? '', shown };
  });
  return groups
    .sort((left, right) => left.heading.localeCompare(right.heading, [...locales].find(Boolean)))
    .flatMap(({ shown }) => shown);
}
