import { describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as deleteTemplate } from '../../../functions/templates/delete-template.ts';
import { handler as saveTranslations } from '../../../functions/translations/save-translations.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { createTemplates, templates } from '../../../shared/database/entities/content/templates.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';

const pipeline = usePipeline();

const HOUR_MS = 3_600_000;

async function shop(type: object = {}) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const body = { notificationId: 'cart', title: 'Cart', channels: ['EMAIL'], ...type };
  expect((await call(createType, { key, body })).status).toBe(200);
  const path = { notificationId: 'cart', channel: 'EMAIL' };
  const request = (id: string, more: object = {}, query: Record<string, string> = {}) =>
    call(send, { key, query, body: { type: 'cart', to: { id, email: `${id}@example.com` }, ...more } });
  const mail = (trackingId: string) =>
    pipeline.outbox.find((each) => each.trackingId === trackingId)?.message as
      | { subject: string; html: string }
      | undefined;
  return {
    request,
    mail,
    key,
    set: async (body: object) => expect((await call(updateAccount, { key, body })).status).toBe(200),
    template: (locale: string | undefined, subject: string, html = `<p>${subject}</p>`) =>
      call(createTemplate, { key, path, body: { templateId: 'cart', locale, subject, html } }),
    withdraw: (locale: string) =>
      call(deleteTemplate, { key, path: { ...path, templateId: 'cart' }, query: { locale } }),
    translate: (locale: string, messages: object) =>
      call(saveTranslations, { key, path: { locale }, body: messages }),
    user: (userId: string, body: object) => call(saveUser, { key, path: { userId }, body }),
    async send(id: string, more: object = {}) {
      const { trackingId } = (await request(id, more)).json;
      await pipeline.settle();
      return { log: await recordOf(account, trackingId), mail: mail(trackingId) };
    },
  };
}

describe('the language variant of a template', () => {
  const DATE = "{{ at | datetime: date: 'long' }}, {{ 1234.5 | number }}";
  const parameters = { at: '2026-12-24' };

  it.each([
    ['fr', 'December 24, 2026, 1,234.5', '24. Dezember 2026, 1.234,5', '24 décembre 2026, 1\u202f234,5'],
    ['en-GB', '24 December 2026, 1,234.5', '24. Dezember 2026, 1.234,5', '24 December 2026, 1,234.5'],
    [
      'de-AT',
      'December 24, 2026, 1,234.5',
      '24. Dezember 2026, 1\u00a0234,5',
      '24. Dezember 2026, 1\u00a0234,5',
    ],
  ])('has dates and numbers of its own language for %s', async (locale, base, german, inline) => {
    const { user, template, request } = await shop();
    await user('ada', { locale });
    const subjectOf = async (more: object) => {
      const { json } = await request('ada', { parameters, ...more }, { dryRun: 'true' });
      return json.routing[0].content.subject;
    };
    await template(undefined, DATE);
    expect(await subjectOf({})).toBe(base);
    await template('de', DATE);
    expect(await subjectOf({})).toBe(locale === 'de-AT' ? german : base);
    expect(await subjectOf({ email: { subject: DATE, html: 'Hi' } })).toBe(inline);
  });

  it("has the account's language where no variant has one", async () => {
    const { user, template, request, set } = await shop();
    await user('ada', { locale: 'fr' });
    await template(undefined, DATE);
    await set({ locale: 'de' });
    const { json } = await request('ada', { parameters }, { dryRun: 'true', locale: 'ja' });
    expect(json.routing[0].content.subject).toBe('24. Dezember 2026, 1.234,5');
  });

  it("matches the user's language, or the account's, or has none; the log names it", async () => {
    const { user, template, set, send } = await shop();
    for (const locale of [undefined, 'de', 'fr', 'pt-BR']) await template(locale, `in ${locale}`);
    await user('ada', { locale: 'DE-at' });
    await user('bob', { locale: 'pt-BR' });
    await user('eve', { locale: 'ja' });
    expect(await send('ada')).toMatchObject({
      mail: { subject: 'in de', html: '<div lang="de" dir="ltr"><p>in de</p></div>' },
      log: { email_template: 'cart', email_locale: 'de', email_routing: 'SEND' },
    });
    expect((await send('bob')).mail?.subject).toBe('in pt-BR');
    const plain = await send('eve');
    expect(plain.mail).toMatchObject({ subject: 'in undefined', html: '<p>in undefined</p>' });
    expect([plain.log.email_template, plain.log.email_locale]).toEqual(['cart', undefined]);
    await set({ locale: 'fr-CA' });
    expect((await send('eve')).mail?.subject).toBe('in fr');
    expect((await send('nobody')).mail?.subject).toBe('in fr');
  });

  it('falls back to the variant without a language when it is deleted before the send', async () => {
    const { user, template, withdraw, request, mail } = await shop();
    await template(undefined, 'plain');
    await template('de', 'deutsch');
    await user('ada', { locale: 'de' });
    await pipeline.pause();
    const { trackingId } = (await request('ada')).json;
    await withdraw('de');
    // The delivery runs in another process than the acceptance, which has read the template.
    replace(templates, () => createTemplates(pipeline.database));
    pipeline.resume();
    await pipeline.settle();
    expect(mail(trackingId)?.subject).toBe('plain');
  });

  it('follows the time a digest is sent', async () => {
    const daily = { defaultDeliveryOption: 'daily', daily: { enabled: true } };
    const { user, template, send } = await shop({ options: { EMAIL: daily } });
    await template(undefined, '{{ _items.size }} new');
    await template('de', '{{ _items.size }} neu');
    await user('ada', { locale: 'en' });
    await send('ada');
    await user('ada', { locale: 'de' });
    pipeline.outbox.length = 0;
    await pipeline.goTo(pipeline.clock.nowMs + 24 * HOUR_MS);
    const subjects = pipeline.outbox.map(({ message }) => (message as { subject?: string }).subject);
    expect(subjects).toContain('1 neu');
  });

  it('follows the time a scheduled notification is due', async () => {
    const { user, template, request, mail } = await shop();
    await template('en', 'english');
    await template('de', 'deutsch');
    await user('ada', { locale: 'en' });
    const schedule = new Date(pipeline.clock.nowMs + HOUR_MS).toISOString();
    const { trackingId } = (await request('ada', { schedule })).json;
    await user('ada', { locale: 'de' });
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(mail(trackingId)?.subject).toBe('deutsch');
  });
});

describe('the locale of a user', () => {
  it('keeps a canonical stored form, works in a request too, and is cleared by null', async () => {
    const { key, user, send } = await shop();
    expect((await user('ada', { locale: 'ZH-hant-tw' })).json.locale).toBe('zh-Hant-TW');
    expect((await user('ada', { locale: null })).json.locale).toBeUndefined();
    const to = { id: 'ada', email: 'ada@example.com', locale: 'es-mx' };
    await send('ada', { to, email: { subject: 's', html: 'h' } });
    const { json } = await call(getUser, { key, path: { userId: 'ada' } });
    expect(json.locale).toBe('es-MX');
  });

  it.each(['', 'german!', 'de_DE', 7])('rejects %j with 400', async (locale) => {
    const { user, request, key } = await shop();
    expect((await user('ada', { locale })).json.error).toMatchObject({ code: 'INVALID_REQUEST' });
    expect((await request('x', { to: { id: 'x', locale } })).status).toBe(400);
    expect((await call(updateAccount, { key, body: { locale } })).status).toBe(400);
  });

  it('determines templates, numbers, dates and translations', async () => {
    const { user, send, translate } = await shop();
    await translate('de', { 'cart.items': '{count, plural, one {# Artikel} other {# Artikel}}' });
    await user('ada', { locale: 'de', timezone: 'Europe/Berlin' });
    const { mail } = await send('ada', {
      parameters: { n: 2, at: '2026-12-24T17:05:00Z' },
      email: {
        subject: "{{ 'cart.items' | t: count: n }}: {{ 1234.5 | money: 'EUR' }}",
        html: "<p>{{ at | datetime: 'long' }} {{ user.locale }}</p>",
      },
    });
    expect(mail?.subject.replace('\u00a0', ' ')).toBe('2 Artikel: 1.234,50 €');
    expect(mail?.html).toBe('<div lang="de" dir="ltr"><p>24. Dezember 2026 um 18:05 de</p></div>');
  });

  it.each([
    [{}, '<div dir="auto"><p>Hello</p></div>'],
    [{ locale: 'en' }, '<div lang="en" dir="ltr"><p>Hello</p></div>'],
    [{ locale: 'ar' }, '<div lang="ar" dir="rtl"><p>Hello</p></div>'],
  ])('is not assumed of inline content: with %j', async (stated, html) => {
    const { user, send, request } = await shop();
    await user('ada', { locale: 'ar' });
    const body = { email: { subject: 'Hi', html: '<p>Hello</p>' }, ...stated };
    expect((await send('ada', body)).mail?.html).toBe(html);
    const { json } = await request('ada', body, { dryRun: 'true' });
    expect(json.routing[0].content.html).toBe(html);
    const wrong = await request('ada', { ...body, locale: 'english please' });
    expect([wrong.status, wrong.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('falls back to the locale of the account', async () => {
    const { set, send, translate } = await shop();
    await set({ locale: 'ar' });
    await translate('ar', { hi: 'مرحبا' });
    const { mail } = await send('ada', {
      email: { subject: "{{ 'hi' | t }}", html: '<p>{{ user.locale }}</p>' },
    });
    expect(mail).toMatchObject({ subject: 'مرحبا', html: '<div lang="ar" dir="rtl"><p>ar</p></div>' });
  });
});

describe('a text without a language of the reader', () => {
  it.each([
    ["{{ 'items' | t }}", {}],
    ['{{ key | t }}', { key: 'items' }],
    ["{% assign key = 'items' %}{{ key | t }}", {}],
  ])('%s is in English, or else in the first language that has it', async (subject, parameters) => {
    const { send, translate } = await shop();
    const mail = async () => (await send('ada', { parameters, email: { subject, html: '.' } })).mail?.subject;
    await translate('de', { other: 'x' });
    await translate('fr', { items: 'articles' });
    expect(await mail()).toBe('articles');
    await translate('en', { items: 'items!' });
    expect(await mail()).toBe('items!');
  });

  it('shows its key with a note in the log if no language has it', async () => {
    const { send, translate } = await shop();
    await translate('de', { other: 'x' });
    const { mail, log } = await send('ada', { email: { subject: "{{ 'items' | t }}", html: '.' } });
    expect(mail?.subject).toBe('items');
    expect(log.email_failed_internal).toContain('no language has a translation for "items"');
  });
});

describe('a dry run', () => {
  it('shows the variant of a language, its translations and what is missing, and stores no locale', async () => {
    const { key, user, template, translate, request } = await shop();
    await template(undefined, 'plain');
    await template('de', "{{ 'hi' | t }} {{ 'bye' | t }}");
    await translate('de', { hi: 'Hallo' });
    await user('ada', { email: 'ada@example.com', locale: 'en' });
    const { status, json } = await request('ada', {}, { dryRun: 'true', locale: 'de-CH' });
    expect([status, json.routing[0]]).toEqual([
      200,
      {
        channel: 'EMAIL',
        routing: 'SEND',
        locale: 'de',
        content: {
          subject: 'Hallo bye',
          html: '<div lang="de" dir="ltr"><p>Hallo bye</p></div>',
        },
        missing: [],
        missingTranslations: [{ key: 'bye' }],
      },
    ]);
    expect((await call(getUser, { key, path: { userId: 'ada' } })).json.locale).toBe('en');
    expect((await request('ada', {}, { dryRun: 'true' })).json.routing[0].content.subject).toBe('plain');
  });

  it('alone accepts a locale in the request, which must be valid', async () => {
    const { request } = await shop();
    const real = await request('ada', { email: { subject: 's', html: 'h' } }, { locale: 'de' });
    expect([real.status, real.json.error.message]).toEqual([400, expect.stringContaining('dryRun=true')]);
    expect((await request('ada', {}, { dryRun: 'true', locale: 'x' })).status).toBe(400);
  });
});
