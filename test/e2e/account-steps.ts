import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import type { LocalRun } from '../support/local-run.ts';
import { until } from '../support/until.ts';
import type { Walk } from './walk.ts';

/** Invites a member who accepts, becomes an admin, changes their address and is removed. */
export async function walkMembers({ ok, refused, sandbox, statusOf }: Walk): Promise<void> {
  const invited = await ok('inviteMember', { body: { email: 'grace@example.com', role: 'member' } });
  const { accessToken } = await sandbox('issuer/token', { person: 'grace@example.com' });
  await ok('acceptInvite', { key: accessToken, body: { token: invited.invitationToken } });
  const path = { userId: invited.userId };
  await refused('updateMember', { path, key: accessToken, body: { role: 'admin' } }, 401, 'ADMIN_ONLY');
  await ok('updateMember', { path, body: { role: 'admin' } });
  const change = { key: accessToken, body: { newEmail: 'grace@new.example.com' } };
  const { confirmationUrl } = await ok('changeEmail', change);
  const token = decodeURIComponent(new URL(confirmationUrl).pathname.split('/').at(-1) ?? '');
  await ok('showConfirmEmail', { path: { token } });
  await ok('confirmEmail', { path: { token } });
  const { members } = await ok('listMembers');
  expect(members.map(({ email }: { email: string }) => email)).toContain('grace@new.example.com');
  await ok('removeMember', { path });
  expect(await statusOf('getAccount', { key: accessToken })).toBe(401);
}

/** Saves, reads and deletes the push settings and the webhook. */
export async function walkSettings({ ok }: Walk): Promise<void> {
  const forms = {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  } as const;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, ...forms }).privateKey;
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256', ...forms }).privateKey;
  const account = { type: 'service_account', project_id: 'shop', client_email: 'push@shop.example' };
  const fcmConfig = JSON.stringify({ ...account, private_key: rsa });
  const apn = { KeyId: 'ABC123DEFG', Key: p256, TeamId: 'DEF123GHIJ', Topic: 'com.example.shop' };
  await ok('saveFcmConfig', { body: { fcmConfig } });
  expect(await ok('getFcmConfig')).toEqual({ fcmConfig });
  await ok('deleteFcmConfig');
  await ok('saveApnConfig', { body: apn });
  await ok('getApnConfig');
  await ok('deleteApnConfig');
  await ok('saveEventWebhook', {
    body: { webhook: 'https://shop.example.com/webhooks', events: ['EMAIL_FAILED'] },
  });
  await ok('getEventWebhook');
  await ok('testEventWebhook', { body: { eventType: 'EMAIL_FAILED' } });
  await ok('deleteEventWebhook');
}

/** Snoozes an in-app item until it returns unread, first and pushed. */
export async function walkSnooze({ ok, sandbox }: Walk, run: LocalRun): Promise<void> {
  const user = 'sleepy';
  const inapp = { query: { userId: user }, key: run.publicKey };
  const titles = async () =>
    (await ok('listInapp', inapp)).notifications.map(({ title }: { title: string }) => title);
  const count = async () => (await ok('countUnreadInapp', inapp)).count;
  const sendItem = async (title: string) => {
    const { trackingId } = await ok('send', {
      body: { type: 'items', to: { id: user }, inapp: { title } },
    });
    await until(async () => (await titles())[0] === title, title);
    return trackingId;
  };
  const first = await sendItem('first');
  await sendItem('second');
  await ok('markInapp', { ...inapp, body: { trackingIds: [first], opened: true } });
  expect(await count()).toBe(1);
  const { now } = await sandbox('clock');
  const snoozedUntil = new Date(Date.parse(now) + 2 * 3_600_000).toISOString();
  await ok('markInapp', { ...inapp, body: { trackingIds: [first], snoozedUntil } });
  expect([await titles(), await count()]).toEqual([['second'], 1]);
  const socketUrl = `${run.baseUrl.replace(/^http/, 'ws')}/?userId=${user}&envId=${run.environmentId}`;
  const socket = new WebSocket(socketUrl);
  const pushed: string[] = [];
  socket.addEventListener('message', ({ data }) => pushed.push(String(data)));
  await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
  await sandbox('clock', { advance: 'PT1H' });
  expect([await titles(), pushed]).toEqual([['second'], []]);
  await sandbox('clock', { advance: 'PT1H' });
  expect([await titles(), await count()]).toEqual([['first', 'second'], 2]);
  await until(async () => pushed.length > 0, 'the live item');
  socket.close();
  expect(JSON.parse(pushed[0] ?? '')).toMatchObject({
    route: 'inapp_web/new_notifications',
    payload: { notifications: [{ trackingId: first, title: 'first' }] },
  });
  expect(JSON.parse(pushed[0] ?? '').payload.notifications[0]).not.toHaveProperty('opened');
}

/** Adds and removes users of a topic, and sends to it. */
export async function walkTopic({ ok }: Walk): Promise<void> {
  const path = { topicId: 'topical' };
  expect(await ok('addTopicUsers', { path, body: { userIds: ['bob', 'cyd'] } })).toMatchObject({
    members: 2,
  });
  expect(await ok('removeTopicUsers', { path, body: { userIds: ['cyd'] } })).toMatchObject({ members: 1 });
  expect(await ok('listTopics')).toMatchObject({ topics: [{ topicId: 'topical', members: 1 }] });
  expect((await ok('listTopicUsers', { path })).users).toMatchObject([{ userId: 'bob' }]);
  const theirs = await ok('listUserTopics', { path: { userId: 'bob' } });
  expect(theirs.topics).toMatchObject([{ topicId: 'topical' }]);
  const body = { type: 'topical', to: { topic: 'topical' }, inapp: { title: 'To all' } };
  const { trackingId } = await ok('send', { body });
  const logOf = async () => (await ok('getLogs', { path: { trackingIds: trackingId } })).logs[0];
  await until(async () => (await logOf()).topic_state === 'fanned_out', 'the fan-out');
  expect(await logOf()).toMatchObject({ topic_members: 1, topic_accepted: 1 });
}
