import { expect, it } from 'vitest';
import { usageCounters } from '../../../shared/database/entities/usage/usage-counters.ts';
import { usageRecountKey } from '../../../shared/database/keys/usage.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { byChannel } from '../../../shared/schemas/channel.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

it('never reduces what an earlier recount added, when logs have expired since', async () => {
  const counters = resolve(usageCounters);
  const accountId = newId();
  const found = (count: number, costUsd: number) => ({
    counts: { ...byChannel(() => 0), SMS: count },
    costUsd,
  });
  const recount = (count: number, costUsd: number) =>
    counters.recount(accountId, '2026-11-20', found(count, costUsd), { isDryRun: false });
  await recount(5, 0.5);
  await recount(2, 0.1);
  expect(await counters.ofMonth(accountId, '2026-11')).toMatchObject({ counts: { SMS: 5 }, costUsd: 0.5 });
  await recount(7, 0.6);
  expect(await counters.ofMonth(accountId, '2026-11')).toMatchObject({ counts: { SMS: 7 }, costUsd: 0.6 });
});

it('never reduces what a recount of an earlier release added', async () => {
  const counters = resolve(usageCounters);
  const accountId = newId();
  const atMs = Date.parse('2026-11-20T12:00:00Z');
  const counted = { accountId, channel: 'SMS', count: 10, costUsd: 0.1, atMs, sequenceNumber: '1' } as const;
  await counters.count('shard', [counted], atMs);
  await app.database.put({
    ...usageRecountKey(accountId, '2026-11-20'),
    counts: { SMS: 2 },
    costMicros: 50_000,
  });
  const expired = { counts: byChannel(() => 0), costUsd: 0 };
  for (let time = 0; time < 2; time += 1) {
    await counters.recount(accountId, '2026-11-20', expired, { isDryRun: false });
    const month = await counters.ofMonth(accountId, '2026-11');
    expect(month).toMatchObject({ counts: { SMS: 12 }, costUsd: 0.15 });
  }
});

it('keeps the most that recounts at the same time found', async () => {
  const counters = resolve(usageCounters);
  const accountId = newId();
  const recount = (count: number) => {
    const found = { counts: { ...byChannel(() => 0), EMAIL: count }, costUsd: 0 };
    return counters.recount(accountId, '2026-11-20', found, { isDryRun: false });
  };
  for (const most of [7, 9]) {
    await Promise.all([most, 2, 4].map(recount));
    expect((await counters.ofMonth(accountId, '2026-11')).counts.EMAIL).toBe(most);
  }
});

it('gives way to records that are counted late, also after logs have expired', async () => {
  const counters = resolve(usageCounters);
  const accountId = newId();
  const counts = { ...byChannel(() => 0), SMS: 3 };
  const recount = (found: typeof counts) =>
    counters.recount(accountId, '2026-11-20', { counts: found, costUsd: 0 }, { isDryRun: false });
  await recount(counts);
  const atMs = Date.parse('2026-11-20T12:00:00Z');
  const late = { accountId, channel: 'SMS', count: 2, costUsd: 0, atMs, sequenceNumber: '1' } as const;
  await counters.count('shard', [late], atMs);
  for (const found of [counts, byChannel(() => 0)]) {
    expect((await recount(found)).counts.SMS).toBe(1);
    expect((await counters.ofMonth(accountId, '2026-11')).counts.SMS).toBe(3);
  }
});
