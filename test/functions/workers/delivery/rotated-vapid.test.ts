import { beforeAll, expect, it } from 'vitest';
import { handler as getMetadata } from '../../../../functions/account/get-account-metadata.ts';
import { handler as updateEnvironment } from '../../../../functions/environments/update-environment.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { handler as deliverWebPush } from '../../../../functions/workers/delivery/deliver-web-push.ts';
import { createWebPushProvider } from '../../../../shared/channels/web-push/web-push.ts';
import { createFairClient } from '../../../../shared/http-client/fair-client.ts';
import type { GuardedClient } from '../../../../shared/http-client/guarded-client.ts';
import { webPushProvider } from '../../../../shared/providers/push/push.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call, type TestAccount } from '../../../support/app.ts';
import { startPushService } from '../../../support/fakes/push-service.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { deliver, recordOf } from '../../../support/workers.ts';

const app = useApp();
const account = useAccount(app, 'test');
const DAY_MS = 86_400_000;
/** The key of each endpoint's subscription. */
const keyOf = new Map<string, string>();
const calls: { endpoint: string; isOwn: boolean }[] = [];
let keys: { p256dh: string; auth: string };

const request: GuardedClient['request'] = async ({ url, headers = {} }) => {
  const isOwn = /k=([\w-]+)/.exec(headers.authorization ?? '')?.[1] === keyOf.get(url);
  calls.push({ endpoint: url, isOwn });
  const body = Buffer.from(isOwn ? '' : '{"reason":"VapidPkHashMismatch"}');
  const status = isOwn ? 201 : 400;
  return { kind: 'response', status, headers: {}, truncated: false, durationMs: 1, body };
};

beforeAll(async () => {
  process.env.VAPID_SUBJECT = 'mailto:ops@example.com';
  const service = await startPushService();
  keys = service.subscribe().sub.keys as typeof keys;
  await service.close();
});

const keyNow = async ({ public: { key } }: TestAccount): Promise<string> =>
  (await call(getMetadata, { key })).json.userAccountMetadata.environmentVapidPublicKey;
const rotate = (account: TestAccount, body: object = { resetVapidKey: true }) =>
  call(updateEnvironment, {
    key: account.secret.key,
    path: { clientId: account.environment.environmentId },
    body,
  });

let count = 0;
async function subscribe(account: TestAccount): Promise<string> {
  count += 1;
  const endpoint = `https://push.example.com/${count}`;
  keyOf.set(endpoint, await keyNow(account));
  const body = { webPushTokens: [{ sub: { endpoint, keys } }] };
  await call(saveUser, { key: account.secret.key, path: { userId: `u${count}` }, body });
  return `u${count}`;
}

async function notify(account: TestAccount, userId: string) {
  const guarded = createFairClient({ request }, { now: () => app.clock.nowMs });
  replace(webPushProvider, () => createWebPushProvider({ guarded, now: () => app.clock.nowMs }));
  const body = { type: 't', to: { id: userId }, web_push: { title: 'T', message: 'M' } };
  const { trackingId } = (await call(send, { key: account.secret.key, body })).json;
  await deliver(deliverWebPush, { trackingId, channel: 'WEB_PUSH' });
  return recordOf(account, trackingId);
}

it('a subscription of a key that was replaced receives for 90 days, then it is removed', async () => {
  const first = await subscribe(account);
  const before = await keyNow(account);
  expect((await rotate(account)).status).toBe(200);
  expect(await keyNow(account)).not.toBe(before);
  const second = await subscribe(account);
  await rotate(account, { resetVapidKey: true, resetSecret: true });
  const third = await subscribe(account);
  for (const userId of [first, second, third]) {
    calls.length = 0;
    expect(await notify(account, userId)).toHaveProperty('web_push_sent_at');
    expect(calls.filter(({ isOwn }) => isOwn)).toHaveLength(1);
  }
  app.clock.nowMs += 90 * DAY_MS;
  const { json } = await call(getUser, { key: account.secret.key, path: { userId: first } });
  expect(json.webPushTokens).toHaveLength(1);
  expect(await notify(account, first)).toMatchObject({ web_push_failed_code: 'UNSUBSCIRBED_OR_EXPIRED' });
  const after = await call(getUser, { key: account.secret.key, path: { userId: first } });
  expect(after.json.webPushTokens).toEqual([]);
  expect(await notify(account, third)).toHaveProperty('web_push_sent_at');
});

it('a reset of one key leaves the other, and false resets neither', async () => {
  const [before, { clientSecret }] = [await keyNow(account), (await rotate(account, {})).json];
  expect((await rotate(account, { resetVapidKey: false })).json.clientSecret).toBe(clientSecret);
  expect(await keyNow(account)).toBe(before);
  expect((await rotate(account)).json.clientSecret).toBe(clientSecret);
  const rotated = await keyNow(account);
  expect((await rotate(account, { resetSecret: true })).json.clientSecret).not.toBe(clientSecret);
  expect(await keyNow(account)).toBe(rotated);
});

it('a repeated request under a key replaces once, also after another reset', async () => {
  const repeated = async () => {
    const path = { clientId: account.environment.environmentId };
    const headers = { 'idempotency-key': 'rotation-1' };
    await call(updateEnvironment, { key: account.secret.key, path, headers, body: { resetVapidKey: true } });
    return keyNow(account);
  };
  const first = await repeated();
  expect(await repeated()).toBe(first);
  await rotate(account, { resetSecret: true });
  expect(await repeated()).toBe(first);
  await rotate(account);
  const last = await keyNow(account);
  expect(await repeated()).toBe(last);
});

it('a sixth rotation within 90 days is a 400 and changes nothing', async () => {
  const statuses = [];
  for (let times = 0; times < 5; times += 1) statuses.push((await rotate(account)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  const last = await keyNow(account);
  const { status, json } = await rotate(account);
  expect([status, json.error.message]).toEqual([400, 'The VAPID key was replaced 5 times within 90 days.']);
  expect(await keyNow(account)).toBe(last);
});
