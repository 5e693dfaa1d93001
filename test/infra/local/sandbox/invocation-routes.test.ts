import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createInvocationRoutes } from '../../../../infra/local/sandbox/invocation-routes.ts';
import type { HttpResponse } from '../../../../shared/http/endpoint/response.ts';

const events: unknown[] = [];
const response: HttpResponse = { statusCode: 204, headers: {}, body: '' };
const routes = createInvocationRoutes(async ({ id }) => async (event) => {
  events.push([id, event]);
  if (id === 'listUsers') throw new TypeError('no table');
  return response;
});
const invoke = (name: string, body: string, method = 'POST') =>
  routes({ method, path: `/2015-03-31/functions/${name}/invocations`, body: Buffer.from(body) });

// The worker opens the table before it reads its event, but asks it nothing here.
beforeAll(() => void vi.stubEnv('TABLE_NAME', 'unused'));
afterAll(() => void vi.unstubAllEnvs());

describe('direct invocation in the local run', () => {
  it('passes the event to an endpoint unchanged and returns its result', async () => {
    const event = { headers: { authorization: 'Bearer k' }, body: { a: 1 } };
    const given = await invoke('send', JSON.stringify(event));
    expect(events.splice(0)).toEqual([['send', event]]);
    expect([given?.statusCode, JSON.parse(given?.body ?? '')]).toEqual([200, response]);
  });

  it('runs a worker by its name', async () => {
    const given = await invoke('administer-accounts', '{"action":"explode"}');
    expect(JSON.parse(given?.body ?? '').error.code).toBe('INVALID_REQUEST');
  });

  it('accepts an invocation without an event', async () => {
    await invoke('get-status', '');
    expect(events.splice(0)).toEqual([['getStatus', {}]]);
  });

  it('returns an error of the function as Lambda does', async () => {
    const given = await invoke('list-users', '{}');
    expect([given?.statusCode, given?.headers['x-amz-function-error']]).toEqual([200, 'Unhandled']);
    expect(JSON.parse(given?.body ?? '')).toEqual({ errorType: 'TypeError', errorMessage: 'no table' });
  });

  it.each([
    ['nothing', '{}', 404, 'ResourceNotFoundException'],
    ['send', '{', 400, 'InvalidRequestContentException'],
  ])('rejects function %s with event %s as Lambda does', async (name, body, status, code) => {
    const given = await invoke(name, body);
    expect([given?.statusCode, given?.headers['x-amzn-errortype']]).toEqual([status, code]);
  });

  it('passes every other request to the gateway', async () => {
    expect(await invoke('send', '{}', 'GET')).toBeUndefined();
    expect(await routes({ method: 'POST', path: '/send', body: Buffer.from('{}') })).toBeUndefined();
  });
});
