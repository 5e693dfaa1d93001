import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { createGateway } from '../../../../infra/local/gateway/gateway.ts';
import { createAdmission } from '../../../../infra/local/gateway/overload.ts';
import type { Answer } from '../../../../shared/http/answer.ts';
import type { Route } from '../../../../shared/http/route.ts';

const READ = { method: 'GET', resource: 'logs' } as const;
const SEND = { method: 'POST', resource: 'sending' } as const;
const isBusy = (admitted: object) => 'retryAfterSeconds' in admitted;

it('queues what it accepts, and rejects new notifications but no reads from 10,000 that wait', () => {
  let backlog = 9990;
  const admission = createAdmission(() => backlog);
  const admitted = Array.from({ length: 10 }, () => admission.admit(SEND));
  expect(admitted.some(isBusy)).toBe(false);
  expect([admission.admit(SEND), admission.admit(READ)].map(isBusy)).toEqual([true, false]);
  for (const { release } of admitted) release();
  expect(isBusy(admission.admit(SEND))).toBe(false);
  backlog = 10_000;
  expect([admission.admit(SEND), admission.admit(READ)].map(isBusy)).toEqual([true, false]);
});

it('rejects what it cannot hold with 429 and Retry-After, and accepts requests again afterwards', async () => {
  const finish = Promise.withResolvers<void>();
  const route: Route = {
    id: 'listThings',
    method: 'GET',
    path: '/things',
    resource: 'things',
    access: 'none',
    answer: { kind: 'json', body: v.unknown() },
    grants: {},
    summary: 'Things',
  };
  let started = 0;
  const handler = async (): Promise<Answer> => {
    started += 1;
    await finish.promise;
    return { statusCode: 200, headers: {}, body: '{}' };
  };
  const admission = createAdmission(() => 0);
  // Others have all places but a few.
  const others = Array.from({ length: 9900 }, () => admission.admit(READ));
  const server = createGateway({
    routes: [route],
    loadHandler: async () => handler,
    local: async () => undefined,
    nowMs: Date.now,
    admission,
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/things`;
  const requests = Array.from({ length: 200 }, () => fetch(url));
  const first = await Promise.race(requests);
  expect([first.status, Number(first.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await first.json()).toEqual({ message: 'Too Many Requests' });
  finish.resolve();
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(started);
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
  for (const { release } of others) release();
  expect(admission.running()).toBe(0);
  expect((await fetch(url)).status).toBe(200);
  server.close();
});

it("rejects changes with 503 and API Gateway's body while the disk is full", async () => {
  const route: Route = {
    id: 'addThing',
    method: 'POST',
    path: '/things',
    resource: 'things',
    access: 'none',
    answer: { kind: 'json', body: v.unknown() },
    grants: {},
    summary: 'Things',
  };
  const server = createGateway({
    routes: [route],
    loadHandler: async () => async () => ({ statusCode: 200, headers: {}, body: '{}' }),
    local: async () => undefined,
    nowMs: Date.now,
    admission: createAdmission(
      () => 0,
      () => true,
    ),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/things`;
  const response = await fetch(url, { method: 'POST', body: '{}' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await response.json()).toEqual({ message: 'Service Unavailable' });
  server.close();
  server.closeAllConnections();
});
