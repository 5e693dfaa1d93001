import { describe, expect, it } from 'vitest';
import { handler } from '../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as listWaiting } from '../../../functions/users/list-waiting.ts';
import { logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

async function notify(
  account: TestAccount,
  userId: string,
  type = 'news',
  fails = false,
  subNotificationId?: string,
): Promise<string> {
  app.clock.nowMs += 1000;
  const trackingId = newTrackingId(app.clock.nowMs);
  const { accountId, environmentId } = account.environment;
  const head = {
    ...{ trackingId, accountId, environmentId, userId, notificationId: type },
    state: 'accepted' as const,
    receivedAtMs: app.clock.nowMs,
    routing: {},
    messages: [],
    request: {},
    ...(subNotificationId ? { subNotificationId } : {}),
  };
  const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + 86_400;
  await resolve(logs).accept(head, { feedShards: 1, expiresAtSeconds });
  for (const channel of fails ? (['EMAIL', 'SMS'] as const) : [])
    await resolve(logs).append(trackingId, ownerOf({ ...head, expiresAtSeconds }), {
      ...{ channel, stage: 'failed', atMs: app.clock.nowMs, fields: {} },
    });
  return trackingId;
}

async function list(account: TestAccount, query: Record<string, string>) {
  const { status, json } = await call(handler, { key: account.secret.key, query });
  expect(status).toBe(200);
  const ids: string[] = json.messages.map((each: { trackingId: string }) => each.trackingId);
  return { ids, nextCursor: json.nextCursor };
}

describe('GET /logs', () => {
  it.each([
    ['2300-01-01T00:00:00Z', 1],
    ['9999-12-31T23:59:59Z', 1],
    ['0001-01-01T00:00:00Z', 0],
  ])('compares times of any year: until %s', async (year, count) => {
    await notify(account, 'ada');
    expect((await list(account, { to: year })).ids).toHaveLength(count);
    expect((await list(account, { from: year })).ids).toHaveLength(1 - count);
  });

  it('filters by user, type, time and failure across pages', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const [user, type] = [index % 2 ? 'bob' : 'ada', index % 3 ? 'news' : 'offer'];
      ids.push(await notify(account, user, type, index % 4 === 0));
    }
    const of = (matches: (index: number) => boolean) => ids.filter((_, index) => matches(index)).reverse();
    expect((await list(account, { userId: 'ada' })).ids).toEqual(of((index) => index % 2 === 0));
    expect((await list(account, { type: 'offer', userId: 'bob' })).ids).toEqual(
      of((index) => index % 2 === 1 && index % 3 === 0),
    );
    expect((await list(account, { status: 'failed' })).ids).toEqual(of((index) => index % 4 === 0));
    const [from, to] = [isoOf(app.clock.nowMs - 5000), isoOf(app.clock.nowMs - 2000)];
    expect((await list(account, { from, to })).ids).toEqual(of((index) => index >= 6 && index <= 9));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(account, { userId: 'ada', limit: '2', ...(cursor ? { cursor } : {}) });
      found.push(...page.ids);
      cursor = page.nextCursor;
    } while (cursor);
    expect(found).toEqual(of((index) => index % 2 === 0));
    const first = await list(account, { userId: 'ada', limit: '2' });
    const foreign = { userId: 'bob', cursor: first.nextCursor };
    expect((await call(handler, { key: account.secret.key, query: foreign })).json.error.code).toBe(
      'INVALID_CURSOR',
    );
    const bad = await call(handler, { key: account.secret.key, query: { from: 'yesterday' } });
    expect([bad.status, bad.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('rejects times the wrong way round', async () => {
    const query = { from: '2026-11-22T00:00:00+02:00', to: '2026-11-21T21:59:59Z' };
    const { status, json } = await call(handler, { key: account.secret.key, query });
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringContaining('query.to must not be before from'),
    ]);
    const same = { from: query.from, to: '2026-11-21T22:00:00Z' };
    expect((await call(handler, { key: account.secret.key, query: same })).status).toBe(200);
  });
});

describe('GET /users/{userId}/waiting', () => {
  it("lists the user's scheduled notifications, earliest first, and nobody else's", async () => {
    const { key } = account.secret;
    const at = (hours: number) => isoOf(app.clock.nowMs + hours * 3_600_000);
    const schedule = (id: string, hours: number) =>
      call(send, {
        key,
        body: {
          type: 'later',
          to: { id, email: `${id}@example.com` },
          email: { subject: 's', html: 'h' },
          schedule: at(hours),
        },
      });
    const [second, first] = [await schedule('ada', 5), await schedule('ada', 2)];
    await schedule('bob', 1);
    const { status, json } = await call(listWaiting, { key, path: { userId: 'ada' } });
    expect(status).toBe(200);
    expect(json).toEqual({
      scheduled: [
        { trackingId: first.json.trackingId, type: 'later', scheduledFor: at(2) },
        { trackingId: second.json.trackingId, type: 'later', scheduledFor: at(5) },
      ],
      digests: [],
      held: [],
      steps: [],
    });
  });
});

it('filters by sub-notification, with failures and other filters, across pages', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const sub = index % 3 === 0 ? undefined : index % 3 === 1 ? 'acme' : 'globex';
    ids.push(await notify(account, index % 2 ? 'bob' : 'ada', 'news', index % 4 === 0, sub));
  }
  const of = (matches: (index: number) => boolean) => ids.filter((_, index) => matches(index)).reverse();
  const acme = { subNotificationId: 'acme' };
  expect((await list(account, acme)).ids).toEqual(of((index) => index % 3 === 1));
  expect((await list(account, { ...acme, userId: 'bob' })).ids).toEqual(
    of((i) => i % 3 === 1 && i % 2 === 1),
  );
  expect((await list(account, { ...acme, status: 'failed' })).ids).toEqual(
    of((i) => i % 3 === 1 && i % 4 === 0),
  );
  expect((await list(account, { subNotificationId: 'other' })).ids).toEqual([]);
  const first = await list(account, { ...acme, limit: '3' });
  const second = await list(account, { ...acme, limit: '3', cursor: first.nextCursor });
  expect([...first.ids, ...second.ids]).toEqual(of((index) => index % 3 === 1));
  const query = { limit: '3', cursor: first.nextCursor, subNotificationId: 'globex' };
  expect((await call(handler, { key: account.secret.key, query })).status).toBe(400);
});
