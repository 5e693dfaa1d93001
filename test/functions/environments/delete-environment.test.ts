import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as deleteEnvironment } from '../../../functions/environments/delete-environment.ts';
import { handler as listEnvironments } from '../../../functions/environments/list-environments.ts';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as listKeys } from '../../../functions/keys/list-api-keys.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as addTopicUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as listErasures } from '../../../functions/users/list-erasures.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as saveWebhook } from '../../../functions/webhooks/save-event-webhook.ts';
import { environmentRemovals } from '../../../shared/database/entities/accounts/environment-removals.ts';
import { erasureReceipts } from '../../../shared/database/entities/erasure/erasure-receipts.ts';
import { webhookClient } from '../../../shared/providers/clients/webhook-client.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { call } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
const HOUR_MS = 3_600_000;
let key: string;
const called: string[] = [];
beforeEach(() => {
  key = account.secret.key;
  called.length = 0;
  const request = async ({ url }: { url: string }) => {
    called.push(url);
    return { kind: 'refused', reason: 'address' } as never;
  };
  replace(webhookClient, () => ({ request }));
});

const ok = async (response: ReturnType<typeof call>) => {
  const { status, json } = await response;
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
};
const drop = (clientId: string, by = key) => call(deleteEnvironment, { key: by, path: { clientId } });
const ids = async () =>
  (await ok(call(listEnvironments, { key }))).environments.map(
    ({ clientId }: { clientId: string }) => clientId,
  );

/** An environment with a key of each type, and something of every kind that requests store. */
async function filled(more: object = {}) {
  const { clientId, ...rest } = await ok(call(createEnvironment, { key, body: { title: 'PR 7', ...more } }));
  const bound = async (keyType: string) =>
    (await ok(call(createKey, { key, body: { keyType, name: 'ci', environmentId: clientId } }))).key;
  const [secret, open] = [await bound('secret'), await bound('public')];
  const own = { key: secret };
  const type = { notificationId: 'news', title: 'News', channels: ['EMAIL', 'INAPP_WEB'] };
  await ok(call(createType, { ...own, body: type }));
  const path = { notificationId: 'news', channel: 'EMAIL' };
  const template = { templateId: 't', subject: 's', html: 'h' };
  await ok(call(createTemplate, { ...own, path, body: template }));
  const pushTokens = [{ type: 'FCM', token: `phone-${newId()}` }];
  await ok(
    call(saveUser, { ...own, path: { userId: 'ada' }, body: { email: 'ada@example.com', pushTokens } }),
  );
  await ok(call(addTopicUsers, { ...own, path: { topicId: 'team' }, body: { userIds: ['ada'] } }));
  const off = { notificationId: 'news', channel: 'EMAIL', delivery: 'off' };
  await ok(call(savePreferences, { ...own, path: { userId: 'bob' }, body: [off] }));
  const webhook = { webhook: `https://app.example.com/${clientId}`, events: ['EMAIL_DELIVERED'] };
  await ok(call(saveWebhook, { ...own, body: webhook }));
  const html = randomBytes(20_000).toString('hex');
  const sent = { type: 'news', to: { id: 'ada' }, inapp: { title: 'T' }, email: { subject: 'S', html } };
  await ok(call(send, { ...own, body: sent }));
  const schedule = new Date(app.clock.nowMs + HOUR_MS).toISOString();
  const { trackingId } = await ok(call(send, { ...own, body: { ...sent, schedule } }));
  return { clientId, secret, open, trackingId, ...rest };
}

async function isStored(text: string): Promise<boolean> {
  return (await everythingIn(app)).includes(text);
}

describe('DELETE of an environment', () => {
  it('revokes its keys at once and removes everything in it, and nothing else', async () => {
    const gone = await filled();
    const kept = await filled();
    await app.settle();
    expect(await isStored(gone.clientId)).toBe(true);
    expect(await ok(drop(gone.clientId))).toMatchObject({ clientId: gone.clientId });
    const mine = { type: 'news', to: { id: 'ada' } };
    for (const each of [gone.secret, gone.open])
      expect((await call(send, { key: each, body: mine })).status).toBe(401);
    expect(await ids()).not.toContain(gone.clientId);
    const bound = { keyType: 'secret', name: 'late', environmentId: gone.clientId };
    expect((await call(createKey, { key, body: bound })).status).toBe(400);
    const path = { clientId: gone.clientId };
    expect((await call(updateEnvironment, { key, path, body: { title: 'x' } })).status).toBe(400);
    const sent = app.outbox.length;
    await app.goTo(app.clock.nowMs + 2 * HOUR_MS);
    await app.settle();
    expect(await isStored(gone.clientId)).toBe(false);
    expect(await isStored(gone.trackingId)).toBe(false);
    expect([...app.blobs.keys()].some((name) => name.includes(gone.trackingId))).toBe(false);
    expect(
      app.outbox.slice(sent).filter(({ message }) => JSON.stringify(message).includes(gone.clientId)),
    ).toEqual([]);
    const keys = JSON.stringify(await ok(call(listKeys, { key })));
    expect(keys.includes(gone.clientId)).toBe(false);
    expect(await ids()).toContain(kept.clientId);
    expect((await call(send, { key: kept.secret, body: mine })).status).toBe(200);
    expect(await ids()).toContain(account.environment.environmentId);
    expect(app.errors).toEqual([]);
  });

  it('keeps the receipts of its erasures, which are evidence', async () => {
    const { clientId } = await ok(call(createEnvironment, { key, body: { title: 'Erased' } }));
    const times = { requestedAtMs: app.clock.nowMs, finishedAtMs: app.clock.nowMs };
    const receipt = { person: 'hash', environmentId: clientId, askedBy: 'key', erasedLogs: 1, ...times };
    await resolve(erasureReceipts).add(account.environment.accountId, receipt);
    await ok(drop(clientId));
    await app.goTo(app.clock.nowMs + HOUR_MS);
    await app.settle();
    expect(await ids()).not.toContain(clientId);
    const { erasures } = await ok(call(listErasures, { key }));
    expect(erasures).toMatchObject([{ environmentId: clientId, erasedLogs: 1 }]);
  });

  it('calls its webhook no more, not even for events that wait for the next attempt', async () => {
    const { clientId } = await filled();
    await app.settle();
    // The receipt comes a second later.
    await app.goTo(app.clock.nowMs + 1000);
    const calls = () => called.filter((url) => url.endsWith(clientId)).length;
    expect(calls()).toBeGreaterThan(0);
    await ok(drop(clientId));
    const before = calls();
    await app.goTo(app.clock.nowMs + HOUR_MS);
    expect(calls()).toBe(before);
    expect(app.errors).toEqual([]);
  });

  it('is the same when it is repeated, until nothing is left', async () => {
    const { clientId } = await ok(call(createEnvironment, { key, body: { title: 'Twice' } }));
    await ok(drop(clientId));
    await ok(drop(clientId));
    await app.goTo(app.clock.nowMs + HOUR_MS);
    await app.settle();
    expect(app.errors).toEqual([]);
    const { status, json } = await drop(clientId);
    expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
  });

  it.each([
    ['the default one', () => account.environment.environmentId, 'INVALID_REQUEST'],
    ['an unknown one', () => 'unknown', 'RESOURCE_NOT_FOUND'],
  ])('rejects %s', async (_, clientId, code) => {
    const { status, json } = await drop(clientId());
    expect([status, json.error.code]).toEqual([400, code]);
    expect(await ids()).toContain(account.environment.environmentId);
  });

  it("does not know another account's, and no key of an environment may call it", async () => {
    const { clientId, secret } = await filled();
    const other = await filled();
    expect((await drop(other.clientId, secret)).status).toBe(401);
    expect((await drop(clientId, secret)).status).toBe(401);
    expect(await ids()).toEqual(expect.arrayContaining([clientId, other.clientId]));
  });
});

describe('expiresAt of a new environment', () => {
  const later = (ms: number) => new Date(app.clock.nowMs + ms).toISOString();

  it('removes it when it has passed, and not before', async () => {
    const expiresAt = later(24 * HOUR_MS);
    const made = await filled({ expiresAt });
    expect(made.expiresAt).toBe(expiresAt);
    await app.goTo(app.clock.nowMs + 23 * HOUR_MS);
    expect(await ids()).toContain(made.clientId);
    await app.goTo(app.clock.nowMs + HOUR_MS + 60_000);
    expect(await ids()).not.toContain(made.clientId);
    expect((await call(send, { key: made.secret, body: { type: 'x', to: { id: 'a' } } })).status).toBe(401);
    await app.goTo(app.clock.nowMs + HOUR_MS);
    await app.settle();
    expect(await isStored(made.clientId)).toBe(false);
  });

  it.each([
    ['the past', () => later(-1000)],
    ['no time', () => 'tomorrow'],
    ['a day that does not exist', () => '2099-02-30T00:00:00Z'],
    ['a number', () => 1],
  ])('rejects %s', async (_, expiresAt) => {
    const before = await ids();
    const body = { title: 'PR', expiresAt: expiresAt() };
    const { status, json } = await call(createEnvironment, { key, body });
    expect([status, json.error.errors[0].path]).toEqual([400, 'expiresAt']);
    expect(await ids()).toEqual(before);
  });

  it('leaves nothing of a repeated creation, and reads no table for it', async () => {
    const headers = { 'idempotency-key': 'pr-7' };
    const body = { title: 'PR 7', expiresAt: later(24 * HOUR_MS) };
    const [first, second] = [
      await call(createEnvironment, { key, body, headers }),
      await call(createEnvironment, { key, body, headers }),
    ];
    expect(second.json).toEqual(first.json);
    const waiting = async () => (await everythingIn(app)).match(/ENVREMOVAL#/g)?.length ?? 0;
    const scan = vi.spyOn(resolve(environmentRemovals), 'removePages');
    await app.goTo(app.clock.nowMs + 25 * HOUR_MS);
    await app.goTo(app.clock.nowMs + HOUR_MS);
    await app.settle();
    expect(await waiting()).toBe(0);
    const scanned = new Set(scan.mock.calls.map(([{ environmentId }]) => environmentId));
    expect([...scanned]).toEqual([first.json.clientId]);
  });
});
