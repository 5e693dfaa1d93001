import * as v from 'valibot';

/** Longest tag: the longest that BCP 47 expects to be stored has 35 characters, extensions make it longer. */
const TAG_LENGTH_MAX = 64;

const MUST_BE_TAG = 'must be a language tag (BCP 47), such as de or pt-BR';

/** The canonical form of a language tag, such as `pt-BR` of `pt-br`; undefined if it is invalid. */
export function canonicalLocale(tag: string): string | undefined {
  if (tag.length > TAG_LENGTH_MAX) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A person's language tag, stored in its canonical form. */
export const Locale = v.pipe(
  v.string(),
  v.check((tag) => canonicalLocale(tag) !== undefined, MUST_BE_TAG),
  v.transform((tag) => canonicalLocale(tag) ?? tag),
);

/** The language tag of a content: language, script, region and variants, without extensions. */
export const ContentLocale = v.pipe(
  v.string(),
  v.check((tag) => canonicalLocale(tag) !== undefined, MUST_BE_TAG),
  v.check(
    (tag) => !/-[a-z0-9]-/i.test(tag),
    'must be a language tag without extensions, such as de or pt-BR',
  ),
  v.transform((tag) => canonicalLocale(tag) ?? tag),
);
