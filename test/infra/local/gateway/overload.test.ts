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

it('rejects new notifications, and no reads, while many are waiting', () => {
  let load = { backlog: 0, lagMs: 0 };
  const admission = createAdmission(() => load);
  expect(isBusy(admission.admit(SEND))).toBe(false);
  for (const heavy of [
    { backlog: 10_000, lagMs: 0 },
    { backlog: 0, lagMs: 5000 },
  ]) {
    load = heavy;
    expect(isBusy(admission.admit(SEND))).toBe(true);
    expect(isBusy(admission.admit(READ))).toBe(false);
  }
});

it('rejects requests over the concurrency limit with 429 and Retry-After, and accepts requests again afterwards', async () => {
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
  const admission = createAdmission(() => ({ backlog: 0, lagMs: 0 }));
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
  expect(admission.running()).toBe(0);
  expect((await fetch(url)).status).toBe(200);
  server.close();
});
