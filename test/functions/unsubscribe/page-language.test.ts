import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as showConfirm } from '../../../functions/profile/show-confirm-email.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as savePage } from '../../../functions/unsubscribe/save-preferences-page.ts';
import { handler as showPage } from '../../../functions/unsubscribe/show-preferences-page.ts';
import { handler as showUnsubscribe } from '../../../functions/unsubscribe/show-unsubscribe.ts';
import { handler as unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import en from '../../../shared/http/page-texts/en.json' with { type: 'json' };
import { pageLanguage } from '../../../shared/http/pages/page-language.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { writeUnsubscribeToken } from '../../../shared/tokens/unsubscribe-token.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

const FOLDER = join(import.meta.dirname, '../../../shared/http/page-texts');
const LOCALES = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
const textsOf = (locale: string) => pageLanguage([locale], undefined).texts;

async function recipient(user: object = {}, settings: object = {}) {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const { environmentId, accountId } = account.environment;
  const type = { notificationId: 'news', title: 'News & more', channels: ['EMAIL', 'SMS'] };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  expect((await call(updateAccount, { key, body: settings })).status).toBe(200);
  expect((await call(saveUser, { key, path: { userId: 'ada' }, body: user })).status).toBe(200);
  const scope = { accountId, environmentId, userId: 'ada', notificationId: 'news', subNotificationId: '' };
  const trackingId = newTrackingId(app.clock.nowMs);
  const token = await writeUnsubscribeToken(resolve(signer), { ...scope, channel: 'EMAIL', trackingId });
  const path = { token };
  return {
    show: async (headers: Record<string, string> = {}) =>
      (await call(showPage, { path, headers })).response.body,
    save: async (fields: Readonly<Record<string, string | string[]>>) => {
      const entries = Object.entries(fields).flatMap(([name, values]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      );
      return (await call(savePage, { path, rawBody: new URLSearchParams(entries).toString() })).response.body;
    },
    ask: async (headers: Record<string, string> = {}) =>
      (await call(showUnsubscribe, { path, headers })).response.body,
    unsubscribe: async (query: Record<string, string> = {}) =>
      (await call(unsubscribe, { path, query })).response.body,
    stored: async () => (await call(getUser, { key, path: { userId: 'ada' } })).json,
  };
}

/** Names in braces of every text, by its path. */
function placeholders(texts: unknown, path = ''): Record<string, string> {
  if (typeof texts === 'string') return { [path]: [...texts.matchAll(/\{\w+\}/g)].map(String).sort().join() };
  return Object.assign(
    {},
    ...Object.entries(texts as object).map(([name, each]) => placeholders(each, `${path}.${name}`)),
  );
}

describe("the language of recipients' pages", () => {
  it.each(LOCALES)('keeps the placeholders in every text of a page: %s', (locale) => {
    const own = placeholders(textsOf(locale));
    expect(Object.keys(own)).toEqual(Object.keys(placeholders(en)));
    expect(own).toEqual(placeholders(en));
    if (locale !== 'en') expect(textsOf(locale).unsubscribe).not.toBe(en.unsubscribe);
  });

  it.each([
    [{ locale: 'de-AT' }, 'fr', 'de', undefined],
    [{}, 'fr-CA,en;q=0.5', 'fr', undefined],
    [{}, 'en;q=0.2, ja;q=0.9, *;q=0.1', 'ja', undefined],
    [{ locale: 'ko' }, 'es-MX', 'es', undefined],
    [{ locale: 'ko' }, 'xx, ;;, de;q=0', 'en', undefined],
    [{ locale: 'ar-EG' }, 'en', 'ar', 'rtl'],
    [{}, '', 'en', undefined],
  ])('follows user locale %j and browser languages %j to %s', async (user, header, locale, direction) => {
    const { show, ask } = await recipient(user);
    const tag = direction ? `<html lang="${locale}" dir="${direction}">` : `<html lang="${locale}">`;
    for (const page of [
      await show({ 'accept-language': header }),
      await ask({ 'accept-language': header }),
    ]) {
      expect(page).toContain(tag);
      expect(page).not.toMatch(/\{\w+\}(?![^<]*<\/style>)/);
    }
    expect(await show({ 'accept-language': header })).toContain(textsOf(locale).preferences);
  });

  it('applies to every state of unsubscribing, with names escaped and isolated', async () => {
    const { ask, unsubscribe } = await recipient({ locale: 'ar' }, { name: 'Shop <1>' });
    const { ask: text, from, doneHeading, undoneHeading } = textsOf('ar');
    const page = await ask();
    expect(page).toContain('<strong dir="auto">News &#38; more</strong>');
    expect(page).toContain('<bdi>Shop &#60;1&#62;</bdi>');
    expect([text, from].every((each) => each.length > 0)).toBe(true);
    expect(await unsubscribe()).toContain(doneHeading);
    expect(await unsubscribe({ undo: 'true' })).toContain(undoneHeading);
  });

  it('applies to a broken link and a confirmation', async () => {
    const headers = { accept: 'text/html', 'accept-language': 'it-IT' };
    for (const handler of [showPage, showConfirm]) {
      const { response } = await call(handler, { path: { token: 'nonsense' }, headers });
      expect(response.body).toContain('<html lang="it">');
      expect(response.body).toContain(textsOf('it').brokenHeading);
      expect(response.body).toContain('Riferimento: ');
    }
  });
});

describe('quiet hours on the preferences page', () => {
  it("shows the user's own, else the account's, and the timezone", async () => {
    const quietHours = { from: '10 pm', to: '7' };
    const usual = await recipient({ timezone: 'Asia/Tokyo' }, { quietHours });
    expect(await usual.show()).toContain('name="quiet-from" value="22:00"');
    expect(await usual.show()).toContain('Asia/Tokyo');
    const own = await recipient({ quietHours: { from: '23:30', to: '06:15' } }, { quietHours });
    expect(await own.show()).toContain('name="quiet-to" value="06:15"');
  });

  it('saves changed quiet hours with their days and channels, and clears them', async () => {
    const { save, stored, show } = await recipient({
      quietHours: { from: '22:00', to: '07:00', days: ['monday'], channels: ['SMS'], mode: 'drop' },
    });
    expect(await save({ 'quiet-from': '21:00', 'quiet-to': '07:00', pause: 'none' })).toContain(en.saved);
    expect((await stored()).quietHours).toEqual({
      from: '21:00',
      to: '07:00',
      days: ['monday'],
      channels: ['SMS'],
      mode: 'drop',
    });
    await save({ 'quiet-from': '', 'quiet-to': '' });
    expect((await stored()).quietHours).toBeUndefined();
    expect(await show()).toContain('name="quiet-from" value=""');
  });

  it('changes their days and channels, in the language of the page', async () => {
    const { save, stored, show } = await recipient({
      locale: 'fr',
      quietHours: { from: '22:00', to: '07:00' },
    });
    const times = { 'quiet-from': '22:00', 'quiet-to': '07:00' };
    const [opened, chosen] = [await show(), (name: string) => ['', ...name.split(' ')]];
    expect(opened).toContain('<details>');
    expect(opened).toContain('value="Monday" checked> lundi</label>');
    expect(opened).toContain('value="SMS" checked> SMS</label>');
    await save({ ...times, 'quiet-days': chosen('Friday Saturday'), 'quiet-channels': chosen('SMS') });
    expect((await stored()).quietHours).toEqual({
      from: '22:00',
      to: '07:00',
      days: ['Friday', 'Saturday'],
      channels: ['SMS'],
    });
    const restricted = await show();
    expect(restricted).toContain('<details open>');
    expect(restricted).toContain('value="Monday"> lundi</label>');
    expect(restricted).toContain('value="EMAIL"> E-mail</label>');
    const every = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday';
    await save({ ...times, 'quiet-days': chosen(every), 'quiet-channels': chosen('EMAIL SMS') });
    expect((await stored()).quietHours).toEqual({ from: '22:00', to: '07:00' });
  });

  it.each([
    { 'quiet-days': '', 'quiet-channels': ['', 'SMS'] },
    { 'quiet-days': ['', 'Monday'], 'quiet-channels': '' },
    { 'quiet-days': ['', 'Someday'], 'quiet-channels': ['', 'FAX'] },
  ])('asks for a day and a channel when %j has none, and shows what was chosen', async (fields) => {
    const { save, stored } = await recipient({ quietHours: { from: '20:00', to: '06:00' } });
    const page = await save({ 'quiet-from': '21:00', 'quiet-to': '06:00', ...fields });
    expect(page).toContain(`<p class="notice" role="alert">${en.quietUnchosen}</p>`);
    expect(page).toContain('name="quiet-from" value="21:00"');
    expect(page).toContain('<details open>');
    expect((await stored()).quietHours).toEqual({ from: '20:00', to: '06:00' });
  });

  it("does not copy the account's quiet hours to the user when they are only shown", async () => {
    const { save, stored } = await recipient({}, { quietHours: { from: '22:00', to: '07:00' } });
    await save({ 'quiet-from': '22:00', 'quiet-to': '07:00' });
    expect((await stored()).quietHours).toBeUndefined();
  });

  it.each([
    { 'quiet-from': '22:00', 'quiet-to': '' },
    { 'quiet-from': '22:00', 'quiet-to': '22:00' },
    { 'quiet-from': '25:00', 'quiet-to': '07:00' },
    { 'quiet-from': 'late', 'quiet-to': '<script>' },
  ])('reports %j as invalid and keeps the stored quiet hours', async (fields) => {
    const { save, stored } = await recipient({ quietHours: { from: '20:00', to: '06:00' } });
    const page = await save(fields);
    expect(page).toContain(`<p class="notice" role="alert">${en.quietInvalid}</p>`);
    expect(page).not.toContain('<script');
    expect((await stored()).quietHours).toEqual({ from: '20:00', to: '06:00' });
  });

  it('pauses for a time, shows its end, keeps it and ends it', async () => {
    const { save, stored, show } = await recipient({ timezone: 'Europe/Berlin' });
    const untilMs = app.clock.nowMs + 7 * 86_400_000;
    await save({ pause: 'week' });
    expect(Date.parse((await stored()).pausedUntil)).toBe(untilMs);
    expect(await show()).toContain('<label>Until Nov 28, 2026, 9:30');
    await save({ pause: 'keep' });
    expect(Date.parse((await stored()).pausedUntil)).toBe(untilMs);
    await save({ pause: 'none' });
    expect((await stored()).pausedUntil).toBeUndefined();
    await save({ pause: 'forever' });
    expect((await stored()).pausedUntil).toBeUndefined();
  });
});
