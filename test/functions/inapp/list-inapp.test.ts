import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handler as countUnread } from '../../../functions/inapp/count-unread-inapp.ts';
import { handler } from '../../../functions/inapp/list-inapp.ts';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as openAll } from '../../../functions/inapp/open-all-inapp.ts';
import { keyring } from '../../../shared/database/entities/accounts/data-keys.ts';
import {
  clientSecretContext,
  environments,
} from '../../../shared/database/entities/accounts/environments.ts';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { LIFE_MS, notify } from './inapp-setup.ts';

const app = useApp();
const account = useAccount(app, 'test');

const query = { userId: 'ada' };

async function notifyMany(account: TestAccount, count: number, stepMs = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    app.clock.nowMs += stepMs;
    await notify(app, account, { title: `n${index}` });
  }
}

const ENDPOINTS = { list: handler, mark: markInapp, count: countUnread, openAll };

async function list(account: TestAccount, more: Record<string, string> = {}): Promise<string[]> {
  const { status, json } = await call(handler, { key: account.public.key, query: { ...query, ...more } });
  expect(status).toBe(200);
  return json.notifications.map((item: { title: string }) => item.title);
}

describe('GET /user/inapp', () => {
  it('returns an empty list for a user without notifications', async () => {
    const { secret } = await createTestAccount(app);
    const { status, json } = await call(handler, { key: secret.key, query });
    expect([status, json]).toEqual([200, { notifications: [] }]);
  });

  it('returns the items as stored, for a user named in the query or a header', async () => {
    const item = await notify(app, account);
    await notify(app, account, { userId: 'eve' });
    const byQuery = await call(handler, { key: account.secret.key, query });
    const byHeader = await call(handler, { key: account.public.key, headers: { 'x-user-id': 'ada' } });
    expect(byQuery.json).toEqual({ notifications: [item] });
    expect(byHeader.json).toEqual(byQuery.json);
  });

  it('returns every item within the response limit; those that do not fit have no parameters', async () => {
    for (let index = 0; index < 7; index += 1) {
      app.clock.nowMs += 1;
      await notify(app, account, { title: `n${index}`, parameters: { text: 'a'.repeat(950_000) } });
    }
    const { status, json } = await call(handler, { key: account.public.key, query });
    expect(status).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(json)))).toBeLessThan(5.5 * 1024 * 1024);
    expect(json.notifications.map(({ title }: { title: string }) => title)).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((n) => `n${n}`),
    );
    expect(json.notifications.map((item: object) => 'parameters' in item)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(['ms', 'iso'])('pages newest first by before in %s and returns each item once', async (form) => {
    await notifyMany(account, 7);
    const seen: string[] = [];
    let before: string | undefined;
    for (let page = 0; page < 4; page += 1) {
      const { json } = await call(handler, {
        key: account.secret.key,
        query: { ...query, count: '3', ...(before ? { before } : {}) },
      });
      seen.push(...json.notifications.map((item: { title: string }) => item.title));
      const date = json.notifications.at(-1)?.date;
      if (date) before = form === 'ms' ? String(Date.parse(date)) : date;
    }
    expect(seen).toEqual(['n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0']);
  });

  it('returns parameters that the table cannot represent and omits what is too large for an item', async () => {
    const parameters = {
      large: 1e300,
      small: 5e-324,
      exact: 12345678901234567000,
      text: 'x'.repeat(420_000),
    };
    const stored = await notify(app, account, { parameters });
    const noise = randomBytes(900_000).toString('base64');
    app.clock.nowMs += 1;
    await notify(app, account, { parameters: { noise }, title: 'Large' });
    const { json } = await call(handler, { key: account.secret.key, query: { userId: 'ada' } });
    expect(json.notifications[1]).toEqual({ ...stored, parameters });
    expect(json.notifications[0]).toMatchObject({ title: 'Large' });
    expect(json.notifications[0]).not.toHaveProperty('parameters');
  });

  it('never splits notifications of one millisecond across pages', async () => {
    await notifyMany(account, 5, 0);
    app.clock.nowMs += 1;
    await notify(app, account, { title: 'newest' });
    const { json } = await call(handler, { key: account.secret.key, query: { ...query, count: '2' } });
    expect(json.notifications).toHaveLength(6);
    expect(await list(account, { before: json.notifications.at(-1).date })).toEqual([]);
  });

  it('returns 50 items by default', async () => {
    await notifyMany(account, 55);
    expect(await list(account)).toHaveLength(50);
    expect(await list(account, { count: '100' })).toHaveLength(55);
  });

  it('omits expired items and fills the page with the others', async () => {
    await notifyMany(account, 3);
    app.clock.nowMs += LIFE_MS + 2000;
    await notifyMany(account, 1);
    expect(await list(account)).toEqual(['n0']);
    expect((await call(countUnread, { key: account.secret.key, query })).json).toEqual({ count: 1 });
  });

  it('includes archived items, unless archived=false', async () => {
    await notifyMany(account, 4);
    const { json } = await call(handler, { key: account.secret.key, query });
    const trackingIds = json.notifications.slice(0, 3).map((item: { trackingId: string }) => item.trackingId);
    await call(markInapp, { key: account.secret.key, query, body: { trackingIds, archived: true } });
    expect(await list(account)).toHaveLength(4);
    expect(await list(account, { archived: 'false', count: '1' })).toEqual(['n0']);
  });

  it('returns the items of one view, over more than one page of the table', async () => {
    await notifyMany(account, 6);
    const ids = (await call(handler, { key: account.secret.key, query })).json.notifications
      .map((item: { trackingId: string }) => item.trackingId)
      .reverse();
    const mark = (trackingId: string, marks: object) =>
      call(markInapp, {
        key: account.secret.key,
        query,
        body: { trackingIds: [trackingId], ...marks },
      });
    const later = new Date(app.clock.nowMs + LIFE_MS / 4).toISOString();
    await mark(ids[0], { archived: true });
    await mark(ids[1], { snoozedUntil: later });
    await mark(ids[2], { opened: true });
    await mark(ids[3], { opened: true });
    await mark(ids[3], { archived: true });
    await mark(ids[4], { archived: true });
    await mark(ids[4], { snoozedUntil: later });
    expect(await list(account, { filter: 'archived' })).toEqual(['n4', 'n3', 'n0']);
    expect(await list(account, { filter: 'archived', count: '1' })).toEqual(['n4']);
    expect(await list(account, { filter: 'archived', archived: 'false' })).toHaveLength(3);
    expect(await list(account, { filter: 'snoozed' })).toEqual(['n1']);
    expect(await list(account, { filter: 'unread' })).toEqual(['n5']);
    await mark(ids[0], { archived: null });
    expect(await list(account, { filter: 'unread' })).toEqual(['n5', 'n0']);
  });

  it.each([
    { filter: 'opened' },
    { filter: '' },
    { count: '0' },
    { count: 'x' },
    { before: 'yesterday' },
    { before: '2026-11-21' },
    { before: '9'.repeat(16) },
    { before: '' },
    { before: 'x'.repeat(2048) },
    { archived: 'yes' },
  ])('returns 400 for the query %.60j', async (wrong) => {
    const { secret } = await createTestAccount(app);
    const { status, json } = await call(handler, { key: secret.key, query: { ...query, ...wrong } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

describe('the user of an in-app request', () => {
  const body = { trackingIds: ['x'], opened: true };

  it.each(Object.entries(ENDPOINTS))('must be named: %s', async (_, endpoint) => {
    for (const userId of [undefined, '', ' ada', 'x'.repeat(2048), 'a\nb']) {
      const { status, json } = await call(endpoint, {
        key: account.public.key,
        body,
        ...(userId === undefined ? {} : { query: { userId } }),
      });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.message).toContain('userId');
    }
  });

  it.each(Object.entries(ENDPOINTS))(
    'requires the hash of a public key in secure mode: %s',
    async (_, endpoint) => {
      const { accountId } = account.account;
      const { environmentId, sealedSecret } = account.environment;
      const item = await notify(app, account);
      await resolve(environments).update(accountId, environmentId, { secureMode: true });
      const secret = await resolve(keyring).decrypt(
        clientSecretContext(accountId, environmentId),
        sealedSecret,
      );
      const request = { key: account.public.key, query, body: { ...body, trackingIds: [item.trackingId] } };
      for (const hash of ['', 'wrong', userHashOf(secret, 'eve')]) {
        expect((await call(endpoint, { ...request, headers: { 'x-user-hash': hash } })).status).toBe(401);
      }
      const hash = userHashOf(secret, 'ada');
      expect((await call(endpoint, { ...request, headers: { 'x-user-hash': hash } })).status).toBe(200);
      // The query names the user before the header does: a hash of the header's user opens nothing.
      const headers = { 'x-user-id': 'ada', 'x-user-hash': hash };
      expect((await call(endpoint, { ...request, query: { userId: 'eve' }, headers })).status).toBe(401);
    },
  );
});

describe('GET and PATCH /user/inapp/unread', () => {
  const count = async (account: TestAccount) =>
    (await call(countUnread, { key: account.public.key, query })).json.count;

  it('counts items that are neither opened nor archived, after every mark and its removal', async () => {
    const [first, second] = [await notify(app, account), await notify(app, account)];
    await notify(app, account, { userId: 'eve' });
    const mark = (trackingId: string, marks: object) =>
      call(markInapp, { key: account.public.key, query, body: { trackingIds: [trackingId], ...marks } });
    expect(await count(account)).toBe(2);
    await mark(first.trackingId, { opened: true });
    expect(await count(account)).toBe(1);
    await mark(first.trackingId, { archived: true });
    await mark(second.trackingId, { archived: true });
    expect(await count(account)).toBe(0);
    await mark(second.trackingId, { archived: null });
    expect(await count(account)).toBe(1);
    await mark(first.trackingId, { opened: null });
    expect(await count(account)).toBe(1);
    await mark(first.trackingId, { archived: null });
    expect(await count(account)).toBe(2);
    await mark(second.trackingId, { clicked: true });
    expect(await count(account)).toBe(2);
  });

  it('opens all in one request, keeps earlier times, and leaves archived items and other users unchanged', async () => {
    await notifyMany(account, 30);
    const early = await notify(app, account, { title: 'early' });
    const archived = await notify(app, account, { title: 'archived' });
    await notify(app, account, { userId: 'eve' });
    const at = isoOf(app.clock.nowMs);
    await call(markInapp, {
      key: account.secret.key,
      query,
      body: { trackingIds: [early.trackingId], opened: true },
    });
    await call(markInapp, {
      key: account.secret.key,
      query,
      body: { trackingIds: [archived.trackingId], archived: true },
    });
    app.clock.nowMs += 1000;
    const { status, json } = await call(openAll, { key: account.public.key, query });
    expect([status, json, await count(account)]).toEqual([200, { count: 30 }, 0]);
    const listed = await call(handler, { key: account.secret.key, query });
    const openedOf = (title: string) =>
      listed.json.notifications.find((item: { title: string }) => item.title === title).opened;
    expect([openedOf('early'), openedOf('archived'), openedOf('n0')]).toEqual([
      at,
      undefined,
      isoOf(app.clock.nowMs),
    ]);
    expect((await call(countUnread, { key: account.secret.key, query: { userId: 'eve' } })).json.count).toBe(
      1,
    );
    expect((await call(openAll, { key: account.secret.key, query })).json).toEqual({ count: 0 });
  });

  it('counts more items than one read returns', async () => {
    const title = 't'.repeat(100_000);
    for (let index = 0; index < 24; index += 1) await notify(app, account, { title });
    expect(await count(account)).toBe(24);
  });
});

it('lists, counts and opens only the items of a sub-notification, across pages', async () => {
  for (let index = 0; index < 9; index += 1) {
    app.clock.nowMs += 1;
    const own = index % 3 === 0 ? {} : { subNotificationId: index % 3 === 1 ? 'acme' : 'globex #%' };
    await notify(app, account, { title: `n${index}`, ...own });
  }
  const key = account.public.key;
  const of = (subNotificationId: string) => ({ ...query, subNotificationId });
  const titles = async (more: object) => {
    const { json } = await call(handler, { key, query: { ...query, ...more } });
    return json.notifications.map(({ title }: { title: string }) => title);
  };
  expect(await titles(of('acme'))).toEqual(['n7', 'n4', 'n1']);
  expect(await titles({ ...of('acme'), count: '2' })).toEqual(['n7', 'n4']);
  expect(await titles(of('globex #%'))).toEqual(['n8', 'n5', 'n2']);
  expect(await titles(of('other'))).toEqual([]);
  expect(await titles({})).toHaveLength(9);
  const count = async (more: object = query) =>
    (await call(countUnread, { key, query: more as never })).json.count;
  expect([await count(of('acme')), await count()]).toEqual([3, 9]);
  expect((await call(openAll, { key, query: of('acme') })).json.count).toBe(3);
  expect([await count(of('acme')), await count(of('globex #%')), await count()]).toEqual([0, 3, 6]);
  expect(await titles({ ...of('acme'), filter: 'unread' })).toEqual([]);
  expect((await call(handler, { key, query: { ...query, subNotificationId: '' } })).status).toBe(400);
});
