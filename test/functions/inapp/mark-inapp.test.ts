import { describe, expect, it } from 'vitest';
import { handler as listInapp } from '../../../functions/inapp/list-inapp.ts';
import { handler } from '../../../functions/inapp/mark-inapp.ts';
import { handler as openAll } from '../../../functions/inapp/open-all-inapp.ts';
import type { InappItem } from '../../../shared/database/entities/inapp/inapp-item.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { LIFE_MS, notify } from './inapp-setup.ts';

const app = useApp();
const account = useAccount(app, 'test');
const shared = useAccount(app);

const query = { userId: 'ada' };
const markAs = (account: TestAccount, body: unknown, userId = 'ada') =>
  call(handler, { key: account.public.key, query: { userId }, body });

describe('PATCH /user/inapp', () => {
  it('sets every mark to now or to the given time, and lists it', async () => {
    const item = await notify(app, account);
    const now = isoOf(app.clock.nowMs);
    const { status, json } = await markAs(account, {
      trackingIds: [item.trackingId],
      opened: true,
      clicked: '2026-11-21T10:00:00+02:00',
      archived: '2026-11-21T08:00:00Z',
      actioned1: true,
      actioned2: '2026-11-21T08:00:00.123Z',
      reply: 'Grüße ✓',
    });
    const marked = {
      ...item,
      opened: now,
      clicked: '2026-11-21T08:00:00.000Z',
      archived: '2026-11-21T08:00:00.000Z',
      actioned1: now,
      actioned2: '2026-11-21T08:00:00.123Z',
      reply: { date: now, message: 'Grüße ✓' },
      version: 2,
    };
    expect([status, json]).toEqual([200, { notifications: [marked] }]);
    expect((await call(listInapp, { key: account.secret.key, query })).json.notifications).toEqual([marked]);
  });

  it.each([
    [
      'one',
      (account: TestAccount, { trackingId }: InappItem) =>
        markAs(account, { trackingIds: [trackingId], opened: true }),
    ],
    ['all', (account: TestAccount) => call(openAll, { key: account.public.key, query })],
  ])('records the delivery in the log the first time it marks %s', async (_, markThem) => {
    const item = await notify(app, account);
    expect(await recordOf(account, item.trackingId)).not.toHaveProperty('inapp_delivered_at');
    app.clock.nowMs += 5000;
    const delivered = { inapp_delivered_at: isoOf(app.clock.nowMs), inapp_delivered_after: 5000 };
    for (let times = 0; times < 2; times += 1) {
      expect((await markThem(account, item)).status).toBe(200);
      app.clock.nowMs += 1000;
    }
    expect(await recordOf(account, item.trackingId)).toMatchObject(delivered);
  });

  it('marks all in spite of an item that cannot be read, which it omits', async () => {
    const [, broken] = [await notify(app, account), await notify(app, account)];
    const pk = `USER#${account.environment.environmentId}#ada`;
    const stored = await app.database.queryAll(pk, 'INAPP#');
    const item = stored.find(({ sk }) => String(sk).endsWith(broken.trackingId));
    await app.database.put({ ...item, pk, sk: String(item?.sk), title: 5 });
    const { status, json } = await call(openAll, { key: account.public.key, query });
    expect([status, json]).toEqual([200, { count: 1 }]);
  });

  it('clears marks with null and keeps those not named', async () => {
    const item = await notify(app, account);
    const trackingIds = [item.trackingId];
    const reply = { message: 'yes', date: '2026-11-21T08:00:00Z' };
    await markAs(account, { trackingIds, opened: true, clicked: true, reply });
    const { json } = await markAs(account, { trackingIds, opened: null, archived: null });
    expect(json.notifications).toEqual([
      {
        ...item,
        clicked: isoOf(app.clock.nowMs),
        reply: { message: 'yes', date: '2026-11-21T08:00:00.000Z' },
        version: 3,
      },
    ]);
    const cleared = await markAs(account, { trackingIds, clicked: null, reply: null });
    expect(cleared.json.notifications).toEqual([{ ...item, version: 4 }]);
  });

  it('marks many items in the order requested, once each, and skips those of other users', async () => {
    const items = [await notify(app, account), await notify(app, account)];
    const foreign = await notify(app, account, { userId: 'eve' });
    const trackingIds = [
      ...items.map((item) => item.trackingId),
      foreign.trackingId,
      newTrackingId(1),
      items[0]?.trackingId,
    ];
    const { status, json } = await markAs(account, { trackingIds, opened: true });
    expect(status).toBe(200);
    expect(json.notifications.map((item: { trackingId: string }) => item.trackingId)).toEqual(
      trackingIds.slice(0, 2),
    );
    const other = await call(listInapp, { key: account.secret.key, query: { userId: 'eve' } });
    expect(other.json.notifications[0]).not.toHaveProperty('opened');
  });

  it('finds the item of a scheduled notification', async () => {
    const item = await notify(app, account, { scheduledAtMs: app.clock.nowMs - 86_400_000 });
    expect((await markAs(account, { trackingIds: [item.trackingId], opened: true })).status).toBe(200);
  });

  it('keeps all marks that are set concurrently', async () => {
    const item = await notify(app, account);
    const names = ['opened', 'clicked', 'archived', 'actioned1', 'actioned2'];
    await Promise.all(names.map((name) => markAs(account, { trackingIds: [item.trackingId], [name]: true })));
    const { json } = await call(listInapp, { key: account.secret.key, query });
    for (const name of names) expect(json.notifications[0]).toHaveProperty(name);
  });

  it.each<[string, (account: TestAccount, other: TestAccount) => Promise<string>]>([
    ['an unknown tracking ID', async () => newTrackingId(1)],
    ["another user's", async (account) => (await notify(app, account, { userId: 'eve' })).trackingId],
    ["another account's, of the same user id", async (_, other) => (await notify(app, other)).trackingId],
    ['an id with separators', async () => 'x#HEAD#✓'],
    [
      'an expired one',
      async (account) => (await notify(app, account, { atMs: app.clock.nowMs - LIFE_MS - 2000 })).trackingId,
    ],
  ])('returns 400 for %s and marks nothing', async (_, makeId) => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    const trackingId = await makeId(account, other);
    const { status, json } = await markAs(account, { trackingIds: [trackingId], opened: true });
    expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    for (const each of [account, other]) {
      const { json: listed } = await call(listInapp, { key: each.secret.key, query });
      for (const item of listed.notifications) expect(item).not.toHaveProperty('opened');
    }
  });

  const ids = ['018f'];
  it.each<[string, unknown]>([
    ['no tracking IDs', { opened: true }],
    ['an empty list', { trackingIds: [], opened: true }],
    ['over 100', { trackingIds: Array.from({ length: 101 }, (_, index) => `t${index}`), opened: true }],
    ['a string as list', { trackingIds: '018f', opened: true }],
    ['a number as ID', { trackingIds: [7], opened: true }],
    ['an empty ID', { trackingIds: [''], opened: true }],
    ['an over-long id', { trackingIds: ['x'.repeat(2048)], opened: true }],
    ['no mark', { trackingIds: ids }],
    ['false as mark', { trackingIds: ids, opened: false }],
    ['a number as mark', { trackingIds: ids, clicked: 1795250000000 }],
    ['a date without time', { trackingIds: ids, archived: '2026-11-21' }],
    ['an impossible time', { trackingIds: ids, archived: '2026-13-41T25:00:00Z' }],
    ['a time without zone', { trackingIds: ids, actioned1: '2026-11-21T08:00:00' }],
    ['an object as mark', { trackingIds: ids, actioned2: {} }],
    ['a number as reply', { trackingIds: ids, reply: 7 }],
    ['a reply without message', { trackingIds: ids, reply: {} }],
    ['an over-long reply', { trackingIds: ids, reply: 'x'.repeat(4097) }],
    ['a list', []],
    ['a text', 'opened'],
  ])('returns 400 for %s', async (_, body) => {
    const { status, json } = await markAs(shared, body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message.length).toBeLessThan(400);
  });
});
