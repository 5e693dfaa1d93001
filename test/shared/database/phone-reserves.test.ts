import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { database } from '../../../shared/database/database.ts';
import { createPhoneReserves, type PhoneMessage } from '../../../shared/database/entities/phone-reserves.ts';
import { usageCounters } from '../../../shared/database/entities/usage-counters.ts';
import { createUsageReserves } from '../../../shared/database/entities/usage-reserves.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import { costName, heldName, settledName, unitsName } from '../../../shared/domain/phone-costs.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { DAY_MS } from '../../../shared/runtime/durations.ts';
import { newId } from '../../../shared/runtime/ids.ts';
import { createTestAccount, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { withSettings } from '../../support/workers.ts';

const app = useApp();

const PROCESSES = 3;

async function accountWith(costCap: number, more: object = {}): Promise<TestAccount['account']> {
  const { account } = await createTestAccount(app);
  const { accountId, createdAt } = account;
  await app.database.put({
    ...organizationKey(accountId),
    ...{ organizationId: accountId, organizationType: 'paid', creator: 'a@example.com', name: 'Test' },
    ...{ messagesCap: 1e9, costCap, allowOverage: false, anchorDate: '2026-11-10' },
    ...{ createdAt, updatedAt: createdAt },
    ...more,
  });
  return account;
}

function newProcess(table = resolve(database)) {
  const counters = resolve(usageCounters);
  return createPhoneReserves({ table, counters, reserves: createUsageReserves(table) });
}

/** Counts as the stream's consumer does. */
async function count(accountId: string, amounts: Record<string, number>, atMs: number, costUsd = 0) {
  const record = { accountId, channel: 'SMS' as const, count: costUsd > 0 ? 0 : 1, costUsd, amounts, atMs };
  await resolve(usageCounters).count(newId(), [{ ...record, sequenceNumber: '1' }], atMs);
}

const message = (nowMs: number, more: Partial<PhoneMessage> = {}): PhoneMessage => ({
  ...{ channel: 'SMS', to: '+4915112345678', units: 1, name: newId(), nowMs },
  ...more,
});

const Burst = fc.record({
  size: fc.integer({ min: 1, max: 10 }),
  units: fc.integer({ min: 1, max: 3 }),
  pauseMs: fc.integer({ min: 0, max: 40_000 }),
  isPriced: fc.boolean(),
});

/** The second is counted in the third's window: none of that belongs to the third. */
const SLOWLY_COUNTED = [
  { size: 2, units: 1, pauseMs: 6245, isPriced: false },
  { size: 7, units: 1, pauseMs: 5081, isPriced: false },
  { size: 1, units: 2, pauseMs: 8674, isPriced: false },
  { size: 1, units: 3, pauseMs: 0, isPriced: false },
];

it('lets processes at full speed spend one percent more than the cap at most', async () => {
  const cases = fc.asyncProperty(
    fc.integer({ min: 40, max: 110 }),
    fc.array(Burst, { minLength: 3, maxLength: 7 }),
    async (capCents, bursts) => {
      const account = await accountWith(capCents / 100);
      const processes = Array.from({ length: PROCESSES }, () => newProcess());
      let nowMs = app.clock.nowMs;
      let spentMicros = 0;
      // A burst is counted after the next one.
      let countBurst = async () => {};
      for (const { size, units, pauseMs, isPriced } of bursts) {
        const sends = processes.flatMap((process) =>
          Array.from({ length: size }, () => process.reserve(account, message(nowMs, { units }))),
        );
        const sent = (await Promise.all(sends)).flatMap((each) =>
          each.kind === 'reserved' ? [each.estimate.estimatedMicros] : [],
        );
        const micros = sent.reduce((sum, each) => sum + each, 0);
        spentMicros += micros;
        await countBurst();
        const atMs = nowMs;
        countBurst = () =>
          isPriced
            ? count(account.accountId, pricedAs(units * sent.length, micros), atMs, micros / 1e6)
            : count(account.accountId, heldAs(micros), atMs);
        nowMs += pauseMs;
      }
      expect(spentMicros).toBeLessThanOrEqual(capCents * 1.01 * 10_000);
    },
  );
  await withSettings({ PHONE_PRICE_ESTIMATE_CENTS: '1' }, () =>
    fc.assert(cases, { numRuns: 12, examples: [[40, SLOWLY_COUNTED]] }),
  );
});

const heldAs = (micros: number) => ({ [heldName('SMS')]: micros, [settledName('SMS')]: micros });
const pricedAs = (units: number, micros: number) => ({
  [settledName('SMS')]: micros,
  [unitsName('SMS', '49')]: units,
  [costName('SMS', '49')]: micros,
});

it('keeps parts until they are counted, however long the provider and the count take', async () => {
  const account = await accountWith(0.3);
  const { nowMs } = app.clock;
  const sendAt = async (atMs: number, name = newId()) =>
    (await newProcess().reserve(account, message(atMs, { name }))).kind;
  expect([await sendAt(nowMs), await sendAt(nowMs + 12_000)]).toEqual(['reserved', 'reserved']);
  expect(await sendAt(nowMs + 26_000)).toBe('reserved');
  for (const seconds of [27, 45, 63, 300]) expect(await sendAt(nowMs + seconds * 1000)).toBe('used_up');
  await count(account.accountId, heldAs(100_000), nowMs + 301_000);
  expect(await sendAt(nowMs + 311_000)).toBe('used_up');
});

it('a price below the estimate leaves room for others immediately', async () => {
  const account = await accountWith(0.3);
  const { nowMs } = app.clock;
  const sendAt = async (atMs: number) => (await newProcess().reserve(account, message(atMs))).kind;
  for (let index = 0; index < 3; index += 1) expect(await sendAt(nowMs)).toBe('reserved');
  expect(await sendAt(nowMs)).toBe('used_up');
  // Sent and priced within one window.
  const priced = {
    [settledName('SMS')]: 300_000,
    [unitsName('SMS', '49')]: 3,
    [costName('SMS', '49')]: 30_000,
  };
  await count(account.accountId, priced, nowMs + 5000, 0.03);
  for (let index = 0; index < 27; index += 1) expect(await sendAt(nowMs + 11_000)).toBe('reserved');
  expect(await sendAt(nowMs + 11_000)).toBe('used_up');
});

it('a message that is retried when its part is kept no more takes another one', async () => {
  const account = await accountWith(0.2);
  const { nowMs } = app.clock;
  const again = newId();
  const sendAt = async (minutes: number, name = newId()) =>
    (await newProcess().reserve(account, message(nowMs + minutes * 60_000, { name }))).kind;
  expect([await sendAt(0, again), await sendAt(9, again), await sendAt(9)]).toEqual(
    Array(3).fill('reserved'),
  );
  expect(await sendAt(9)).toBe('used_up');
  expect([await sendAt(13, again), await sendAt(13)]).toEqual(['reserved', 'used_up']);
});

it('takes the part of a message once, however often it is evaluated', async () => {
  const account = await accountWith(0.3);
  const { nowMs } = app.clock;
  const again = message(nowMs);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => newProcess().reserve(account, again)));
  expect(outcomes.every(({ kind }) => kind === 'reserved')).toBe(true);
  const others = [];
  for (let index = 0; index < 3; index += 1)
    others.push((await newProcess().reserve(account, message(nowMs))).kind);
  expect(others).toEqual(['reserved', 'reserved', 'used_up']);
});

it('estimates by the prices charged lately for the calling code, this month or the last', async () => {
  const account = await accountWith(1000);
  const { nowMs } = app.clock;
  const price = (code: string, usd: number, atMs: number) =>
    count(account.accountId, { [unitsName('SMS', code)]: 10, [costName('SMS', code)]: usd * 1e7 }, atMs, usd);
  await price('49', 0.08, nowMs);
  await price('1', 0.008, nowMs - 25 * DAY_MS);
  const estimateOf = async (to: string, units: number) => {
    const reserved = await newProcess().reserve(account, message(nowMs, { to, units }));
    return reserved.kind === 'reserved' ? reserved.estimate : undefined;
  };
  expect(await estimateOf('+4915112345678', 3)).toEqual({ code: '49', units: 3, estimatedMicros: 240_000 });
  expect(await estimateOf('+12025550123', 1)).toMatchObject({ code: '1', estimatedMicros: 8000 });
  expect(await estimateOf('+35312345678', 2)).toMatchObject({ code: '353', estimatedMicros: 200_000 });
});

it('writes once for many messages while much is left, and never without a cap', async () => {
  const { nowMs } = app.clock;
  const written = async (account: TestAccount['account']) => {
    const table = { ...resolve(database) };
    const writes = [vi.spyOn(table, 'update'), vi.spyOn(table, 'transact')];
    const process = newProcess(table);
    for (let index = 0; index < 40; index += 1) await process.reserve(account, message(nowMs));
    return writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  };
  expect(await written(await accountWith(20_000))).toBe(1);
  expect(await written(await accountWith(1e9))).toBe(0);
  expect(await written(await accountWith(1, { allowOverage: true }))).toBe(0);
});
