import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as saveConsent } from '../../../functions/preferences/save-consent.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createExport } from '../../../functions/users/create-export.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as downloadExport } from '../../../functions/users/download-export.ts';
import { handler as getExport } from '../../../functions/users/get-export.ts';
import { handler as listErasures } from '../../../functions/users/list-erasures.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as saveWebhook } from '../../../functions/webhooks/save-event-webhook.ts';
import { webhookClient } from '../../../shared/providers/clients/webhook-client.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { call, httpEvent } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
const EMAIL = 'ada@export.example';
let key: string;
let otherKey: string;
let other: string;
let calls: Record<string, unknown>[];
beforeAll(() => {
  const request = async ({ body = '' }: { body?: string }) => {
    calls.push(JSON.parse(body));
    return { kind: 'response', status: 200, headers: {}, body: new Uint8Array() };
  };
  replace(webhookClient, () => ({ request }) as never);
});
beforeEach(async () => {
  calls = [];
  process.env.PUBLIC_BASE_URL = 'https://api.example.com';
  key = account.secret.key;
  other = (await call(createEnvironment, { key, body: { title: 'other' } })).json.clientId;
  otherKey = (await call(createKey, { key, body: { keyType: 'secret', name: 'o', environmentId: other } }))
    .json.key;
});

const path = (userId: string) => ({ userId });
const eventsOf = (eventType: string) => calls.filter((each) => each.eventType === eventType);
const start = (userId: string, as = key) => call(createExport, { key: as, path: path(userId) });
const stateOf = (userId: string) => call(getExport, { key, path: path(userId) });
const sendTo = (to: object, as = key) =>
  call(send, {
    key: as,
    body: { type: 't', to, email: { subject: 'Hi', html: 'h' }, parameters: { code: 'P-1' } },
  });

type Line = Record<string, unknown>;
const fetchUrl = async (url: string, query = {}) => {
  const response = await downloadExport(
    httpEvent({ path: { token: url.split('/').at(-1) ?? '' }, query }) as never,
  );
  return { status: response.statusCode, response };
};
async function linesOf(url: string): Promise<Line[]> {
  const { response } = await fetchUrl(url);
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
  return Buffer.from(response.body, 'base64')
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

async function createAda() {
  await call(saveUser, { key, path: path('ada'), body: { email: EMAIL, attributes: { plan: 'pro' } } });
  await call(saveConsent, {
    key,
    path: path('ada'),
    body: { purpose: 'marketing', channel: 'EMAIL', state: 'given', source: 'form' },
  });
  await sendTo({ id: 'ada' });
  await sendTo({ id: 'bob', email: 'bob@export.example' });
  await app.settle();
}

describe('POST /users/{userId}/export', () => {
  it('writes one file with what an erasure would reach, and nothing of others', async () => {
    await createAda();
    const { status, json } = await start('ada');
    expect([status, json.state]).toEqual([200, 'ready']);
    expect(json.url).not.toContain('ada');
    const lines = await linesOf(json.url);
    const kinds = new Set(lines.map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['address', 'profile', 'consent', 'notification']));
    expect(lines.find(({ kind }) => kind === 'profile')).toMatchObject({ userId: 'ada', email: EMAIL });
    const text = JSON.stringify(lines);
    expect(text).toContain('P-1');
    expect(text).not.toMatch(/bob|sealed|SUPPRESSION#|USER#/);
    expect((await stateOf('ada')).json).toEqual(json);
  });

  it('finds by address the users of every environment that the key reaches, and strangers', async () => {
    await createAda();
    await sendTo({ id: 'ada2', email: EMAIL }, otherKey);
    await sendTo({ email: EMAIL });
    await app.settle();
    const of = async (as: string) => {
      const lines = await linesOf((await start(EMAIL.toUpperCase(), as)).json.url);
      return new Set(lines.filter(({ kind }) => kind === 'notification').map(({ user_id }) => user_id));
    };
    expect(await of(key)).toEqual(new Set(['ada', 'ada2', EMAIL]));
    expect(await of(otherKey)).toEqual(new Set(['ada2']));
  });

  it('reports its end to the webhook once, without the link', async () => {
    await call(saveWebhook, {
      key,
      body: { webhook: 'https://hooks.example.com/', events: ['USER_EXPORTED', 'USER_ERASED'] },
    });
    await createAda();
    const { json } = await start('ada');
    await app.settle();
    expect(eventsOf('USER_EXPORTED')).toMatchObject([{ userId: 'ada', expiresAt: json.expiresAt }]);
    expect(JSON.stringify(calls)).not.toContain(json.url);
  });

  it('ends after seven days: the link, the state and the file', async () => {
    await createAda();
    const { json } = await start('ada');
    app.clock.nowMs += 7 * 86_400_000 - 1000;
    expect((await fetchUrl(json.url)).status).toBe(200);
    app.clock.nowMs += 2000;
    expect((await fetchUrl(json.url)).status).toBe(400);
    expect((await stateOf('ada')).status).toBe(400);
  });

  it('is deleted with the user, and replaced by a later one, whose link is another', async () => {
    await createAda();
    const first = (await start('ada')).json;
    app.clock.nowMs += 1000;
    const second = (await start('ada')).json;
    expect((await fetchUrl(first.url)).status).toBe(400);
    const byAddress = (await start(EMAIL)).json;
    await call(deleteUser, { key, path: path('ada') });
    for (const { url } of [second, byAddress]) expect((await fetchUrl(url)).status).toBe(400);
    for (let time = 0; time < 3; time += 1) await app.goTo(app.clock.nowMs + 150_000);
    const folder = `exports/${account.account.accountId}/`;
    expect([...app.blobs.keys()].filter((name) => name.startsWith(folder))).toEqual([]);
  });

  it('is one line for a person of whom nothing is stored', async () => {
    const { json } = await start('nobody@export.example');
    expect((await linesOf(json.url)).map(({ kind }) => kind)).toEqual(['address']);
    expect((await start('')).status).toBe(400);
  });

  it.each(['x', 'WyJhIiwiYiIsImMiLDk5OTk5OTk5OTk5OTk5XQ.x', ''])(
    'has no file for the token %j',
    async (token) => {
      expect((await call(downloadExport, { path: { token } })).status).toBe(400);
    },
  );
});

it('reports the end of an erasure to the webhook, with the hash of the receipt', async () => {
  await call(saveWebhook, { key, body: { webhook: 'https://hooks.example.com/', events: ['USER_ERASED'] } });
  await createAda();
  await call(savePreferences, { key, path: path('ada'), body: [] });
  await call(deleteUser, { key, path: path('ada') });
  for (let time = 0; time < 3; time += 1) await app.goTo(app.clock.nowMs + 150_000);
  const { erasures } = (await call(listErasures, { key })).json;
  expect(eventsOf('USER_ERASED')).toMatchObject([
    { userId: 'ada', erasedLogs: 1, person: erasures[0].person, finishedAt: erasures[0].finishedAt },
  ]);
});
