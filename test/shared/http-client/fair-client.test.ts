import { beforeEach, describe, expect, it } from 'vitest';
import { createFairClient } from '../../../shared/http-client/fair-client.ts';
import type { GuardedRequest, GuardedResponse } from '../../../shared/http-client/guarded-client.ts';

const OK: GuardedResponse = {
  kind: 'response',
  status: 200,
  headers: {},
  body: Buffer.alloc(0),
  truncated: false,
  durationMs: 1,
};
const TIMEOUT: GuardedResponse = { kind: 'timeout' };

let nowMs: number;
let asked: GuardedRequest[];
let response: (url: string) => GuardedResponse | Promise<GuardedResponse>;
beforeEach(() => {
  nowMs = 0;
  asked = [];
});

const fair = (atOnceMax?: number) =>
  createFairClient(
    {
      request: async (input) => {
        asked.push(input);
        return response(input.url);
      },
    },
    { ...(atOnceMax === undefined ? {} : { atOnceMax }), now: () => nowMs },
  );
const slow = { accountId: 'slow', url: 'https://slow.example/file' };

describe('an account whose hosts do not respond', () => {
  it('postpones a host after two failures in a row, longer each time, and then retries it', async () => {
    response = () => TIMEOUT;
    const client = fair();
    for (const expected of [15, 30, 60, 120, 240, 300, 300]) {
      while ((await client.request(slow)).kind !== 'waiting');
      const waiting = await client.request(slow);
      expect(waiting).toEqual({ kind: 'waiting', why: 'host', afterSeconds: expected });
      nowMs += expected * 1000;
    }
    expect(asked).toHaveLength(8);
    response = () => OK;
    expect(await client.request(slow)).toEqual(OK);
    response = () => TIMEOUT;
    expect(await client.request(slow)).toEqual(TIMEOUT);
  });

  it('delays neither other accounts with the same host nor its own responding hosts', async () => {
    response = (url) => (url.includes('good') ? OK : TIMEOUT);
    const client = fair();
    const good = { accountId: 'slow', url: 'https://good.example' };
    expect(await client.request(good)).toEqual(OK);
    for (let host = 0; host < 6; host += 1)
      await client.request({ ...slow, url: `https://h${host}.slow.example` });
    expect(await client.request({ ...slow, url: 'https://new.slow.example' })).toMatchObject({
      kind: 'waiting',
    });
    expect(await client.request(good)).toEqual(OK);
    expect(await client.request({ ...slow, accountId: 'other' })).toEqual(TIMEOUT);
  });

  it('makes a bounded number of requests for any number of messages and hosts', async () => {
    response = () => TIMEOUT;
    const client = fair();
    for (let index = 0; index < 6000; index += 1)
      await client.request({ ...slow, url: `https://h${index}.slow.example` });
    expect(asked).toHaveLength(5);
  });
});

it('resets the failures of an account after a minute, and not when its other hosts respond', async () => {
  response = (url) => (url.includes('good') ? OK : TIMEOUT);
  const client = fair();
  const fail = (host: number) => client.request({ ...slow, url: `https://h${host}.slow.example` });
  for (let host = 0; host < 4; host += 1) {
    await fail(host);
    await client.request({ ...slow, url: `https://good${host}.example` });
  }
  nowMs += 61_000;
  for (let host = 4; host < 9; host += 1) expect(await fail(host)).toEqual(TIMEOUT);
  expect(await fail(9)).toMatchObject({ kind: 'waiting', why: 'host' });
});

it('limits an account to its share of requests in progress', async () => {
  const { promise, resolve } = Promise.withResolvers<GuardedResponse>();
  response = () => promise;
  const client = fair(2);
  const started = [client.request(slow), client.request(slow)];
  expect(await client.request(slow)).toMatchObject({ kind: 'waiting', why: 'share' });
  const other = client.request({ ...slow, accountId: 'other' });
  resolve(OK);
  expect(await Promise.all([...started, other])).toEqual([OK, OK, OK]);
  expect(await client.request(slow)).toEqual(OK);
});

it('waits longer only for hosts that responded before', async () => {
  response = () => OK;
  const client = fair();
  await client.request(slow);
  await client.request(slow);
  response = () => TIMEOUT;
  await client.request(slow);
  await client.request(slow);
  expect(asked.map(({ patienceMs }) => patienceMs)).toEqual([3000, undefined, undefined, 3000]);
});
