import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../../shared/domain/content/layout.ts';
import { inCategories, textIn } from '../../../../shared/domain/content/type-texts.ts';

const ORDERS = {
  ...{ id: 'orders', title: 'Orders', category: 'Shop' },
  translations: { de: { title: 'Bestellungen', category: 'Laden' }, fr: { category: 'Boutique' } },
};
const ADS = { id: 'ads', title: 'Ads', category: 'Shop' };
const LOGIN = { id: 'login', title: 'Login', translations: { de: { category: 'Konto' } } };
const NEWS = { id: 'news', title: 'News', category: 'Meldungen' };

describe('a text of a type', () => {
  it.each([
    ['title', ['de-AT', 'fr'], 'Bestellungen'],
    ['title', ['fr', 'de'], 'Bestellungen'],
    ['title', [undefined, 'fr'], 'Orders'],
    ['category', ['fr', 'de'], 'Boutique'],
    ['category', ['en'], 'Shop'],
  ] as const)('its %s is for %j %s', (name, locales, text) => {
    expect(textIn(ORDERS, name, locales)).toBe(text);
  });

  it('is none where the type has none', () => {
    expect(textIn(LOGIN, 'category', ['fr'])).toBeUndefined();
  });
});

describe('types in categories', () => {
  const shown = (locales: (string | undefined)[], types: readonly (typeof ADS | typeof LOGIN)[]) =>
    inCategories(types, locales).map(({ id, title, category, languages }) => [
      ...[id, title, category, languages.title, languages.category],
    ]);

  it('begin with those without one, and one translation of a category is enough for all', () => {
    const types = [NEWS, ADS, LOGIN, ORDERS];
    expect(shown(['de'], types)).toEqual([
      ['login', 'Login', undefined, '', ''],
      ['ads', 'Ads', 'Laden', '', 'de'],
      ['orders', 'Bestellungen', 'Laden', 'de', 'de'],
      ['news', 'News', 'Meldungen', '', ''],
    ]);
    expect(shown(['en'], types).map(([id, , category]) => [id, category])).toEqual([
      ...[
        ['login', undefined],
        ['news', 'Meldungen'],
        ['ads', 'Shop'],
        ['orders', 'Shop'],
      ],
    ]);
  });

  it('are sorted as the language of the reader sorts', () => {
    const types = ['Zon', 'Ärenden'].map((category) => ({ id: category, title: 't', category }));
    const sorted = (...locales: (string | undefined)[]) => shown(locales, types).map(([id]) => id);
    expect(sorted(undefined, 'sv')).toEqual(['Zon', 'Ärenden']);
    expect(sorted('de', 'sv')).toEqual(['Ärenden', 'Zon']);
  });
});

it.each([
  [{ layout: 'own' }, { defaultLayout: 'd' }, 'own'],
  [{ layout: null }, { defaultLayout: 'd' }, undefined],
  [{}, { defaultLayout: 'd' }, 'd'],
  [{}, undefined, undefined],
  [undefined, { defaultLayout: 'd' }, undefined],
])('the layout of the template %j of the account %j is %s', (template, account, layout) => {
  expect(layoutOf(template, account)).toBe(layout);
});
