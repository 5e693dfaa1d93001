import { beforeAll, describe, expect, it } from 'vitest';
import { type CountedSend, usageCounters } from '../../../shared/database/entities/usage-counters.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/ids.ts';
import { createTestApp } from '../../support/app.ts';
import { countUsage } from '../../support/usage.ts';

beforeAll(async () => {
  await createTestApp();
});

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const total = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
const emailAt = (accountId: string, sequenceNumber: number, at: string): CountedSend => ({
  accountId,
  channel: 'EMAIL',
  count: 1,
  costUsd: 0,
  atMs: Date.parse(at),
  sequenceNumber: String(sequenceNumber),
});

describe('usage counters', () => {
  it('count a batch once, however often and in whatever pieces it is repeated, also over midnight', async () => {
    const accountId = newId();
    const counters = resolve(usageCounters);
    const sends = Array.from({ length: 20 }, (_, index) =>
      emailAt(accountId, index + 1, index < 10 ? '2026-11-30T23:59:59.999Z' : '2026-12-01T00:00:00.000Z'),
    );
    await counters.count('shard-1', sends, NOW_MS);
    await Promise.all([
      counters.count('shard-1', sends, NOW_MS),
      counters.count('shard-1', sends.slice(0, 13), NOW_MS),
      counters.count('shard-1', sends.slice(7), NOW_MS),
    ]);
    expect((await counters.ofMonth(accountId, '2026-11')).counts.EMAIL).toBe(10);
    expect((await counters.ofMonth(accountId, '2026-12')).counts.EMAIL).toBe(10);
  });

  it('add up what concurrent stream shards count', async () => {
    const accountId = newId();
    const counters = resolve(usageCounters);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        counters.count(`shard-${index}`, [emailAt(accountId, 1, '2026-11-21T12:00:00Z')], NOW_MS),
      ),
    );
    expect((await counters.ofMonth(accountId, '2026-11')).counts.EMAIL).toBe(40);
  });

  it('sum a billing period from its first day until before its last, over two months', async () => {
    const accountId = newId();
    const days = ['2026-10-14', '2026-10-15', '2026-10-31', '2026-11-01', '2026-11-14', '2026-11-15'];
    for (const [index, day] of days.entries()) {
      await countUsage(accountId, 'SMS', 10 ** index, `${day}T00:00:00Z`, 0.5);
    }
    const period = { startDate: '2026-10-15', endDate: '2026-11-15' };
    const usage = await resolve(usageCounters).ofPeriod(accountId, period);
    expect(usage.counts.SMS).toBe(11_110);
    expect(usage.costUsd).toBe(2);
    expect(total(usage.counts)).toBe(11_110);
    const november = await resolve(usageCounters).ofMonth(accountId, '2026-11');
    expect(november.counts.SMS).toBe(111_000);
  });
});
