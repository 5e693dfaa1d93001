import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handler as getStatus } from '../../../../functions/health/get-status.ts';
import { handler as getLogRetention } from '../../../../functions/logs/get-log-retention.ts';
import { handler as sendBulk } from '../../../../functions/sending/send-bulk.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { createKeyVerifier, keyVerifier } from '../../../../shared/database/entities/access/key-verifier.ts';
import { createRequestCounts } from '../../../../shared/database/entities/access/request-counts.ts';
import { rateLimit } from '../../../../shared/http/access/rate-limit.ts';
import { createRateLimiter, WINDOW_MS } from '../../../../shared/http/access/rate-limiter.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount, type TestApp } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();
let account: TestAccount;
let calls: { reads: number; counts: number };

beforeEach(async () => {
  account = await createTestAccount(app);
  app.clock.nowMs = Math.ceil(app.clock.nowMs / WINDOW_MS) * WINDOW_MS;
  calls = { reads: 0, counts: 0 };
  replace(keyVerifier, () => createKeyVerifier(counting(app.database), Math.random));
});

afterEach(() => limitTo({}));

function counting(real: TestApp['database']): TestApp['database'] {
  return {
    ...real,
    get: (...given) => {
      calls.reads += 1;
      return real.get(...given);
    },
    update: (key, ...given) => {
      if (key.pk.startsWith('RATE#')) calls.counts += 1;
      return real.update(key, ...given);
    },
  };
}

/** Starts an instance with these rates. */
function limitTo({ credential = 1000, account = 2000 }: { credential?: number; account?: number }): void {
  replace(rateLimit, () => ({
    limiter: createRateLimiter(createRequestCounts(counting(app.database))),
    credentialPerSecond: credential,
    accountPerSecond: account,
  }));
}

const ask = (key = account.secret.key) => call(getLogRetention, { key });

async function statusesOf(requests: number, key?: string): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let index = 0; index < requests; index += 1) {
    const { status } = await ask(key);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

it('counts the notifications of a bulk request, one write for a hundred', async () => {
  limitTo({ credential: 20, account: 0 });
  const { key } = account.secret;
  const to = { id: 'ada' };
  const notifications = Array.from({ length: 100 }, () => ({ type: 't', to, forceChannels: ['INAPP_WEB'] }));
  const bulk = (query = {}) => call(sendBulk, { key, body: { notifications }, query });
  expect((await bulk({ dryRun: 'true' })).status).toBe(200);
  const statuses = [await bulk(), await bulk(), await bulk(), await ask()].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  app.clock.nowMs += WINDOW_MS;
  expect((await bulk()).status).toBe(200);
});

describe('a rate limit', () => {
  it('returns 429 with the standard body and the seconds to wait', async () => {
    limitTo({ credential: 1 });
    app.clock.nowMs += 2500;
    expect(await statusesOf(10)).toEqual({ 200: 10 });
    const { status, json, response } = await ask();
    const { headers } = response;
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('8');
    expect(json).toEqual({
      trackingId: headers['x-request-id'],
      error: {
        code: 'RATE_LIMITED',
        message: 'The credential has made too many requests.',
        fix: expect.stringContaining('retry-after'),
        docs: '/guide/errors#rate_limited',
      },
    });
  });

  it('ends with its window', async () => {
    limitTo({ credential: 1 });
    await statusesOf(11);
    app.clock.nowMs += WINDOW_MS;
    expect(await statusesOf(11)).toEqual({ 200: 10, 429: 1 });
  });

  it('counts over all instances', async () => {
    limitTo({ credential: 1 });
    await statusesOf(6);
    limitTo({ credential: 1 });
    expect(await statusesOf(6)).toEqual({ 200: 4, 429: 2 });
  });

  it('does not affect other credentials; that of an account stops all of them', async () => {
    limitTo({ credential: 1 });
    await statusesOf(11);
    const other = () => call(getUser, { key: account.public.key, path: { userId: 'ada' } });
    expect((await other()).status).not.toBe(429);
    limitTo({ account: 1 });
    await statusesOf(11);
    const { status, json, response } = await other();
    expect([status, json.error.message]).toEqual([429, 'The account has made too many requests.']);
    expect(response.headers['access-control-expose-headers']).toContain('retry-after');
    const stranger = await createTestAccount(app);
    expect((await ask(stranger.secret.key)).status).toBe(200);
  });

  it('costs no read and no write once this instance has seen it reached', async () => {
    limitTo({ credential: 1 });
    await statusesOf(11);
    calls = { reads: 0, counts: 0 };
    expect(await statusesOf(20)).toEqual({ 429: 20 });
    expect(calls).toEqual({ reads: 0, counts: 0 });
  });

  it('costs nothing for callers with few requests, and one write per hundred requests for others', async () => {
    limitTo({ account: 0 });
    await statusesOf(20);
    expect(calls.counts).toBe(0);
    await statusesOf(100);
    expect(calls.counts).toBe(1);
  });

  it('ends with 0, which means no limit', async () => {
    limitTo({ credential: 0, account: 0 });
    expect(await statusesOf(120)).toEqual({ 200: 120 });
    expect(calls.counts).toBe(0);
  });

  it('admits exactly its number of concurrent requests', async () => {
    limitTo({ credential: 2 });
    const all = await Promise.all(Array.from({ length: 30 }, () => ask()));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(20);
  });

  it('accepts requests when the table cannot count them', async () => {
    const limiter = createRateLimiter({ reserve: () => Promise.reject(new Error('throttled')) });
    expect(await limiter.take({ name: 'a', perSecond: 1 }, 0)).toBeUndefined();
  });

  it('does not count requests with the ID of a key but a wrong secret', async () => {
    limitTo({ credential: 1 });
    const wrong = `${account.secret.key.slice(0, -4)}0000`;
    expect(await statusesOf(20, wrong)).toEqual({ 401: 20 });
    expect((await ask()).status).toBe(200);
  });
});

describe('a malformed credential', () => {
  it.each([
    'nds_sk_short',
    `nds_sk_${'a'.repeat(41)}_${'b'.repeat(20)}_${'c'.repeat(32)}`,
    `nds_xx_${'a'.repeat(20)}_${'b'.repeat(20)}_${'c'.repeat(32)}`,
    `nds_sk_${'a'.repeat(20)}_${'b'.repeat(20)}_${'c'.repeat(3000)}`,
    'not-a-token',
    'one.two',
  ])('fails without a read: %s', async (key) => {
    const { status, json } = await ask(key);
    expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(calls.reads).toBe(0);
  });
});

describe('GET /status', () => {
  it('counts no limit per caller', async () => {
    limitTo({ credential: 1, account: 1 });
    for (let index = 0; index < 15; index += 1) expect((await call(getStatus, {})).status).toBe(200);
  });
});
