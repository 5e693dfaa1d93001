import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseVariant, directionOf, lookUpLocale } from '../../../../shared/domain/users/locales.ts';
import { canonicalLocale } from '../../../../shared/schemas/users/locale.ts';

/** RFC 4647, 3.4: without its last part, and without a single letter that is then last. */
function withoutLast(tag: string): string {
  const parts = tag.split('-').slice(0, -1);
  return (parts.at(-1)?.length === 1 ? parts.slice(0, -1) : parts).join('-');
}

function lookedUp(wanted: readonly string[], available: readonly string[]): string | undefined {
  for (const tag of wanted) {
    for (let range = tag; range !== ''; range = withoutLast(range)) {
      if (available.includes(range)) return range;
    }
  }
  return undefined;
}

const tag = fc
  .tuple(
    fc.constantFrom('de', 'en', 'zh', 'pt', 'sr', 'ar'),
    fc.constantFrom('', '-Hant', '-Latn'),
    fc.constantFrom('', '-AT', '-BR', '-TW', '-419'),
    fc.constantFrom('', '-1996'),
  )
  .map((parts) => parts.join(''));

describe('language lookup', () => {
  it('matches RFC 4647 for any tags', () => {
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 3 }), fc.uniqueArray(tag, { maxLength: 6 }), (wanted, there) => {
        expect(lookUpLocale(wanted, there)).toBe(lookedUp(wanted, there));
      }),
      { numRuns: 500 },
    );
  });

  it('ignores extensions and unknown languages', () => {
    expect(lookUpLocale([undefined, 'ar-EG-u-nu-latn'], ['ar', 'en'])).toBe('ar');
    expect(lookUpLocale([undefined, undefined], ['ar'])).toBeUndefined();
    expect(lookUpLocale(['de'], [])).toBeUndefined();
  });

  it('chooses the variant without a language when none matches, else English, else the oldest', () => {
    const [none, de, en] = [{}, { locale: 'de' }, { locale: 'en' }] as { locale?: string }[];
    const all = [de, none, en].filter((each) => each !== undefined);
    expect(chooseVariant(all, ['de-AT', 'en'])).toBe(de);
    expect(chooseVariant(all, ['fr', 'en-GB'])).toBe(en);
    expect(chooseVariant(all, ['fr', undefined])).toBe(none);
    expect(chooseVariant([{ locale: 'de' }, { locale: 'en-GB' }], ['fr'])).toEqual({ locale: 'de' });
    expect(chooseVariant([{ locale: 'de' }, { locale: 'en' }], ['fr'])).toEqual({ locale: 'en' });
    expect(chooseVariant([], ['fr'])).toBeUndefined();
  });

  it.each([
    ['ar', 'rtl'],
    ['he-IL', 'rtl'],
    ['fa', 'rtl'],
    ['ur-PK', 'rtl'],
    ['az-Arab', 'rtl'],
    ['pa', 'ltr'],
    ['de', 'ltr'],
    ['ja', 'ltr'],
    ['sr-Latn', 'ltr'],
  ])('gives the writing direction of %s: %s', (locale, direction) => {
    expect(directionOf(locale)).toBe(direction);
  });

  it.each([
    ['pt-br', 'pt-BR'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
    ['de_DE', undefined],
    ['', undefined],
    ['deutsch land', undefined],
    [`de-${'x'.repeat(70)}`, undefined],
  ])('canonicalizes %s to %s', (given, canonical) => {
    expect(canonicalLocale(given)).toBe(canonical);
  });
});
