import { describe, expect, it } from 'vitest';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as savePage } from '../../../functions/unsubscribe/save-preferences-page.ts';
import { handler as showPage } from '../../../functions/unsubscribe/show-preferences-page.ts';
import { handler as showUnsubscribe } from '../../../functions/unsubscribe/show-unsubscribe.ts';
import { handler as unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { preferenceStore } from '../../../shared/database/entities/users/preferences.ts';
import { eventKey } from '../../../shared/database/keys/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { writeUnsubscribeToken } from '../../../shared/tokens/unsubscribe-token.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { isFew } from '../../support/cases.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const BROWSER = { accept: 'text/html,application/xhtml+xml' };

async function linkOf(account: TestAccount, notificationId = 'news') {
  const { environmentId, accountId } = account.environment;
  const trackingId = newTrackingId(app.clock.nowMs);
  const scope = { accountId, environmentId, userId: 'ada', notificationId, subNotificationId: '' };
  const token = await writeUnsubscribeToken(resolve(signer), { ...scope, channel: 'EMAIL', trackingId });
  return { path: { token }, trackingId };
}

async function typeOf(account: TestAccount, body: object): Promise<void> {
  const { status } = await call(createType, { key: account.secret.key, body });
  expect(status).toBe(200);
}

const preferencesOf = async ({ environment }: TestAccount) =>
  [...(await resolve(preferenceStore).find(environment.environmentId, 'ada'))].map(
    ([, { atMs: _, isConsent: __, ...each }]) => each,
  );

/** Names of a page's choices, in order. */
const selectsOf = (page: string) =>
  [...page.matchAll(/<select name="([^"]+)"/g)].map(([, name = '']) => name);

/** The fields that a browser submits for a page, with these changes. */
function submittedBy(page: string, changes: Readonly<Record<string, string>> = {}): string {
  const fields = [...page.matchAll(/<(?:select|input)[^>]* name="([^"]+)"[^>]*>(?:.*?<\/select>)?/g)];
  const values = fields.flatMap(([tag, name = '']): [string, string][] => {
    const isBox = /type="(?:radio|checkbox)"/.test(tag);
    if (isBox && name in changes) return [];
    if (isBox && !tag.includes(' checked')) return [];
    const [, selected] =
      tag.match(/<option value="([^"]*)" selected>/) ?? tag.match(/ value="([^"]*)"/) ?? [];
    return name in changes ? [] : [[name, selected ?? '']];
  });
  return new URLSearchParams([...values, ...Object.entries(changes)]).toString();
}

describe('a preferences page that was open for a while', () => {
  async function opened(types: string[], user: object = {}) {
    const account = await createTestAccount(app);
    const channels = ['EMAIL', 'SMS'];
    for (const notificationId of types)
      await typeOf(account, { notificationId, title: notificationId, channels });
    const save = (body: object) => call(saveUser, { key: account.secret.key, path: { userId: 'ada' }, body });
    expect((await save(user)).status).toBe(200);
    const { path } = await linkOf(account);
    const page = (await call(showPage, { path })).response.body;
    const submit = async (changes: Readonly<Record<string, string>>) =>
      (await call(savePage, { path, rawBody: submittedBy(page, changes) })).response.body;
    const stored = async () =>
      (await call(getUser, { key: account.secret.key, path: { userId: 'ada' } })).json;
    return { account, page, save, submit, stored };
  }

  it('leaves off what was unsubscribed meanwhile', async () => {
    const { account, page, submit } = await opened(['a', 'b']);
    await call(unsubscribe, { path: (await linkOf(account, 'b')).path });
    const saved = await submit({ [selectsOf(page)[0] ?? '']: 'daily', [selectsOf(page)[1] ?? '']: 'off' });
    expect(saved).toContain('Your choices are saved.');
    expect(await preferencesOf(account)).toMatchObject([
      { notificationId: 'b', channel: 'EMAIL', delivery: 'off' },
      { notificationId: 'a', channel: 'SMS', delivery: 'off' },
    ]);
    expect(saved.match(/value="off" selected/g)).toHaveLength(2);
  });

  it('leaves on what was turned on meanwhile', async () => {
    const { account, page, submit } = await opened(['a']);
    const [email = '', sms = ''] = selectsOf(page);
    await submit({ [email]: 'off' });
    const { path } = await linkOf(account);
    const off = (await call(showPage, { path })).response.body;
    await submit({ [email]: 'instant' });
    expect(await preferencesOf(account)).toMatchObject([{ delivery: 'off' }]);
    await call(savePage, { path, rawBody: submittedBy(off, { [selectsOf(off)[0] ?? '']: 'instant' }) });
    await call(savePage, { path, rawBody: submittedBy(off, { [sms]: 'off' }) });
    expect(await preferencesOf(account)).toMatchObject([
      { delivery: 'instant' },
      { channel: 'SMS', delivery: 'off' },
    ]);
  });

  it.each([
    ['a pause that began', {}, { pausedUntil: '2026-12-24T00:00:00.000Z' }],
    ['a pause that ended', { pausedUntil: '2026-12-24T00:00:00.000Z' }, { pausedUntil: null }],
    [
      'a longer pause',
      { pausedUntil: '2026-12-01T00:00:00.000Z' },
      { pausedUntil: '2027-01-01T00:00:00.000Z' },
    ],
    ['quiet hours that were set', {}, { quietHours: { from: '23:00', to: '06:30' } }],
    ['quiet hours that were removed', { quietHours: { from: '23:00', to: '06:30' } }, { quietHours: null }],
    [
      'other days and channels',
      { quietHours: { from: '23:00', to: '06:30' } },
      { quietHours: { from: '22:00', to: '06:30', days: ['Monday'], channels: ['SMS'], mode: 'drop' } },
    ],
    ['a whole quiet day', { quietHours: { from: '00:00', to: '24:00' } }, { locale: 'en' }],
  ])('leaves %s', async (_, before, meanwhile) => {
    const { page, save, submit, stored } = await opened(['a'], before);
    await save(meanwhile);
    const { pausedUntil, quietHours } = await stored();
    expect(await submit({ [selectsOf(page)[0] ?? '']: 'off' })).toContain('Your choices are saved.');
    expect(await stored()).toMatchObject({
      ...(pausedUntil && { pausedUntil }),
      ...(quietHours && { quietHours }),
    });
    expect([(await stored()).pausedUntil, (await stored()).quietHours]).toEqual([pausedUntil, quietHours]);
  });

  it('changes the times and leaves the days that were chosen meanwhile', async () => {
    const { save, submit, stored } = await opened(['a'], { quietHours: { from: '23:00', to: '06:30' } });
    await save({ quietHours: { from: '23:00', to: '06:30', days: ['Monday'] } });
    await submit({ 'quiet-from': '21:00' });
    expect((await stored()).quietHours).toEqual({ from: '21:00', to: '06:30', days: ['Monday'] });
  });

  it('ends a pause that it showed, and begins one', async () => {
    const { page, submit, stored } = await opened(['a'], { pausedUntil: '2026-12-24T00:00:00.000Z' });
    expect(page).toContain('value="none"');
    await submit({ pause: 'none' });
    expect((await stored()).pausedUntil).toBeUndefined();
    await submit({ pause: 'day' });
    expect(Date.parse((await stored()).pausedUntil)).toBe(app.clock.nowMs + 86_400_000);
  });
});

describe('the preferences page', () => {
  it.skipIf(isFew)('saves a choice among 260 types with six channels', async () => {
    const channels = ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'CHAT'];
    for (let index = 0; index < 260; index += 1)
      await typeOf(account, { notificationId: `type-with-a-long-name-${index}`, title: 'T', channels });
    const { path } = await linkOf(account);
    const page = (await call(showPage, { path })).response.body;
    const names = selectsOf(page);
    expect(new Set(names).size).toBe(260 * 6);
    const rawBody = submittedBy(page, { [names.at(-1) ?? '']: 'off', [names[700] ?? '']: 'off' });
    expect(rawBody.length).toBeLessThan(64 * 1024);
    expect((await call(savePage, { path, rawBody })).response.body).toContain('Your choices are saved.');
    expect((await preferencesOf(account)).map(({ delivery }) => delivery)).toEqual(['off', 'off']);
    const all = Object.fromEntries(names.map((name) => [name, 'off']));
    await call(savePage, { path, rawBody: submittedBy(page, all) });
    expect(await preferencesOf(account)).toHaveLength(260 * 6);
  });

  it('refuses a form that is too long, and saves nothing of it', async () => {
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL'] });
    const { path } = await linkOf(account);
    const [name = ''] = selectsOf((await call(showPage, { path })).response.body);
    const rawBody = `${name}=off&pause=day&x=${'x'.repeat(256 * 1024)}`;
    const { status, response } = await call(savePage, { path, rawBody, headers: BROWSER });
    expect([status, response.body.includes('saved')]).toEqual([400, false]);
    expect(response.body).toContain('over 256 KB');
    expect(response.body).toContain('<h1>Something went wrong</h1>');
    const german = { ...BROWSER, 'accept-language': 'de' };
    const { body } = (await call(savePage, { path, rawBody, headers: german })).response;
    expect(body).toContain('<h1>Etwas ist schiefgegangen</h1>');
    expect(body).not.toContain('Der Link ist');
    expect(await preferencesOf(account)).toEqual([]);
  });

  it('shows a choice per type and channel, and changes nothing', async () => {
    const options = { EMAIL: { defaultDeliveryOption: 'daily', daily: { enabled: true } } };
    await typeOf(account, { notificationId: 'news', title: '<b>News', channels: ['EMAIL', 'SMS'], options });
    const { response } = await call(showPage, { path: (await linkOf(account)).path });
    expect(response.body).toContain('<legend><bdi lang="">&#60;b&#62;News</bdi></legend>');
    expect(response.body).toContain('<option value="daily" selected>Once a day</option>');
    expect(response.body.match(/<select /g)).toHaveLength(2);
    expect(response.body).not.toContain('<script');
    expect(await preferencesOf(account)).toEqual([]);
  });

  it('saves changes without a login and ignores choices that are not offered', async () => {
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL', 'SMS'] });
    const { path } = await linkOf(account);
    const [email = '', sms = ''] = selectsOf((await call(showPage, { path })).response.body);
    const form = new URLSearchParams([
      [email, 'off'],
      [sms, 'weekly'],
      ['AAAAAAAA.instant', 'off'],
    ]);
    const { status, response } = await call(savePage, { path, rawBody: form.toString() });
    expect(status).toBe(200);
    expect(response.body).toContain('Your choices are saved.');
    expect(response.body).toContain('<option value="off" selected>');
    expect(await preferencesOf(account)).toEqual([
      { notificationId: 'news', channel: 'EMAIL', delivery: 'off' },
    ]);
    const hostile = Array.from({ length: 20_000 }, (_, index) => `k${index}`).join('&');
    expect((await call(savePage, { path, rawBody: hostile })).status).toBe(200);
  });

  it('links to and from the unsubscribe page, which offers undo', async () => {
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL'] });
    const { path } = await linkOf(account);
    const done = await call(unsubscribe, { path });
    expect(done.response.body).toContain(`href="../preferences/${path.token}"`);
    expect(done.response.body).toContain('action="?undo=true"');
    const undone = await call(unsubscribe, { path, query: { undo: 'true' } });
    expect(undone.response.body).toContain('You are subscribed again');
    expect(await preferencesOf(account)).toEqual([]);
  });
});

describe("a link to a recipients' page", () => {
  it('stores and reports nothing where off is not allowed', async () => {
    const options = { EMAIL: { defaultDeliveryOption: 'instant', off: { enabled: false } } };
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL'], options });
    const { path, trackingId } = await linkOf(account);
    const { status, response } = await call(unsubscribe, { path });
    expect(status).toBe(200);
    expect(response.body).toContain('This cannot be turned off');
    expect(await preferencesOf(account)).toEqual([]);
    expect(await app.database.get(eventKey(trackingId, 'EMAIL', 'unsubscribe'))).toBeUndefined();
  });

  it('stores nothing after the user was deleted, and returns a page that explains it', async () => {
    const { key } = account.secret;
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL'] });
    await call(saveUser, { key, path: { userId: 'ada' }, body: {} });
    const { path, trackingId } = await linkOf(account);
    const rawBody = `${selectsOf((await call(showPage, { path })).response.body)[0]}=off`;
    expect((await call(deleteUser, { key, path: { userId: 'ada' } })).status).toBe(200);
    for (const handler of [showUnsubscribe, unsubscribe, showPage, savePage]) {
      const { status, response } = await call(handler, { path, rawBody, headers: BROWSER });
      expect([status, response.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      expect(response.body).toContain('was deleted');
    }
    expect(await preferencesOf(account)).toEqual([]);
    expect(await app.database.get(eventKey(trackingId, 'EMAIL', 'unsubscribe'))).toBeUndefined();
  });

  it('returns a page to a browser and the error body to other clients when it is broken', async () => {
    for (const handler of [showUnsubscribe, unsubscribe, showPage, savePage]) {
      const page = await call(handler, { path: { token: 'a.b' }, headers: BROWSER });
      expect(page.status).toBe(400);
      expect(page.response.body).toContain('<h1>This link does not work</h1>');
      const { json } = await call(handler, { path: { token: 'a.b' } });
      expect(json.error.code).toBe('INVALID_REQUEST');
    }
  });
});
