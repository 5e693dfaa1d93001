import { describe, expect, it } from 'vitest';
import { handler as getUsage } from '../../../functions/organization/get-usage.ts';
import { handler as getHistory } from '../../../functions/organization/get-usage-history.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { countUsage } from '../../support/usage.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const ZEROS = { EMAIL: 0, INAPP_WEB: 0, SMS: 0, CALL: 0, PUSH: 0, WEB_PUSH: 0, CHAT: 0 };
const history = (key: string, startDate: string, endDate: string) =>
  call(getHistory, { key, query: { startDate, endDate } });

describe('GET /organization/usage', () => {
  it('returns zeros with the caps of the free plan for a new account', async () => {
    const period = { startDate: '2026-11-21', endDate: '2026-12-21', counts: ZEROS, costUsd: 0 };
    const { status, json } = await call(getUsage, { key: account.secret.key });
    expect(status).toBe(200);
    expect(json).toEqual({
      yearMonth: '2026-11',
      counts: ZEROS,
      costUsd: 0,
      billingPeriod: period,
      caps: { messagesCap: 10_000_000, costCap: 1000, allowOverage: false },
    });
  });

  it('counts the calendar month and the billing period separately', async () => {
    await countUsage(account.account.accountId, 'EMAIL', 5, '2026-11-20T23:00:00Z');
    await countUsage(account.account.accountId, 'SMS', 2, '2026-11-21T01:00:00Z', 0.25);
    const { json } = await call(getUsage, { key: account.secret.key });
    expect(json.counts).toEqual({ ...ZEROS, EMAIL: 5, SMS: 2 });
    expect(json.billingPeriod).toMatchObject({ counts: { ...ZEROS, SMS: 2 }, costUsd: 0.25 });
  });
});

describe('GET /organization/usage/history', () => {
  it('returns one item per month of the range with its days, zero where nothing was sent', async () => {
    await countUsage(account.account.accountId, 'EMAIL', 3, '2025-12-31T23:59:59Z');
    await countUsage(account.account.accountId, 'EMAIL', 2, '2025-12-30T12:00:00Z');
    await countUsage(account.account.accountId, 'CALL', 4, '2026-02-01T00:00:00Z');
    const { status, json } = await history(account.secret.key, '2025-12-31', '2026-02-01');
    expect(status).toBe(200);
    expect(json).toEqual({
      items: [
        {
          yearMonth: '2025-12',
          counts: { ...ZEROS, EMAIL: 5 },
          days: [
            { date: '2025-12-30', counts: { ...ZEROS, EMAIL: 2 } },
            { date: '2025-12-31', counts: { ...ZEROS, EMAIL: 3 } },
          ],
        },
        { yearMonth: '2026-01', counts: ZEROS, days: [] },
        {
          yearMonth: '2026-02',
          counts: { ...ZEROS, CALL: 4 },
          days: [{ date: '2026-02-01', counts: { ...ZEROS, CALL: 4 } }],
        },
      ],
    });
  });

  it('accepts a range of 36 months and one of one day', async () => {
    expect((await history(account.secret.key, '2024-01-31', '2026-12-01')).json.items).toHaveLength(36);
    expect((await history(account.secret.key, '2026-11-21', '2026-11-21')).json.items).toHaveLength(1);
  });

  it('returns 400 for a malformed, reversed, missing or too long range', async () => {
    const ranges: Record<string, string>[] = [
      { startDate: '2024-01-01', endDate: '2027-01-01' },
      { startDate: '2026-02-01', endDate: '2026-01-31' },
      { startDate: '2026-02-30', endDate: '2026-03-01' },
      { startDate: '', endDate: '' },
      { startDate: '2026-1-1', endDate: '2026-02-01' },
      { startDate: '二〇二六', endDate: 'x'.repeat(2048) },
      { startDate: '2026-01-01T00:00:00Z', endDate: '2026-02-01' },
      { startDate: '2026-01-01' },
      { endDate: '2026-01-01' },
      {},
    ];
    for (const query of ranges) {
      const { status, json } = await call(getHistory, { key: account.secret.key, query });
      expect([status, json.error?.code, query]).toEqual([400, 'INVALID_REQUEST', query]);
    }
  });

  it('reports every problem of a range together', async () => {
    const { json } = await call(getHistory, { key: account.secret.key, query: { startDate: '2026-02-30' } });
    expect(json.error.message).toContain('query.startDate must be a calendar date');
    expect(json.error.message).toContain('query.endDate is required');
  });

  it('returns no usage of another account', async () => {
    const [mine, theirs] = [await createTestAccount(app), await createTestAccount(app)];
    await countUsage(mine.account.accountId, 'EMAIL', 9, '2026-11-21T10:00:00Z');
    const { json } = await history(theirs.secret.key, '2026-11-01', '2026-11-30');
    expect(json.items).toEqual([{ yearMonth: '2026-11', counts: ZEROS, days: [] }]);
    expect((await call(getUsage, { key: theirs.secret.key })).json.counts).toEqual(ZEROS);
  });
});
