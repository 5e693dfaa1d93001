import { expect, it } from 'vitest';
import { handler as listInapp } from '../../../functions/inapp/list-inapp.ts';
import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as deliverInapp } from '../../../functions/workers/delivery/deliver-inapp.ts';
import { handler as makeReady } from '../../../functions/workers/due/make-ready.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { type BucketScope, bucketPk } from '../../../shared/database/entities/sending/digest-bucket.ts';
import { digests } from '../../../shared/database/entities/sending/digests.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { deliver, recordOf } from '../../support/workers.ts';

const app = useApp();

async function accept({ secret }: TestAccount): Promise<string> {
  app.clock.nowMs += 1;
  const body = { type: 'comment', to: { id: 'ada' }, inapp: { title: 'Hello' } };
  return (await call(send, { key: secret.key, body })).json.trackingId;
}

async function deliverTo(trackingId: string): Promise<void> {
  expect(await deliver(deliverInapp, { trackingId, channel: 'INAPP_WEB' })).toEqual([]);
}

it.each([
  ['a stored user', true],
  ['a user without a profile', false],
])('delivers to %s what was accepted after the deletion and nothing from before it', async (_, isStored) => {
  const account = await createTestAccount(app);
  const key = account.secret.key;
  const path = { userId: 'ada' };
  const storeUser = () => isStored && call(saveUser, { key, path, body: {} });
  await storeUser();
  const delivered = await accept(account);
  await deliverTo(delivered);
  const waiting = await accept(account);
  expect((await call(deleteUser, { key, path })).status).toBe(200);
  app.clock.nowMs += 1;
  await storeUser();
  const later = await accept(account);
  for (const trackingId of [waiting, later]) await deliverTo(trackingId);

  const { json } = await call(listInapp, { key, query: path });
  expect(json.notifications.map((item: { trackingId: string }) => item.trackingId)).toEqual([later]);
  const { json: found } = await call(getLogs, { key, path: { trackingIds: `${waiting},${later}` } });
  expect(found.logs[0]).toMatchObject({ inapp_routing: 'IGNORE' });
  expect(found.logs[0]).not.toHaveProperty('inapp_sent_at');
  expect(found.logs[1]).toHaveProperty('inapp_sent_at');
});

it('omits items accepted before the deletion from a digest', async () => {
  const account = await createTestAccount(app);
  const key = account.secret.key;
  const path = { userId: 'ada' };
  const scope: BucketScope = {
    accountId: account.account.accountId,
    environmentId: account.environment.environmentId,
    userId: 'ada',
    notificationId: 'comment',
    subNotificationId: '',
    channel: 'EMAIL',
    mode: 'daily',
    flushAtMs: app.clock.nowMs + 60_000,
  };
  const collect = async (trackingId: string) => {
    app.clock.nowMs += 1;
    const atMs = app.clock.nowMs;
    const item = {
      trackingId,
      atMs,
      logExpiresAt: Math.ceil(atMs / 1000) + 3600,
      request: '{"type":"comment"}',
    };
    await resolve(digests).collect(scope, item, []);
  };
  await call(saveUser, { key, path, body: {} });
  await collect('before');
  expect((await call(deleteUser, { key, path })).status).toBe(200);
  await call(saveUser, { key, path, body: { email: 'ada@example.com' } });
  await collect('after');
  app.clock.nowMs = scope.flushAtMs;
  expect(await deliver(makeReady, { pk: bucketPk(scope), dueAtMs: scope.flushAtMs })).toEqual([]);
  const stagesOf = async (trackingId: string) =>
    (await resolve(logs).listEvents(trackingId, 'EMAIL')).map(({ stage }) => stage);
  expect(await stagesOf('before')).toEqual(['withheld']);
  expect(await stagesOf('after')).toContain('digest');
});

it.each([
  ['a schedule', {}, { schedule: '2026-12-24T09:00:00Z' }],
  ['a pause', { pausedUntil: '2026-12-24T09:00:00.000Z' }, {}],
  ['a step', {}, { options: { steps: [{ channels: ['SMS'] }, { channels: ['EMAIL'], after: 'P1D' }] } }],
  [
    'a schedule with steps',
    {},
    {
      schedule: '2026-12-24T09:00:00Z',
      options: { steps: [{ channels: ['SMS'] }, { channels: ['EMAIL'], after: 'P1D' }] },
    },
  ],
])('ends the log of what %s holds in CANCELED when its user is deleted', async (_, user, more) => {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const path = { userId: 'ada' };
  await call(saveUser, { key, path, body: { email: 'ada@example.com', ...user } });
  const email = { subject: 'Hi', html: 'Hi' };
  const { json } = await call(send, { key, body: { type: 'welcome', to: { id: 'ada' }, email, ...more } });
  expect(await recordOf(account, json.trackingId)).toMatchObject({ email_routing: 'SCHEDULE' });
  await call(deleteUser, { key, path });
  expect(await recordOf(account, json.trackingId)).toMatchObject({
    email_routing: 'IGNORE',
    email_skipped_reason: 'CANCELED',
    email_skipped_at: expect.any(String),
  });
});
