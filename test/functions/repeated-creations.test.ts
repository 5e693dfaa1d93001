import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as createAddress } from '../../functions/addresses/create-address.ts';
import { handler as createComponent } from '../../functions/components/create-component.ts';
import { handler as createEnvironment } from '../../functions/environments/create-environment.ts';
import { handler as listEnvironments } from '../../functions/environments/list-environments.ts';
import { handler as updateEnvironment } from '../../functions/environments/update-environment.ts';
import { handler as listInapp } from '../../functions/inapp/list-inapp.ts';
import { handler as createKey } from '../../functions/keys/create-api-key.ts';
import { ROUTES } from '../../functions/routes.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as sendBulk } from '../../functions/sending/send-bulk.ts';
import { handler as createTemplate } from '../../functions/templates/create-template.ts';
import { handler as createType } from '../../functions/types/create-type.ts';
import { handler as getWebhook } from '../../functions/webhooks/get-event-webhook.ts';
import { handler as saveWebhook } from '../../functions/webhooks/save-event-webhook.ts';
import { webhooks } from '../../shared/database/entities/webhooks/webhooks.ts';
import { webhookKey } from '../../shared/database/keys/environment.ts';
import { userHashOf } from '../../shared/http/access/user-hash.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount, type TestRequest } from '../support/app.ts';
import { useApp } from '../support/use-app.ts';

const app = useApp();
beforeAll(() => {
  vi.stubEnv('MAIL_DOMAIN', 'mail.example.com');
  return () => vi.unstubAllEnvs();
});

const countItems = async () =>
  (await app.documents.send(new ScanCommand({ TableName: app.tableName, Select: 'COUNT' }))).Count;

type Handler = typeof createKey;
type Case = { handler: Handler; body: object; path?: (account: TestAccount) => Record<string, string> };

const WEBHOOK = { webhook: 'https://hook.example.com/', events: ['EMAIL_OPEN'], rotateSecret: true };
const ofType = () => ({ notificationId: 'welcome', channel: 'EMAIL' });

/** One request of each operation that takes an idempotency key and is no send; the table of routes decides which. */
const CASES: Record<string, Case> = {
  createAddress: { handler: createAddress, body: { prefix: 'team' } },
  createApiKey: { handler: createKey, body: { keyType: 'secret', name: 'server' } },
  createComponent: { handler: createComponent, body: { name: 'Footer', html: '<p>Bye</p>' } },
  createEnvironment: { handler: createEnvironment, body: { title: 'Staging' } },
  createTemplate: { handler: createTemplate, path: ofType, body: { subject: 'Hi', html: '<p>Hi</p>' } },
  createType: { handler: createType, body: { notificationId: 'news', title: 'News', channels: ['EMAIL'] } },
  saveEventWebhook: { handler: saveWebhook, body: WEBHOOK },
  updateEnvironment: {
    handler: updateEnvironment,
    path: ({ environment }) => ({ clientId: environment.environmentId }),
    body: { resetSecret: true },
  },
};

let count = 0;

async function world(operation: string) {
  const account = await createTestAccount(app);
  const { handler, path, ...of } = CASES[operation] ?? { handler: createKey, body: {} };
  count += 1;
  // Prefixes of addresses are unique in the deployment.
  const body = 'prefix' in of.body ? { prefix: `team-${count}` } : of.body;
  const key = account.secret.key;
  await call(createType, { key, body: { notificationId: 'welcome', title: 'Welcome', channels: ['EMAIL'] } });
  const webhook = { webhook: WEBHOOK.webhook, events: WEBHOOK.events };
  if (operation === 'saveEventWebhook') await call(saveWebhook, { key, body: webhook });
  const request = { key, body, ...(path && { path: path(account) }) };
  const ask = (idempotencyKey: string, changes: Partial<TestRequest> = {}) =>
    call(handler, { ...request, headers: { 'idempotency-key': idempotencyKey }, ...changes });
  return { account, ask, body };
}

describe.each(Object.keys(CASES))('%s under an idempotency key', (operation) => {
  it('has its effect once, and says that a repetition is one', async () => {
    const { ask } = await world(operation);
    const first = await ask('k1');
    const before = await countItems();
    const again = await ask('k1');
    expect([first.status, again.status, again.json]).toEqual([200, 200, first.json]);
    expect(first.response.headers['idempotent-replayed']).toBeUndefined();
    expect(again.response.headers['idempotent-replayed']).toBe('true');
    expect(await countItems()).toBe(before);
  });

  it('has it once for two requests at the same time', async () => {
    const { ask } = await world(operation);
    const [left, right] = await Promise.all([ask('k1'), ask('k1')]);
    expect([left.status, right.status, left.json]).toEqual([200, 200, right.json]);
  });

  it('is another request under another key', async () => {
    const { ask } = await world(operation);
    const first = await ask('k1');
    const other = await ask('k2');
    expect(other.response.headers['idempotent-replayed']).toBeUndefined();
    if (other.status === 200) expect(other.json).not.toEqual(first.json);
    else expect(other.json.error.code).toBe('DUPLICATE_RESOURCE');
  });
});

it.each(['createApiKey', 'createEnvironment'])('%s rejects the key of another request', async (operation) => {
  const { ask, body } = await world(operation);
  await ask('k1');
  const renamed = Object.fromEntries(Object.keys(body).map((name) => [name, 'other']));
  const other = await ask('k1', {
    body: { ...body, ...renamed, ...('keyType' in body && { keyType: 'public' }) },
  });
  expect([other.status, other.json.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED']);
});

it("another account's key of the same text is another request", async () => {
  const [left, right] = [await world('createApiKey'), await world('createApiKey')];
  const [first, second] = [await left.ask('k1'), await right.ask('k1')];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.json.id).not.toBe(second.json.id);
});

it('covers every operation that takes a key', () => {
  const taking = ROUTES.filter(({ idempotent, resource }) => idempotent && resource !== 'sending');
  // Calls of webhooks have their own test, beside their history.
  const tested = [...Object.keys(CASES), 'resendWebhookCall'];
  expect(taking.map(({ id }) => id).sort()).toEqual(tested.sort());
});

it('every former secret of a day signs, and none after it', async () => {
  const { account, ask } = await world('saveEventWebhook');
  const { key } = account.secret;
  for (const idempotencyKey of ['k1', 'k2', 'k3']) await ask(idempotencyKey);
  // An earlier request that arrives again rotates nothing.
  const late = await ask('k1');
  expect(late.json.secret).toBe((await call(getWebhook, { key })).json.secret);
  expect((await call(getWebhook, { key })).json.formerSecretUntil).toBe(
    new Date(app.clock.nowMs + 86_400_000).toISOString(),
  );
  app.clock.nowMs += 86_400_000;
  expect((await call(getWebhook, { key })).json.formerSecretUntil).toBeUndefined();
});

it('a webhook that is created with rotateSecret keeps its secret when the request is repeated', async () => {
  const { key } = (await createTestAccount(app)).secret;
  const ask = () => call(saveWebhook, { key, body: WEBHOOK, headers: { 'idempotency-key': 'first' } });
  const { secret } = (await ask()).json;
  expect((await ask()).json.secret).toBe(secret);
});

it('the one former secret that an earlier release stored still signs', async () => {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  await call(saveWebhook, { key, body: WEBHOOK });
  const at = webhookKey(account.environment.environmentId);
  const item = (await app.database.get(at)) ?? {};
  const formerUntilMs = app.clock.nowMs + 60_000;
  await app.database.put({ ...item, formerSealed: item.sealed, formerUntilMs });
  const found = await resolve(webhooks).find({ ...account.account, ...account.environment });
  expect([found?.formerSecrets, found?.formerUntilMs]).toEqual([[found?.secret], formerUntilMs]);
  await call(saveWebhook, { key, body: WEBHOOK });
  expect(
    (await resolve(webhooks).find({ ...account.account, ...account.environment }))?.formerSecrets,
  ).toEqual([found?.secret, found?.secret]);
});

it('hashes made with a client secret are accepted for a day after it was reset', async () => {
  const account = await createTestAccount(app);
  const { environmentId: clientId } = account.environment;
  const secretOf = async () =>
    (await call(listEnvironments, { key: account.secret.key })).json.environments[0].clientSecret;
  const secrets = [await secretOf()];
  for (const body of [{ secureMode: true, resetSecret: true }, { resetSecret: true }]) {
    await call(updateEnvironment, { key: account.secret.key, path: { clientId }, body });
    secrets.push(await secretOf());
  }
  expect(new Set(secrets).size).toBe(3);
  const statuses = () =>
    Promise.all(
      [...secrets, 'guess'].map(async (secret) => {
        const headers = { 'x-user-id': 'ada', 'x-user-hash': userHashOf(secret, 'ada') };
        return (await call(listInapp, { key: account.public.key, headers })).status;
      }),
    );
  expect(await statuses()).toEqual([200, 200, 200, 401]);
  app.clock.nowMs += 86_400_000;
  expect(await statuses()).toEqual([401, 401, 200, 401]);
});

it.each([
  ['POST /send', send, (to: object) => ({ type: 'hi', to, inapp: { title: 'Hi' } })],
  [
    'POST /send/bulk',
    sendBulk,
    (to: object) => ({ notifications: [{ type: 'hi', to, inapp: { title: 'Hi' } }] }),
  ],
])('%s says that a repetition is one', async (_what, handler, bodyOf) => {
  const { key } = (await createTestAccount(app)).secret;
  const ask = (idempotencyKey: string) =>
    call(handler, { key, body: bodyOf({ id: 'ada' }), headers: { 'idempotency-key': idempotencyKey } });
  const marks = [];
  for (const each of ['k1', 'k1', 'k2'])
    marks.push((await ask(each)).response.headers['idempotent-replayed']);
  expect(marks).toEqual([undefined, 'true', undefined]);
  const dry = { key, body: bodyOf({ id: 'ada' }), query: { dryRun: 'true' } };
  expect((await call(handler, dry)).response.headers['idempotent-replayed']).toBeUndefined();
});
