import { describe, expect, it } from 'vitest';
import { handler as getPreferences } from '../../../functions/preferences/get-preferences.ts';
import { handler } from '../../../functions/unsubscribe/show-unsubscribe.ts';
import { handler as unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import {
  notificationTypes,
  type StoredType,
} from '../../../shared/database/entities/content/notification-types.ts';
import { preferenceStore } from '../../../shared/database/entities/users/preferences.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { eventKey } from '../../../shared/database/keys/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import { type Unsubscription, writeUnsubscribeToken } from '../../../shared/tokens/unsubscribe-token.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const ONE_CLICK = {
  rawBody: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};
const HOSTILE = `"><script>alert('x')</script>&`;

async function linkOf(account: TestAccount, over: Partial<Unsubscription> = {}) {
  const link: Unsubscription = {
    accountId: account.account.accountId,
    environmentId: account.environment.environmentId,
    userId: 'ada',
    notificationId: 'news',
    subNotificationId: '',
    channel: 'EMAIL',
    trackingId: newTrackingId(app.clock.nowMs),
    ...over,
  };
  return { link, path: { token: await writeUnsubscribeToken(resolve(signer), link) } };
}

const createType = (account: TestAccount, over: Partial<StoredType> = {}) =>
  resolve(notificationTypes).create(account.environment.environmentId, {
    notificationId: 'news',
    title: 'Weekly news',
    channels: ['EMAIL'],
    enabled: true,
    templates: [],
    revision: 1,
    createdAtMs: app.clock.nowMs,
    ...over,
  });

const preferencesOf = async ({ environmentId, userId }: Unsubscription) =>
  [...(await resolve(preferenceStore).find(environmentId, userId)).values()].map(
    ({ atMs: _, isConsent: __, ...choice }) => choice,
  );

describe('GET /unsubscribe/{token}', () => {
  it.each(['.', ').', '>', '”', '\u200b', ' '])(
    'works with %j, which followed the link in a text',
    async (after) => {
      await createType(account);
      const { link, path } = await linkOf(account);
      const token = path.token + after;
      expect((await call(handler, { path: { token } })).status).toBe(200);
      expect((await call(unsubscribe, { path: { token } })).status).toBe(200);
      expect(await preferencesOf(link)).toMatchObject([{ delivery: 'off' }]);
      expect((await call(handler, { path: { token: `${token}x` } })).status).toBe(400);
    },
  );

  it('shows a page with a form and changes nothing, however often it is opened', async () => {
    await createType(account);
    await resolve(accounts).update(account.account.accountId, { logo: 'https://shop.example.com/logo.png' });
    const { link, path } = await linkOf(account);
    for (let time = 0; time < 2; time += 1) {
      const { status, response } = await call(handler, { path });
      expect([status, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.body).toContain('<html lang="en">');
      expect(response.body).toContain('<form method="post">');
      expect(response.body).toContain('Weekly news');
      expect(response.body).toContain('<img src="https://shop.example.com/logo.png" alt="Test"');
      expect(response.body).not.toContain('<script');
    }
    expect(await preferencesOf(link)).toEqual([]);
    expect(await app.database.get(eventKey(link.trackingId, 'EMAIL', 'unsubscribe'))).toBeUndefined();
  });

  it("escapes the account's name, its logo and the type's title", async () => {
    await createType(account, { title: HOSTILE });
    const { accountId } = account.account;
    await resolve(accounts).update(accountId, { name: HOSTILE, logo: `https://x.example.com/${HOSTILE}` });
    const { path } = await linkOf(account);
    for (const each of [handler, unsubscribe]) {
      const { response } = await call(each, { path });
      expect(response.body).not.toContain('<script');
      expect(response.body).not.toContain(HOSTILE);
    }
  });

  it.each(['javascript:alert(1)', 'http://shop.example.com/logo.png', 'data:image/png;base64,AA'])(
    'shows the name instead of the logo %s',
    async (logo) => {
      await resolve(accounts).update(account.account.accountId, { logo });
      const { response } = await call(handler, { path: (await linkOf(account)).path });
      expect(response.body).not.toContain('<img');
      expect(response.body).toContain('<p class="brand">Test</p>');
    },
  );

  it('shows the ID of a notification type that was deleted', async () => {
    const { response } = await call(handler, { path: (await linkOf(account)).path });
    expect(response.body).toContain('<strong>news</strong>');
  });
});

describe('POST /unsubscribe/{token}', () => {
  it.each([
    ['one click in an email program', ONE_CLICK],
    ['an empty body', {}],
    ['any other body', { rawBody: '{not json' }],
  ])('turns the channel off immediately by %s, without login, redirect or cookie', async (_, request) => {
    await createType(account);
    const { link, path } = await linkOf(account);
    const { status, response } = await call(unsubscribe, { path, ...request });
    expect(status).toBe(200);
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(response.headers).not.toHaveProperty('location');
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(response.body).toContain('You are unsubscribed');
    expect(await preferencesOf(link)).toEqual([
      { notificationId: 'news', channel: 'EMAIL', delivery: 'off' },
    ]);
    expect((await call(handler, { path })).response.body).toContain('You are unsubscribed');
  });

  it('remains in effect when repeated, with one event', async () => {
    await createType(account);
    const { link, path } = await linkOf(account);
    await call(unsubscribe, { path, ...ONE_CLICK });
    const first = await app.database.get(eventKey(link.trackingId, 'EMAIL', 'unsubscribe'));
    app.clock.nowMs += 1000;
    expect((await call(unsubscribe, { path, ...ONE_CLICK })).status).toBe(200);
    expect(await app.database.get(eventKey(link.trackingId, 'EMAIL', 'unsubscribe'))).toEqual(first);
    expect(first).toMatchObject({
      a: link.accountId,
      e: link.environmentId,
      u: 'ada',
      n: 'news',
      at: app.clock.nowMs - 1000,
    });
    expect(await preferencesOf(link)).toHaveLength(1);
  });

  it.each([
    ['the page', (path: { token: string }) => call(unsubscribe, { path, query: { undo: 'true' } })],
    [
      'their preferences',
      async (_path: unknown, { environmentId, userId }: Unsubscription) =>
        resolve(preferenceStore).set(environmentId, userId, [
          { notificationId: 'news', channel: 'EMAIL', delivery: 'instant' },
        ]),
    ],
  ])('reports again, once, after the user turned the emails back on in %s', async (_, turnOn) => {
    await createType(account);
    const { link, path } = await linkOf(account);
    await call(unsubscribe, { path, ...ONE_CLICK });
    await turnOn(path, link);
    const use = () => {
      app.clock.nowMs += 1000;
      return call(unsubscribe, { path, ...ONE_CLICK });
    };
    await Promise.all([use(), use(), use()]);
    await use();
    const events = await app.database.queryAll(logPk(link.trackingId), '');
    expect(events.map(({ sk }) => sk).toSorted()).toEqual([
      eventKey(link.trackingId, 'EMAIL', 'unsubscribe').sk,
      eventKey(link.trackingId, 'EMAIL', 'unsubscribe', '1').sk,
    ]);
  });

  it.each(CHANNELS)('turns off %s only, and only the sub-notification of the link', async (channel) => {
    await createType(account);
    const { link, path } = await linkOf(account, { channel, subNotificationId: 'post#1' });
    await call(unsubscribe, { path });
    expect(await preferencesOf(link)).toEqual([
      { notificationId: 'news', subNotificationId: 'post#1', channel, delivery: 'off' },
    ]);
    expect(await app.database.get(eventKey(link.trackingId, channel, 'unsubscribe'))).toBeDefined();
  });

  it('explains when the account does not allow the message to be turned off', async () => {
    await createType(account, {
      options: { EMAIL: { defaultDeliveryOption: 'instant', off: { enabled: false } } },
    });
    const { path } = await linkOf(account);
    for (const each of [handler, unsubscribe]) {
      const { status, response } = await call(each, { path });
      expect([status, response.body]).toEqual([200, expect.stringContaining('This cannot be turned off')]);
      expect(response.body).not.toContain('<form');
    }
  });
});

describe('undo on the page', () => {
  const daily = { EMAIL: { defaultDeliveryOption: 'instant', daily: { enabled: true } } } as const;
  const offByDefault = { EMAIL: { defaultDeliveryOption: 'off', weekly: { enabled: true } } } as const;
  const choice = { notificationId: 'news', channel: 'EMAIL' } as const;

  /** Presses the button of a page that reports that the link was used. */
  async function undoOn(
    { response }: Awaited<ReturnType<typeof call>>,
    path: { token: string },
  ): Promise<void> {
    const action = /action="\?([^"]*)"/.exec(response.body ?? '')?.[1];
    const undone = await call(unsubscribe, { path, query: Object.fromEntries(new URLSearchParams(action)) });
    expect(undone.response.body).toContain('You are subscribed again');
  }

  const undo = async (path: { token: string }) => undoOn(await call(unsubscribe, { path }), path);

  it('restores the delivery that the person had chosen', async () => {
    await createType(account, { options: daily });
    const { link, path } = await linkOf(account);
    const before = [{ ...choice, delivery: 'daily' as const }];
    await resolve(preferenceStore).set(link.environmentId, 'ada', before);
    await undo(path);
    expect(await preferencesOf(link)).toEqual(before);
  });

  it('restores the choice of the sub-notification, and keeps that of the whole type', async () => {
    await createType(account, { options: daily });
    const { link, path } = await linkOf(account, { subNotificationId: 'post#1' });
    const before = [
      { ...choice, delivery: 'off' as const },
      { ...choice, subNotificationId: 'post#1', delivery: 'daily' as const },
    ];
    await resolve(preferenceStore).set(link.environmentId, 'ada', before);
    await undo(path);
    expect((await preferencesOf(link)).toSorted()).toEqual(before);
  });

  it('turns on what is off by default or as a whole', async () => {
    await createType(account, { options: offByDefault });
    const { link, path } = await linkOf(account);
    await undo(path);
    expect(await preferencesOf(link)).toEqual([{ ...choice, delivery: 'instant' }]);
  });

  it.each([
    ['the page is opened again', (path: { token: string }) => call(handler, { path })],
    ['the link is used again', (path: { token: string }) => call(unsubscribe, { path })],
  ])('restores it after %s too, and never returns it from the API', async (_, reopen) => {
    await createType(account, { options: daily });
    const { link, path } = await linkOf(account);
    const before = [{ ...choice, delivery: 'daily' as const }];
    await resolve(preferenceStore).set(link.environmentId, 'ada', before);
    await call(unsubscribe, { path, ...ONE_CLICK });
    const { json } = await call(getPreferences, { key: account.secret.key, path: { userId: 'ada' } });
    expect(json.preferences).toEqual([{ ...choice, delivery: 'off' }]);
    await undoOn(await reopen(path), path);
    expect(await preferencesOf(link)).toEqual(before);
  });

  it('applies the default if the type no longer offers the choice', async () => {
    await createType(account, { options: daily });
    const { link, path } = await linkOf(account);
    await resolve(preferenceStore).set(link.environmentId, 'ada', [{ ...choice, delivery: 'weekly' }]);
    await undo(path);
    expect(await preferencesOf(link)).toEqual([]);
  });

  it('keeps what the person chose after using the link', async () => {
    await createType(account, { options: daily });
    const { link, path } = await linkOf(account);
    const done = await call(unsubscribe, { path });
    const chosen = [{ ...choice, delivery: 'daily' as const }];
    await resolve(preferenceStore).set(link.environmentId, 'ada', chosen);
    await undoOn(done, path);
    expect(await preferencesOf(link)).toEqual(chosen);
  });
});

describe('a link that this service did not sign', () => {
  it('returns 400 and changes nothing', async () => {
    const { link, path } = await linkOf(account);
    const [text = '', signature = ''] = path.token.split('.');
    const forged = Buffer.from(
      JSON.stringify([...JSON.parse(Buffer.from(text, 'base64url').toString())].with(2, 'eve')),
    );
    const tokens = [
      '',
      '.',
      'x',
      text,
      `${text}.`,
      `${text}.${signature}x`,
      `${text}.${signature}.x`,
      `${forged.toString('base64url')}.${signature}`,
      `${text}.${await resolve(signer).sign('cursor', text)}`,
      'x'.repeat(9000),
    ];
    for (const token of tokens) {
      for (const each of [handler, unsubscribe]) {
        const { status, json } = await call(each, { path: { token } });
        expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      }
    }
    expect(await preferencesOf(link)).toEqual([]);
    expect(await preferencesOf({ ...link, userId: 'eve' })).toEqual([]);
  });
});
