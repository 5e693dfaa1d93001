import { describe, expect, it, vi } from 'vitest';
import type { CountedSend } from '../../../../../shared/database/entities/usage/usage-additions.ts';
import { usageCounters } from '../../../../../shared/database/entities/usage/usage-counters.ts';
import { resolve } from '../../../../../shared/runtime/dependency.ts';
import { newId } from '../../../../../shared/runtime/values/ids.ts';
import { countUsage } from '../../../../support/usage.ts';
import { useApp } from '../../../../support/use-app.ts';

const app = useApp();

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
  it('count a batch once, however often and in whatever parts it is repeated, even across midnight', async () => {
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

  it('count a batch that overlaps a counted one record by record, and a cost without a message', async () => {
    const accountId = newId();
    const counters = resolve(usageCounters);
    const sms = (sequenceNumber: number, more: Partial<CountedSend> = {}): CountedSend => ({
      ...emailAt(accountId, sequenceNumber, '2026-11-21T12:00:00Z'),
      channel: 'SMS',
      ...more,
    });
    const sends = [
      sms(7),
      sms(8, { count: 0, costUsd: 0.25 }),
      emailAt(accountId, 9, '2026-11-21T12:00:00Z'),
      sms(10),
    ];
    for (const end of [1, 2, 4, 4]) await counters.count('shard-1', sends.slice(0, end), NOW_MS);
    const { counts, costUsd } = await counters.ofMonth(accountId, '2026-11');
    expect(counts).toMatchObject({ SMS: 2, EMAIL: 1 });
    expect(costUsd).toBe(0.25);
  });

  it('take no read for messages that follow each other', async () => {
    const accountId = newId();
    const [reads, writes] = [vi.spyOn(app.database, 'get'), vi.spyOn(app.database, 'update')];
    const counters = resolve(usageCounters);
    for (const number of [1, 2, 3]) {
      await counters.count('shard-1', [emailAt(accountId, number, '2026-11-21T12:00:00Z')], NOW_MS);
    }
    // The first creates the counter.
    expect([reads.mock.calls.length, writes.mock.calls.length]).toEqual([1, 3]);
    vi.restoreAllMocks();
    expect((await counters.ofMonth(accountId, '2026-11')).counts.EMAIL).toBe(3);
  });

  it('report a window with many notifications once, also if only messages follow it', async () => {
    const accountId = newId();
    const counters = resolve(usageCounters);
    const heads = Array.from({ length: 120 }, (_, index) => ({
      ...emailAt(accountId, index + 1, '2026-11-21T12:00:00Z'),
      ...{ channel: undefined, count: 0, accepted: 1 },
    }));
    const sent = (number: number) => [emailAt(accountId, number, '2026-11-21T12:00:00Z')];
    expect(await counters.count('shard-1', heads, NOW_MS)).toEqual([]);
    expect(await counters.count('shard-1', sent(200), NOW_MS)).toEqual([]);
    expect(await counters.count('shard-1', sent(201), NOW_MS + 10_000)).toEqual([accountId]);
    expect(await counters.count('shard-1', sent(202), NOW_MS + 10_000)).toEqual([]);
  });

  it('add up the counts of concurrent stream shards', async () => {
    const accountId = newId();
    const counters = resolve(usageCounters);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        counters.count(`shard-${index}`, [emailAt(accountId, 1, '2026-11-21T12:00:00Z')], NOW_MS),
      ),
    );
    expect((await counters.ofMonth(accountId, '2026-11')).counts.EMAIL).toBe(40);
  });

  it('add up a billing period from its first day to before its last, across two months', async () => {
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
