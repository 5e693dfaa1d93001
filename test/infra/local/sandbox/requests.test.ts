import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { loadRoute } from '../../../../infra/local/functions/load.ts';
import { createGateway } from '../../../../infra/local/gateway/gateway.ts';
import { guarded } from '../../../../infra/local/gateway/local-access.ts';
import { createRequestLog } from '../../../../infra/local/sandbox/requests.ts';
import { createSandboxRoutes } from '../../../../infra/local/sandbox/sandbox-routes.ts';
import { STUDIO_AGENT } from '../../../../studio/server/studio.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';

const account = useAccount(useApp());
const heard: number[] = [];
const log = createRequestLog(Date.now, (id) => heard.push(id));
let baseUrl = '';
const server = createGateway({
  routes: ROUTES,
  loadHandler: loadRoute,
  onResponse: log.note,
  nowMs: Date.now,
  local: guarded(
    { token: undefined },
    createSandboxRoutes({
      requests: log,
      machine: {} as never,
      stream: {} as never,
      facts: () =>
        ({ localUrl: baseUrl, secretKey: account.secret.key, publicKey: account.public.key }) as never,
    }),
  ),
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

type Any = ReturnType<typeof JSON.parse>;
const call = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${account.secret.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
const listed = async (): Promise<Any[]> =>
  ((await (await call('GET', '/_sandbox/requests')).json()) as Any).requests;
const newest = async (): Promise<Any> => {
  const [{ id }] = await listed();
  return (await call('GET', `/_sandbox/requests/${id}`)).json();
};

describe('the log of requests', () => {
  it('has a request that got 400 with its fields, ID, duration and body', async () => {
    const response = await call('POST', '/send', '{"type": "order", "to": {}, "emial": {}}');
    const { error, trackingId } = (await response.json()) as Any;
    const logged = await newest();
    expect(logged).toMatchObject({
      method: 'POST',
      path: '/send',
      status: 400,
      requestId: trackingId,
      error: { code: 'INVALID_REQUEST', errors: error.errors },
      body: '{"type": "order", "to": {}, "emial": {}}',
      key: { type: 'secret' },
    });
    expect(logged.error.errors.length).toBeGreaterThan(0);
    expect(logged.durationMs).toBeGreaterThanOrEqual(0);
    expect(heard.at(-1)).toBe(logged.id);
  });

  it('names the notification of an accepted request, and requests that no endpoint answered', async () => {
    const body = JSON.stringify({ type: 'order', to: { id: 'ada', email: 'ada@example.com' } });
    const { trackingId } = (await (await call('POST', '/send', body)).json()) as Any;
    expect(await newest()).toMatchObject({ status: 200, trackingId, operation: 'send' });
    await call('POST', '/sent', '{}');
    expect(await newest()).toMatchObject({ path: '/sent', status: 404 });
    await call('PUT', '/send', '{}');
    expect(await newest()).toMatchObject({ method: 'PUT', path: '/send', status: 405 });
  });

  it('omits what the studio reads, and has what it changes', async () => {
    const studio = { 'user-agent': STUDIO_AGENT };
    const [before] = await listed();
    await call('GET', '/logs', undefined, studio);
    await call('POST', '/send?dryRun=true', '{}', studio);
    expect((await listed())[0]).toEqual(before);
    await call('POST', '/send', '{}', studio);
    expect((await listed())[0]).toMatchObject({ path: '/send', status: 400 });
    await call('GET', '/logs');
    expect((await listed())[0]).toMatchObject({ method: 'GET', path: '/logs' });
  });

  it.each([
    ['a key in the body', 'POST', '/send', (key: string) => `{"type": "${key}"}`],
    ['a key in a body that is not JSON', 'POST', '/send', (key: string) => `{"type": ${key}`],
    ['a key in the query', 'GET', '/logs?userId=', (key: string) => key],
    ['a credential', 'POST', '/send', (key: string) => `{"to": {"chatToken": {"access_token": "${key}"}}}`],
    ['a credential in a broken body', 'POST', '/users/ada', (key: string) => `{"pushTokens": ["${key}`],
    [
      'an escaped name',
      'POST',
      '/users/ada',
      (key: string) =>
        `{"access_t\\u006fken": "${key.slice(-20)}", "x": "${key.slice(-20)}"}`.replace(/, "x.*/, '}'),
    ],
  ])('never keeps %s readable, and cannot send it again', async (_, method, path, textOf) => {
    const secret = account.secret.key.slice(-20);
    const text = textOf(account.secret.key);
    await (method === 'GET' ? call('GET', `${path}${text}`) : call(method, path, text));
    const logged = await newest();
    expect(JSON.stringify(logged)).not.toContain(secret);
    expect(JSON.stringify(await listed())).not.toContain(secret);
    expect(logged.isPartial).toBe(true);
    const again = await call('POST', `/_sandbox/requests/${logged.id}/again`, '{}');
    expect([again.status, ((await again.json()) as Any).error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('sends a request again, which is a request of its own', async () => {
    const body = JSON.stringify({ type: 'order', to: { id: 'bob', email: 'bob@example.com' } });
    const first = (await (await call('POST', '/send', body)).json()) as Any;
    const logged = await newest();
    const again = await call('POST', `/_sandbox/requests/${logged.id}/again`, '{}');
    expect(await again.json()).toEqual({ status: 200 });
    const second = await newest();
    expect(second).toMatchObject({ path: '/send', status: 200, body });
    expect(second.trackingId).not.toBe(first.trackingId);
    const none = await call('POST', '/_sandbox/requests/999999/again', '{}');
    expect(none.status).toBe(400);
  });

  it('keeps the newest 500', async () => {
    for (let index = 0; index < 510; index += 1) await call('GET', '/status');
    const all = await listed();
    expect(all).toHaveLength(500);
    expect(all[0].id - all[499].id).toBe(499);
  });
});
