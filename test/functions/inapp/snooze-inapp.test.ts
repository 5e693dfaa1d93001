import { beforeAll, describe, expect, it } from 'vitest';
import { handler as count } from '../../../functions/inapp/count-unread-inapp.ts';
import { handler as list } from '../../../functions/inapp/list-inapp.ts';
import { handler as mark } from '../../../functions/inapp/mark-inapp.ts';
import { handler as openAll } from '../../../functions/inapp/open-all-inapp.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { inappItems } from '../../../shared/database/entities/inapp/inapp-items.ts';
import { inappSnoozes } from '../../../shared/database/entities/inapp/inapp-snoozes.ts';
import { userPk } from '../../../shared/database/keys/key.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import { realtimePublisher } from '../../../shared/providers/clients/realtime.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { LIFE_MS, notify } from './inapp-setup.ts';

type Pushed = { kind: 'new' | 'marks'; ids: string[] };

const app = usePipeline();
const pushed: Pushed[] = [];
beforeAll(() => {
  replace(realtimePublisher, () => ({
    publish: async (_, __, item) => {
      pushed.push({ kind: 'new', ids: [item.trackingId] });
      return true;
    },
    publishMarks: async (_, __, items) => {
      pushed.push({ kind: 'marks', ids: items.map(({ trackingId }) => trackingId) });
    },
  }));
});

/** Shorter than the items live. */
const LATER_MS = LIFE_MS / 4;
const query = { userId: 'ada' };

async function inbox() {
  const account = await createTestAccount(app);
  const { key } = account.public;
  const send = async (title: string) => {
    const item = await notify(app, account, { title });
    // The workers deliver what was accepted: they find the item stored and push it.
    await app.settle();
    return item;
  };
  const patch = (trackingIds: string[], body: object) =>
    call(mark, { key, query, body: { trackingIds, ...body } });
  return {
    account,
    send,
    patch,
    snooze: (trackingId: string, ms: number) =>
      patch([trackingId], { snoozedUntil: isoOf(app.clock.nowMs + ms) }),
    items: async () => (await call(list, { key, query })).json.notifications,
    titles: async () =>
      (await call(list, { key, query })).json.notifications.map((each: { title: string }) => each.title),
    unread: async () => (await call(count, { key, query })).json.count,
    openAll: async () => (await call(openAll, { key, query })).json.count,
  };
}

const pass = (ms: number) => app.goTo(app.clock.nowMs + ms);
const recordsOf = (account: TestAccount) =>
  app.database.queryAll(userPk(account.environment.environmentId, 'ada'), '', { consistent: true });

describe('a snoozed in-app item', () => {
  it('stays out of lists and counts until its time, then returns unread, first and pushed, once', async () => {
    const { send, snooze, titles, unread, items, patch } = await inbox();
    const first = await send('first');
    app.clock.nowMs += 1000;
    await send('second');
    await patch([first.trackingId], { opened: true, clicked: true });
    const { status, json } = await snooze(first.trackingId, LATER_MS);
    const until = isoOf(app.clock.nowMs + LATER_MS);
    expect([status, json.notifications[0].snoozedUntil]).toEqual([200, until]);
    expect([await titles(), await unread()]).toEqual([['second'], 1]);
    await pass(LATER_MS - 1000);
    expect(await titles()).toEqual(['second']);

    pushed.length = 0;
    await pass(1000);
    expect([await titles(), await unread()]).toEqual([['first', 'second'], 2]);
    expect((await items())[0]).toMatchObject({
      id: first.trackingId,
      date: isoOf(app.clock.nowMs),
      clicked: expect.any(String),
    });
    expect((await items())[0]).not.toHaveProperty('opened');
    expect((await items())[0]).not.toHaveProperty('snoozedUntil');
    expect(pushed).toEqual([{ kind: 'new', ids: [first.trackingId] }]);
    await pass(LATER_MS);
    expect(pushed).toHaveLength(1);
    expect(app.errors).toEqual([]);
  });

  it('can be marked and snoozed again, and returned early', async () => {
    const { send, snooze, titles, patch, unread } = await inbox();
    const { trackingId } = await send('one');
    for (let times = 0; times < 3; times += 1) {
      expect((await snooze(trackingId, LATER_MS)).status).toBe(200);
      expect(await titles()).toEqual([]);
      await pass(LATER_MS);
      expect([await titles(), await unread()]).toEqual([['one'], 1]);
    }
    expect((await patch([trackingId], { opened: true })).json.notifications[0].opened).toBeDefined();
    expect(await unread()).toBe(0);
  });

  it('returns at the last time that was requested', async () => {
    const { send, snooze, titles } = await inbox();
    const { trackingId } = await send('one');
    await snooze(trackingId, LATER_MS);
    await snooze(trackingId, 3 * LATER_MS);
    await pass(2 * LATER_MS);
    expect(await titles()).toEqual([]);
    await pass(LATER_MS);
    expect(await titles()).toEqual(['one']);
  });

  it('returns unchanged when null ends it, and not again later', async () => {
    const { send, snooze, titles, patch, items } = await inbox();
    const sent = await send('one');
    await patch([sent.trackingId], { opened: true });
    await snooze(sent.trackingId, LATER_MS);
    const { json } = await patch([sent.trackingId], { snoozedUntil: null });
    expect(json.notifications[0]).not.toHaveProperty('snoozedUntil');
    expect((await items())[0]).toMatchObject({ date: sent.date, opened: expect.any(String) });
    pushed.length = 0;
    await pass(2 * LATER_MS);
    expect([await titles(), pushed]).toEqual([['one'], []]);
    expect((await patch([sent.trackingId], { snoozedUntil: null })).status).toBe(200);
  });

  it('does not return once archived, and opening all leaves it unchanged', async () => {
    const { send, snooze, patch, titles, openAll, unread } = await inbox();
    const [archived, kept] = [await send('archived'), await send('kept')];
    for (const { trackingId } of [archived, kept]) await snooze(trackingId, LATER_MS);
    await patch([archived.trackingId], { archived: true });
    expect(await openAll()).toBe(0);
    await pass(LATER_MS);
    const visible = (await titles()) as string[];
    expect(visible.filter((title) => title !== 'archived')).toEqual(['kept']);
    expect(await unread()).toBe(1);
  });

  it('outlives its notification and can still be marked', async () => {
    const { send, snooze, titles, patch, account } = await inbox();
    const { trackingId } = await send('old');
    await snooze(trackingId, 10 * LIFE_MS);
    await app.database.delete(headKey(trackingId));
    await pass(10 * LIFE_MS);
    expect(await titles()).toEqual(['old']);
    expect((await patch([trackingId], { opened: true })).json.notifications[0].title).toBe('old');
    const other = await createTestAccount(app);
    const { json } = await call(mark, {
      key: other.public.key,
      query,
      body: { trackingIds: [trackingId], opened: true },
    });
    expect(json.error.code).toBe('RESOURCE_NOT_FOUND');
    expect(account.account.accountId).not.toBe(other.account.accountId);
  });

  it('remains seen for the steps of its notification although it returns unread', async () => {
    const { send, snooze, patch, account } = await inbox();
    const item = await send('seen');
    const seen = () =>
      resolve(inappItems).isSeen(account.environment.environmentId, 'ada', {
        trackingId: item.trackingId,
        atMs: Date.parse(item.date),
      });
    await snooze(item.trackingId, LATER_MS);
    expect(await seen()).toBe(false);
    await patch([item.trackingId], { opened: true });
    await pass(LATER_MS);
    expect(await seen()).toBe(true);
    await snooze(item.trackingId, LATER_MS);
    await pass(LATER_MS);
    expect(await seen()).toBe(true);
  });

  it('disappears with its user, even at the moment it returns', async () => {
    const { send, snooze, account } = await inbox();
    const { key } = account.secret;
    expect(
      (await call(saveUser, { key, path: { userId: 'ada' }, body: { email: 'a@example.com' } })).status,
    ).toBe(200);
    for (const title of ['a', 'b', 'c']) await snooze((await send(title)).trackingId, LATER_MS);
    app.clock.nowMs += LATER_MS;
    const pk = userPk(account.environment.environmentId, 'ada');
    await Promise.all([
      call(deleteUser, { key, path: { userId: 'ada' } }),
      resolve(inappSnoozes).returnDue(pk, app.clock.nowMs, resolve(erasureMarks)),
    ]);
    await app.settle();
    expect(await recordsOf(account)).toEqual([]);
  });

  it('returns once when several workers return it while it is marked', async () => {
    const { send, snooze, account, patch, items } = await inbox();
    const { trackingId } = await send('raced');
    await snooze(trackingId, LATER_MS);
    app.clock.nowMs += LATER_MS;
    const pk = userPk(account.environment.environmentId, 'ada');
    const [replied, ...returns] = await Promise.all([
      patch([trackingId], { reply: 'later' }),
      ...[1, 2, 3].map(() => resolve(inappSnoozes).returnDue(pk, app.clock.nowMs, resolve(erasureMarks))),
    ]);
    expect(replied?.status).toBe(200);
    expect(returns.flat()).toHaveLength(1);
    expect(await items()).toMatchObject([{ trackingId, reply: { message: 'later' } }]);
  });

  it.each([
    ['a time that is past', -1],
    ['now', 0],
    ['a time more than a year ahead', 367 * 86_400_000],
  ])('rejects %s with 400', async (_, ms) => {
    const { send, snooze, titles } = await inbox();
    const { status, json } = await snooze((await send('one')).trackingId, ms);
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('body.snoozedUntil')]);
    expect(await titles()).toEqual(['one']);
  });

  it.each([
    [{ snoozedUntil: 'tomorrow' }],
    [{ snoozedUntil: true }],
    [{ snoozedUntil: '2026-11-22T09:00:00' }],
    [{ snoozedUntil: '2026-11-23T09:00:00Z', archived: true }],
  ])('rejects %j with 400', async (body) => {
    const { send, patch } = await inbox();
    const { status, json } = await patch([(await send('one')).trackingId], body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('stays unknown to other users and accounts', async () => {
    const { send, account } = await inbox();
    const { trackingId } = await send('one');
    const body = { trackingIds: [trackingId], snoozedUntil: isoOf(app.clock.nowMs + LATER_MS) };
    for (const [key, userId] of [
      [account.public.key, 'bob'],
      [(await createTestAccount(app)).public.key, 'ada'],
    ] as const) {
      const { json } = await call(mark, { key, query: { userId }, body });
      expect(json.error.code).toBe('RESOURCE_NOT_FOUND');
    }
  });
});
