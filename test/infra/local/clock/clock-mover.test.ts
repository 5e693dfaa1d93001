import { afterEach, describe, expect, it } from 'vitest';
import { handler as sendRequest } from '../../../../functions/sending/send.ts';
import { handler as deleteUser } from '../../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { createClockMover, nextStopAtMs } from '../../../../infra/local/clock/clock-mover.ts';
import { dueItems } from '../../../../shared/database/entities/sending/due-items.ts';
import { recheckItem } from '../../../../shared/database/entities/sending/rechecks.ts';
import { DUE_QUEUE } from '../../../../shared/messaging/queue-names.ts';
import { isoOf } from '../../../../shared/runtime/clock.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, createTestApp } from '../../../support/app.ts';

const NOW = 1_800_000_000_000;

afterEach(() => replace(dueItems, dueItems.create));

describe('the next due time of the clock', () => {
  it.each([
    [
      'an item of the table, not a message that a queue holds for a second',
      NOW + 3_600_000,
      NOW + 1000,
      NOW + 3_600_000,
    ],
    ['a message of a queue when the table has nothing', undefined, NOW + 1000, NOW + 1000],
    ['none', undefined, undefined, undefined],
  ])('equals that of %s', async (_, itemAtMs, messageAtMs, expected) => {
    await createTestApp();
    const items = resolve(dueItems);
    replace(dueItems, () => ({ ...items, nextDueAtMs: async () => itemAtMs }));
    const clock = { now: () => NOW } as Parameters<typeof nextStopAtMs>[0]['clock'];
    expect(await nextStopAtMs({ clock, nextVisibleAtMs: () => messageAtMs })).toBe(expected);
  });
});

it('the next due time is that of what a person waits for, not of the next part of an erasure or recheck', async () => {
  const app = await createTestApp();
  const { secret, account, environment } = await createTestAccount(app);
  const ids = { accountId: account.accountId, environmentId: environment.environmentId };
  const path = { userId: 'ada' };
  const { key } = secret;
  const nowMs = app.clock.nowMs;
  const atMs = nowMs + 7_200_000;
  const to = { id: 'bob', number: '+12025550123' };
  const scheduled = { type: 't', to, sms: { message: 'm' }, schedule: isoOf(atMs) };
  expect((await call(sendRequest, { key, body: scheduled })).status).toBe(200);
  const recheck = recheckItem({ ...ids, userId: 'bob', atMs: nowMs }, nowMs + 60_000);
  await app.database.put(recheck);
  const clock = { now: () => nowMs } as Parameters<typeof nextStopAtMs>[0]['clock'];
  const next = () => nextStopAtMs({ clock, nextVisibleAtMs: () => undefined });
  expect(await next()).toBe(atMs);
  await app.database.delete({ pk: String(recheck.pk), sk: String(recheck.sk) });
  await call(saveUser, { key, path, body: { email: 'ada@example.com' } });
  expect((await call(deleteUser, { key, path })).status).toBe(200);
  expect(await resolve(dueItems).nextDueAtMs(nowMs)).toBeLessThan(atMs);
  expect(await next()).toBe(atMs);
});

describe('a moved clock', () => {
  it('enqueues at each of many stops only what is due there, though what was started stays in the index', async () => {
    const app = await createTestApp();
    const items = Array.from({ length: 50 }, (_, index) => ({
      pk: `LOG#${index}`,
      dueAtMs: NOW + index * 1000,
    }));
    const own = resolve(dueItems);
    replace(dueItems, () => ({
      ...own,
      async *pagesBetween(fromMs: number, toMs: number) {
        yield items.filter(({ dueAtMs }) => dueAtMs >= fromMs && dueAtMs <= toMs);
      },
      nextDueAtMs: async (afterMs: number) => items.find(({ dueAtMs }) => dueAtMs > afterMs)?.dueAtMs,
    }));
    let nowMs = NOW - 1;
    const clock = { now: () => nowMs, moveTo: (ms: number) => (nowMs = ms), stop() {}, start() {} };
    const counts: number[] = [];
    const settle = async () => void counts.push(app.sent.get(DUE_QUEUE)?.length ?? 0);
    const move = createClockMover({ clock: clock as never, settle, nextVisibleAtMs: () => undefined });
    expect(await move(() => NOW + 3_600_000)).toBe(true);
    const enqueued = app.sent.get(DUE_QUEUE)?.map(({ body }) => JSON.stringify(body)) ?? [];
    expect(new Set(enqueued).size).toBeGreaterThanOrEqual(items.length);
    expect(counts.length).toBeGreaterThan(items.length);
    // What is due at the stop before is enqueued once more, since it may have been written there.
    expect(enqueued.length).toBeLessThanOrEqual(2 * items.length);
  });
});
