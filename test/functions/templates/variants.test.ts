import { describe, expect, it } from 'vitest';
import { handler as preview } from '../../../functions/templates/preview-template.ts';
import { handler as save } from '../../../functions/translations/save-translations.ts';
import { handler as getType } from '../../../functions/types/get-type.ts';
import { templateKey } from '../../../shared/database/keys/environment.ts';
import { call } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';
import { accountWithType, addComponent, addType, referencedBy, removeType, templatesOf } from './setup.ts';

const app = useApp();
const account = useStarted(() => accountWithType(app));

/** Templates of a new type. */
async function freshTemplates(notificationId: string) {
  await addType(account, notificationId);
  return templatesOf(account, notificationId);
}

const content = (subject: string) => ({ subject, html: `<p>${subject}</p>` });

describe('language variants of a template', () => {
  it('change separately by their locale', async () => {
    const templates = await freshTemplates('each');
    await templates.create({ templateId: 'hi', ...content('Hi') });
    const { status, json } = await templates.create({ templateId: 'hi', locale: 'pt-br', ...content('Oi') });
    expect([status, json]).toMatchObject([200, { templateId: 'hi', locale: 'pt-BR', default: true }]);
    expect((await templates.get('hi')).json).toMatchObject({ subject: 'Hi' });
    expect((await templates.get('hi')).json.locale).toBeUndefined();
    expect((await templates.get('hi', { locale: 'PT-br' })).json).toMatchObject({
      subject: 'Oi',
      locale: 'pt-BR',
    });

    expect((await templates.patch('hi', { subject: 'Olá' }, { locale: 'pt-BR' })).status).toBe(200);
    expect((await templates.get('hi')).json.subject).toBe('Hi');
    expect((await templates.get('hi', { locale: 'pt-BR' })).json.subject).toBe('Olá');

    expect((await templates.remove('hi')).status).toBe(200);
    expect((await templates.get('hi')).json.error.code).toBe('RESOURCE_NOT_FOUND');
    expect((await templates.get('hi', { locale: 'pt-BR' })).status).toBe(200);
    expect((await templates.remove('hi', { locale: 'pt-BR' })).status).toBe(200);
    expect((await templates.list()).json).toEqual({ templates: [] });
  });

  it('share the default for the same modes', async () => {
    const templates = await freshTemplates('modes');
    await templates.create({ templateId: 'a', ...content('a') });
    await templates.create({ templateId: 'b', ...content('b') });
    await templates.create({ templateId: 'b', locale: 'de', ...content('b de') });
    await templates.select({ templateId: 'b', modes: ['daily', 'weekly'] });
    await templates.create({ templateId: 'b', locale: 'fr', ...content('b fr') });
    const defaults = async () =>
      (await templates.list()).json.templates.map(
        (each: { templateId: string; locale?: string; isDefaultFor: Record<string, boolean> }) =>
          `${each.templateId} ${each.locale} ${Object.keys(each.isDefaultFor).filter((mode) => each.isDefaultFor[mode])}`,
      );
    expect(await defaults()).toEqual([
      'a undefined instant,hourly,monthly',
      'b undefined daily,weekly',
      'b de daily,weekly',
      'b fr daily,weekly',
    ]);
    await templates.remove('b');
    await templates.remove('a');
    expect(await defaults()).toEqual([
      'b de instant,hourly,daily,weekly,monthly',
      'b fr instant,hourly,daily,weekly,monthly',
    ]);
    const { json } = await templates.select({ templateId: 'b', modes: ['hourly'] });
    expect(json).toMatchObject({ templateId: 'b', locale: 'de' });
  });

  it('count as one template of their type and are deleted with it', async () => {
    const templates = await freshTemplates('whole');
    await addComponent(account, 'whole-footer', '<i>f</i>');
    for (const locale of [undefined, 'de', 'ja']) {
      await templates.create({
        templateId: 'x',
        locale,
        subject: 's',
        html: "{% component 'whole-footer' %}",
      });
    }
    const type = await call(getType, { key: account.secret.key, path: { notificationId: 'whole' } });
    expect(type.json.templates).toEqual([{ channel: 'EMAIL', templateIds: ['x'] }]);
    await templates.remove('x');
    await templates.remove('x', { locale: 'de' });
    expect(await referencedBy(account, 'whole-footer')).toHaveLength(1);
    await removeType(account, 'whole');
    expect(await referencedBy(account, 'whole-footer')).toHaveLength(0);
    const { pk } = templateKey(account.environment.environmentId, 'whole', 'EMAIL', 'x');
    expect(await app.database.queryAll(pk, '')).toEqual([]);
  });

  it('stop at 500 per type, and templates at 100', async () => {
    const templates = await freshTemplates('many');
    await templates.create({ templateId: 'x', ...content('x') });
    const key = { pk: `ENV#${account.environment.environmentId}`, sk: 'TYPE#many' };
    const type = await app.database.get(key, { consistent: true });
    const entry = { channel: 'EMAIL', templateId: 'x', version: 1, defaultFor: ['instant'] };
    const variants = Array.from({ length: 499 }, (_, index) => ({ ...entry, locale: `en-x${1000 + index}` }));
    await app.database.put({ ...type, ...key, templates: [entry, ...variants] });
    const { status, json } = await templates.create({ templateId: 'x', locale: 'de', ...content('x') });
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringContaining('100 templates with 500 variants'),
    ]);
  });

  it.each([
    ['the same locale again', { templateId: 'dup', locale: 'DE' }, 'DUPLICATE_RESOURCE'],
    ['an invalid language tag', { templateId: 'dup', locale: 'german!' }, 'INVALID_REQUEST'],
    ['a tag with an extension', { templateId: 'dup', locale: 'de-u-nu-latn' }, 'INVALID_REQUEST'],
  ])('return 400 with %s', async (_, body, code) => {
    const templates = templatesOf(account);
    await templates.create({ templateId: 'dup', locale: 'de', ...content('x') });
    const { status, json } = await templates.create({ ...body, ...content('x') });
    expect([status, json.error.code]).toEqual([400, code]);
  });

  it('return 404 in languages that do not exist', async () => {
    const templates = templatesOf(account);
    await templates.create({ templateId: 'known', ...content('x') });
    for (const { status, json } of [
      await templates.get('known', { locale: 'fr' }),
      await templates.patch('known', { subject: 'y' }, { locale: 'fr' }),
      await templates.remove('known', { locale: 'fr' }),
    ]) {
      expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    }
  });
});

describe('a template preview in a language', () => {
  const previewIn = (template: object, more: object = {}) =>
    call(preview, {
      key: account.secret.key,
      path: { notificationId: 'comment', channel: 'EMAIL' },
      body: { template, ...more },
    });

  it('uses its translations, numbers and direction', async () => {
    const path = { locale: 'ar' };
    await call(save, { key: account.secret.key, path, body: { hi: 'مرحبا {name}' } });
    const template = { subject: "{{ 'hi' | t: name: name }}", html: '<p>{{ user.locale }}</p>' };
    const { json } = await previewIn(template, { locale: 'ar', parameters: { name: 'Ada' } });
    expect(json).toEqual({
      content: { subject: 'مرحبا Ada', html: '<div lang="ar" dir="rtl"><p>ar</p></div>' },
      missing: [],
    });
  });

  it('lists missing translations only when there are any', async () => {
    const { json } = await previewIn({ subject: "{{ 'bye' | t }}", html: 'x' }, { locale: 'ar' });
    expect(json).toMatchObject({ content: { subject: 'bye' }, missingTranslations: [{ key: 'bye' }] });
  });

  it('returns 400 for an invalid language tag', async () => {
    expect((await previewIn({ subject: 's' }, { locale: 'x' })).json.error.code).toBe('INVALID_REQUEST');
  });
});
