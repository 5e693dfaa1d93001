import { expect, it } from 'vitest';
import { handler as recount } from '../../../../functions/workers/redrive/recount-usage.ts';
import { dayOf, usageCounters } from '../../../../shared/database/entities/usage/usage-counters.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { createTestAccount } from '../../../support/app.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { redriving } from './setup.ts';

const DAY_MS = 86_400_000;

const pipeline = usePipeline();

/** All pages of a day. */
async function recountDay(day: string, isDryRun = false) {
  let page = await recount({ day, isDryRun });
  while (page.next) page = await recount({ day, isDryRun, next: page.next });
  return page.added;
}

it('adds what was sent and not counted, once, even when it is listed twice', async () => {
  const account = await createTestAccount(pipeline);
  const { accountId } = account.account;
  const on = redriving(pipeline);
  const day = dayOf(pipeline.clock.nowMs);
  const inAnHour = new Date(pipeline.clock.nowMs + 3_600_000).toISOString();
  await on.sendSms(account);
  await on.sendSms(account, { schedule: inAnHour });
  await pipeline.goTo(pipeline.clock.nowMs + 3_600_000);
  const month = () => resolve(usageCounters).ofMonth(accountId, day.slice(0, 7));
  const exact = await month();
  expect(exact.counts.SMS).toBe(2);
  expect(exact.costUsd).toBeGreaterThan(0);

  await expect(recount({ day })).rejects.toThrow(/24 hours ago/);
  pipeline.clock.nowMs += 3 * DAY_MS;
  expect(await recountDay(day)).toEqual([]);
  expect(await month()).toEqual(exact);

  // A lost stream record: the messages are in the logs and in no counter.
  const counters = await pipeline.database.queryAll(
    `USAGE#${accountId}#${day.slice(0, 7)}`,
    `DAY#${day.slice(8)}#`,
  );
  for (const { pk, sk } of counters) await pipeline.database.delete({ pk: String(pk), sk: String(sk) });
  expect((await month()).counts.SMS).toBe(0);
  expect(await recountDay(day, true)).toMatchObject([{ accountId, counts: { SMS: 2 } }]);
  expect((await month()).counts.SMS).toBe(0);
  expect(await recountDay(day)).toEqual([{ accountId, ...exact }]);
  expect(await month()).toEqual(exact);
  expect(await recountDay(day)).toEqual([{ accountId, ...exact }]);
  expect(await month()).toEqual(exact);

  // Records that arrive late replace what was added for them.
  for (const item of counters) await pipeline.database.put(item);
  expect(await recountDay(day)).toEqual([]);
  expect(await month()).toEqual(exact);
});

it('rejects an invalid day', async () => {
  await expect(recount({ day: '2026-13-01' })).rejects.toThrow(/such as 2026-11-20/);
});
