import { describe, expect, it } from 'vitest';
import { handler as remove } from '../../../functions/translations/delete-translations.ts';
import { handler as get } from '../../../functions/translations/get-translations.ts';
import { handler as list } from '../../../functions/translations/list-translations.ts';
import { handler as save } from '../../../functions/translations/save-translations.ts';
import { LANGUAGES_MAX, translations } from '../../../shared/database/entities/content/translations.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, MADE_AT, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

const of = ({ secret: { key }, environment: { environmentId } }: TestAccount) => ({
  save: (locale: string, body: unknown) => call(save, { key, path: { locale }, body }),
  get: (locale: string) => call(get, { key, path: { locale } }),
  remove: (locale: string) => call(remove, { key, path: { locale } }),
  list: async () => (await call(list, { key })).json.translations,
  load: (locales: string[], keys: string[] = [], otherKeys = false) =>
    resolve(translations).load(environmentId, locales, { keys: new Set(keys), otherKeys }),
});

describe('GET /translations', () => {
  it('lists the languages by their tags, initially none', async () => {
    const account = await createTestAccount(app);
    const fresh = of(account);
    expect(await fresh.list()).toEqual([]);
    await fresh.save('pt-br', { a: 'x', b: 'y' });
    await fresh.save('de', {});
    const dates = { ...MADE_AT, updatedBy: account.admin.userId };
    expect(await fresh.list()).toEqual([
      { locale: 'de', keyCount: 0, ...dates },
      { locale: 'pt-BR', keyCount: 2, ...dates },
    ]);
  });
});

describe('PUT /translations/{locale}', () => {
  it('replaces all messages of a language and returns them unchanged', async () => {
    const { save, get } = of(account);
    const messages = {
      'cart.items': '{count, plural, one {# item} other {# items}}',
      hi: 'Hi <b>{name}</b>',
    };
    expect((await save('EN', messages)).json).toMatchObject({ locale: 'en', keyCount: 2 });
    expect((await get('en')).json).toEqual(messages);
    await save('en', { hi: 'Hello' });
    expect((await get('en')).json).toEqual({ hi: 'Hello' });
  });

  it('parses no message that is too long: a pattern of dates takes the square of its length', async () => {
    const { status, json } = await of(account).save('de', { a: `{a, date, ::${'a-'.repeat(100_000)}` });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).not.toContain('ICU');
  });

  it('names key, line and column of each message that is invalid ICU MessageFormat', async () => {
    const { status, json } = await of(account).save('de', {
      ok: 'gut',
      'cart.items': '{count, plural, one {#}}',
      hi: 'Hallo\n{name',
    });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(
      'body["cart.items"] must be ICU MessageFormat: missing other clause at line 1, column 24',
    );
    expect(json.error.message).toContain('body.hi must be ICU MessageFormat: expect argument closing brace');
    expect(json.error.message).toContain('at line 2');
    expect((await of(account).get('de')).status).toBe(400);
  });

  it.each([
    ['a nested object', 'de', { cart: { items: 'x' } }],
    ['an empty key', 'de', { '': 'x' }],
    ['a list', 'de', ['x']],
    ['a message that is too long', 'de', { a: 'x'.repeat(10_001) }],
    ['an invalid tag', 'deutsch_land', { a: 'x' }],
    ['a tag with extensions', 'de-u-co-phonebk', { a: 'x' }],
  ])('returns 400 for %s', async (_, locale, body) => {
    const { status, json } = await of(account).save(locale, body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('returns 400 for more languages than an environment can have', async () => {
    const fresh = await createTestAccount(app);
    const languages = Array.from({ length: LANGUAGES_MAX }, (_, index) => ({
      locale: `en-x${String(index).padStart(4, '0')}`,
      version: 1,
      keyCount: 0,
      updatedAtMs: 0,
    }));
    const { environmentId } = fresh.environment;
    await app.database.put({ pk: `ENV#${environmentId}`, sk: 'TRANSLATIONS', languages, revision: 1 });
    expect((await of(fresh).save('de', { a: 'x' })).json.error.message).toContain('100 languages');
  });

  it('keeps all languages that are saved concurrently', async () => {
    const fresh = of(await createTestAccount(app));
    const tags = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'pt'];
    const saved = await Promise.all(tags.map((tag) => fresh.save(tag, { tag })));
    expect(saved.map(({ status }) => status)).toEqual(tags.map(() => 200));
    expect((await fresh.list()).map(({ locale }: { locale: string }) => locale)).toEqual(tags);
    expect((await Promise.all(tags.map((tag) => fresh.get(tag)))).map(({ json }) => json.tag)).toEqual(tags);
  });
});

describe('GET and DELETE /translations/{locale}', () => {
  it('deletes a language once', async () => {
    const fresh = of(await createTestAccount(app));
    await fresh.save('fr', { a: 'x' });
    expect((await fresh.remove('fr')).status).toBe(200);
    expect((await fresh.remove('fr')).json.error.code).toBe('RESOURCE_NOT_FOUND');
    expect((await fresh.get('fr')).json.error.code).toBe('RESOURCE_NOT_FOUND');
    expect(await fresh.list()).toEqual([]);
  });
});

describe('the translations that a reader sees', () => {
  it("match the reader's languages, most exact first, then the account's, then English", async () => {
    const fresh = of(await createTestAccount(app));
    for (const tag of ['de', 'de-AT', 'en', 'fr', 'zh-Hant']) await fresh.save(tag, { tag });
    const shown = async (...locales: string[]) =>
      (await fresh.load(locales)).map((each) => `${each.messages.tag}${each.isFallback ? '?' : ''}`);
    expect(await shown('de-AT', 'fr-CA')).toEqual(['de-AT', 'de', 'fr?', 'en?']);
    expect(await shown('de-CH', 'de')).toEqual(['de', 'en?']);
    expect(await shown('zh-Hant-TW')).toEqual(['zh-Hant', 'en?']);
    expect(await shown('it', 'en')).toEqual(['en?']);
    expect(await shown('en')).toEqual(['en']);
    expect(await shown()).toEqual(['en']);
  });

  it('include the other languages only while these lack a key', async () => {
    const fresh = of(await createTestAccount(app));
    for (const tag of ['de', 'es', 'fr', 'it']) await fresh.save(tag, { tag, [tag]: tag });
    const shown = async (...[locales, keys, otherKeys]: Parameters<typeof fresh.load>) =>
      (await fresh.load(locales, keys, otherKeys)).map(({ messages }) => messages.tag);
    expect(await shown(['it'], ['tag'])).toEqual(['it']);
    expect(await shown(['it'], ['tag', 'es'])).toEqual(['it', 'de', 'es']);
    expect(await shown(['it'], ['none'])).toEqual(['it', 'de', 'es', 'fr']);
    expect(await shown(['it'], [], true)).toEqual(['it', 'de', 'es', 'fr']);
    expect(await shown([], ['tag'])).toEqual(['de']);
  });

  it('change as soon as they are saved, although messages are cached', async () => {
    const fresh = of(await createTestAccount(app));
    for (const text of ['one', 'two']) {
      await fresh.save('de', { text });
      expect((await fresh.load(['de']))[0]?.messages.text).toBe(text);
    }
    await fresh.remove('de');
    await fresh.save('de', { text: 'three' });
    expect((await fresh.load(['de']))[0]?.messages.text).toBe('three');
  });
});
