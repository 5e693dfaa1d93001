import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { createGateway } from '../../../../infra/local/gateway/gateway.ts';
import { createAdmission } from '../../../../infra/local/gateway/overload.ts';
import type { ListedRoute } from '../../../../shared/http/rows/route.ts';

const READ = { method: 'GET' } as const;
const SEND = { method: 'POST' } as const;
const isBusy = (admitted: object) => 'retryAfterSeconds' in admitted;

it('queues whatever comes while there is memory', () => {
  const admission = createAdmission();
  const admitted = Array.from({ length: 20_000 }, () => admission.admit(SEND));
  expect(admitted.some(isBusy)).toBe(false);
});

it('lets the requests that wait run one after another, as places become free', async () => {
  const admission = createAdmission();
  let running = 0;
  let most = 0;
  const run = async () => {
    const admitted = admission.admit(SEND);
    if ('turn' in admitted) await admitted.turn;
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    admitted.release();
  };
  await Promise.all(Array.from({ length: 1000 }, run));
  expect([most, running]).toEqual([32, 0]);
});

it.each([true, false])(
  'rejects changes and no reads while the memory is nearly exhausted: %s',
  (isExhausted) => {
    const admission = createAdmission({ isExhausted: () => isExhausted });
    expect([admission.admit(SEND), admission.admit(READ)].map(isBusy)).toEqual([isExhausted, false]);
  },
);

it.each([
  [429, '2', 'Too Many Requests', createAdmission({ isExhausted: () => true })],
  [503, '10', 'Service Unavailable', createAdmission({ isFull: () => true })],
])("rejects a change with %s and API Gateway's body", async (status, retryAfter, message, admission) => {
  const route: ListedRoute = {
    id: 'addThing',
    method: 'POST',
    path: '/things',
    resource: 'things',
    access: 'none',
    response: { kind: 'json', body: v.unknown() },
    grants: {},
    summary: 'Things',
  };
  const server = createGateway({
    routes: [route],
    loadHandler: async () => async () => ({ statusCode: 200, headers: {}, body: '{}' }),
    local: async () => undefined,
    nowMs: Date.now,
    admission,
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/things`;
  const response = await fetch(url, { method: 'POST', body: '{}' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
  expect(await response.json()).toEqual({ message });
  server.close();
  server.closeAllConnections();
});
