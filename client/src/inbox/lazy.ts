/** The texts of one component by name. */
export type OwnTexts = Readonly<Record<string, string>>;

/** The texts of both components in one language. */
export type Locale = { inbox: OwnTexts; preferences: OwnTexts };

/** Loads the texts of a language, by the first part of its tag. */
export const loadLocale = (language: string): Promise<{ texts: Locale }> =>
  import(`./locales/${language}.ts`);
