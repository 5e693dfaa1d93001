import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { database } from '../../../../../shared/database/database.ts';
import {
  createPhoneCaps,
  type PhoneMessage,
  type Taken,
} from '../../../../../shared/database/entities/usage/phone-caps.ts';
import { usageCounters } from '../../../../../shared/database/entities/usage/usage-counters.ts';
import { organizationKey } from '../../../../../shared/database/keys/account.ts';
import {
  costName,
  heldName,
  settledName,
  unitsName,
} from '../../../../../shared/domain/costs/phone-costs.ts';
import { resolve } from '../../../../../shared/runtime/dependency.ts';
import { DAY_MS } from '../../../../../shared/runtime/values/durations.ts';
import { newId } from '../../../../../shared/runtime/values/ids.ts';
import { createTestAccount, type TestAccount } from '../../../../support/app.ts';
import { useApp } from '../../../../support/use-app.ts';
import { withSettings } from '../../../../support/workers.ts';

const app = useApp();

type Account = TestAccount['account'];

/** Sets the caps of an account; processes that start later know them. */
async function setCaps({ accountId, createdAt }: Account, caps: object): Promise<void> {
  await app.database.put({
    ...organizationKey(accountId),
    ...{ organizationId: accountId, organizationType: 'paid', creator: 'a@example.com', name: 'Test' },
    ...{ messagesCap: 1e9, costCap: 1000, allowOverage: false, anchorDate: '2026-11-10' },
    ...{ createdAt, updatedAt: createdAt },
    ...caps,
  });
}

async function accountWith(caps: object): Promise<Account> {
  const { account } = await createTestAccount(app);
  await setCaps(account, caps);
  return account;
}

const newProcess = () => createPhoneCaps(resolve(database), resolve(usageCounters));

const message = (nowMs: number, more: Partial<PhoneMessage> = {}): PhoneMessage => ({
  ...{ channel: 'SMS', to: '+4915112345678', units: 1, nowMs },
  ...more,
});

const take = (account: Account, more: Partial<PhoneMessage> = {}, nowMs = app.clock.nowMs) =>
  newProcess().take(account, message(nowMs, more));

/** What is left of an account's caps, in messages of one unit. */
async function countRoom(
  account: Account,
  more: Partial<PhoneMessage> = {},
  nowMs?: number,
): Promise<number> {
  let room = 0;
  while ((await take(account, more, nowMs)).kind === 'taken') room += 1;
  return room;
}

/** Counts as the stream's consumer does. */
async function count(
  accountId: string,
  amounts: Record<string, number>,
  atMs: number,
  costUsd = 0,
  sent = 1,
) {
  const record = { accountId, channel: 'SMS' as const, count: sent, costUsd, amounts, atMs };
  await resolve(usageCounters).count(newId(), [{ ...record, sequenceNumber: '1' }], atMs);
}

const heldAs = (micros: number) => ({ [heldName('SMS')]: micros, [settledName('SMS')]: micros });
const pricedAs = (units: number, estimated: number, micros: number) => ({
  [settledName('SMS')]: estimated,
  [unitsName('SMS', '49')]: units,
  [costName('SMS', '49')]: micros,
});

const Burst = fc.record({
  size: fc.integer({ min: 1, max: 10 }),
  units: fc.integer({ min: 1, max: 3 }),
  pauseMs: fc.integer({ min: 0, max: 40_000 }),
  isPriced: fc.boolean(),
  failing: fc.integer({ min: 0, max: 3 }),
});

describe('processes at full speed', () => {
  it('send as many messages as the cap allows, and not one more', async () => {
    for (const channel of ['SMS', 'CALL'] as const) {
      const account = await accountWith({ smsCap: 17, callCap: 17 });
      const processes = Array.from({ length: 5 }, newProcess);
      const takes = processes.flatMap((process) =>
        Array.from({ length: 8 }, () => process.take(account, message(app.clock.nowMs, { channel }))),
      );
      expect((await Promise.all(takes)).filter(({ kind }) => kind === 'taken')).toHaveLength(17);
    }
  });

  it('spend no more than the costCap, whenever messages are counted, priced or fail', async () => {
    const cases = fc.asyncProperty(
      fc.integer({ min: 40, max: 110 }),
      fc.array(Burst, { minLength: 3, maxLength: 7 }),
      async (capCents, bursts) => {
        const account = await accountWith({ costCap: capCents / 100 });
        const processes = Array.from({ length: 3 }, newProcess);
        let nowMs = app.clock.nowMs;
        let spentMicros = 0;
        // A burst is counted after the next one.
        let countBurst = async () => {};
        for (const { size, units, pauseMs, isPriced, failing } of bursts) {
          const takes = processes.flatMap((process) =>
            Array.from({ length: size }, () => process.take(account, message(nowMs, { units }))),
          );
          const taken = (await Promise.all(takes)).filter((each) => each.kind === 'taken');
          for (const each of taken.slice(0, failing)) await each.giveBack();
          const sent = taken.slice(failing);
          const micros = sent.reduce((sum, { estimate }) => sum + estimate.estimatedMicros, 0);
          spentMicros += micros;
          await countBurst();
          const atMs = nowMs;
          countBurst = () =>
            isPriced
              ? count(account.accountId, pricedAs(units * sent.length, micros, micros), atMs, micros / 1e6, 0)
              : count(account.accountId, heldAs(micros), atMs, 0, sent.length);
          nowMs += pauseMs;
        }
        expect(spentMicros).toBeLessThanOrEqual(capCents * 10_000);
      },
    );
    await withSettings({ PHONE_PRICE_ESTIMATE_CENTS: '1' }, () => fc.assert(cases, { numRuns: 12 }));
  });
});

it('counts until the period ends, however long the provider and the count take', async () => {
  const account = await accountWith({ costCap: 0.3 });
  const { nowMs } = app.clock;
  expect(await countRoom(account)).toBe(3);
  for (const seconds of [10, 60, 3600]) expect(await countRoom(account, {}, nowMs + seconds * 1000)).toBe(0);
  await count(account.accountId, heldAs(300_000), nowMs, 0, 3);
  expect(await countRoom(account)).toBe(0);
  expect(await countRoom(account, {}, Date.parse('2026-12-10T00:00:00Z'))).toBe(3);
});

it('a price below the estimate leaves room for others, one above takes it', async () => {
  for (const [micros, room] of [
    [30_000, 27],
    [290_000, 0],
  ] as const) {
    const account = await accountWith({ costCap: 0.3 });
    expect(await countRoom(account)).toBe(3);
    await count(account.accountId, pricedAs(3, 300_000, micros), app.clock.nowMs, micros / 1e6, 3);
    expect(await countRoom(account)).toBe(room);
  }
});

it('a message that was not sent leaves its place and its money to another', async () => {
  const account = await accountWith({ smsCap: 2, costCap: 1000 });
  const [first] = await Promise.all([take(account), take(account)]);
  expect(await countRoom(account)).toBe(0);
  if (first?.kind === 'taken') await first.giveBack();
  expect(await countRoom(account)).toBe(1);
});

it('a changed plan begins with what the period has had, and a lowered cap applies to it', async () => {
  const account = await accountWith({ smsCap: 8 });
  expect((await take(account)).kind).toBe('taken');
  await count(account.accountId, heldAs(500_000), app.clock.nowMs, 0, 5);
  await setCaps(account, { smsCap: 7, anchorDate: '2026-11-12' });
  expect(await countRoom(account)).toBe(2);
  await setCaps(account, { smsCap: 6, anchorDate: '2026-11-12' });
  expect(await countRoom(account)).toBe(0);
});

it('names the cap without room, and whether a price may make some', async () => {
  const outcomeOf = async (caps: object): Promise<Taken> => {
    const account = await accountWith(caps);
    await countRoom(account);
    return take(account);
  };
  expect(await outcomeOf({ smsCap: 2 })).toEqual({ kind: 'used_up', cap: 'smsCap', isReached: true });
  expect(await outcomeOf({ costCap: 0.2 })).toEqual({ kind: 'used_up', cap: 'costCap', isReached: false });
  expect(await outcomeOf({ costCap: 0.05 })).toEqual({ kind: 'used_up', cap: 'costCap', isReached: true });
});

it('counts without limiting with allowOverage, so that the cap applies when it is revoked', async () => {
  const account = await accountWith({ smsCap: 2, allowOverage: true });
  for (let index = 0; index < 4; index += 1) expect((await take(account)).kind).toBe('taken');
  await setCaps(account, { smsCap: 5 });
  expect(await countRoom(account)).toBe(1);
});

it('estimates by the prices charged lately for the calling code, this month or the last', async () => {
  const account = await accountWith({});
  const { nowMs } = app.clock;
  const price = (code: string, usd: number, atMs: number) =>
    count(account.accountId, { [unitsName('SMS', code)]: 10, [costName('SMS', code)]: usd * 1e7 }, atMs, usd);
  await price('49', 0.08, nowMs);
  await price('1', 0.008, nowMs - 25 * DAY_MS);
  const estimateOf = async (to: string, units: number) => {
    const taken = await take(account, { to, units });
    return taken.kind === 'taken' ? taken.estimate : undefined;
  };
  expect(await estimateOf('+4915112345678', 3)).toEqual({ code: '49', units: 3, estimatedMicros: 240_000 });
  expect(await estimateOf('+12025550123', 1)).toMatchObject({ code: '1', estimatedMicros: 8000 });
  expect(await estimateOf('+35312345678', 2)).toMatchObject({ code: '353', estimatedMicros: 200_000 });
});
