import { describe, expect, it } from 'vitest';
import { handler as countUnread } from '../../../functions/inapp/count-unread-inapp.ts';
import { handler } from '../../../functions/inapp/list-inapp.ts';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as openAll } from '../../../functions/inapp/open-all-inapp.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { notify } from './inapp-setup.ts';
import { app, notifyMany, query, useInapp } from './list-inapp-setup.ts';

useInapp();

describe('GET and PATCH /user/inapp/unread', () => {
  const count = async (account: TestAccount) =>
    (await call(countUnread, { key: account.public.key, query })).json.count;

  it('counts items that are neither opened nor archived, after every mark and its removal', async () => {
    const account = await createTestAccount(app);
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
    const account = await createTestAccount(app);
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
    const account = await createTestAccount(app);
    const title = 't'.repeat(100_000);
    for (let index = 0; index < 24; index += 1) await notify(app, account, { title });
    expect(await count(account)).toBe(24);
  });
});

it('lists, counts and opens only the items of a sub-notification, across pages', async () => {
  const account = await createTestAccount(app);
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
