import { describe, expect, it } from 'vitest';
import { simulateShares } from '../../../../bench/shares.ts';
import { turnClocks } from '../../../../shared/database/entities/sending/turn-clocks.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();
const medianOf = (values: number[] = []) =>
  [...values].sort((left, right) => left - right)[values.length >> 1];

describe('shares of a scarce rate', () => {
  it('let an email of another account through within a second, and lose little of the rate', async () => {
    const load = { busy: { perSecond: 1000, count: 10_000 }, single: { perSecond: 0.5, count: 60 } };
    const times = await simulateShares(60, load, 120);
    expect(times.get('single')).toHaveLength(60);
    expect(medianOf(times.get('single'))).toBeLessThan(1000);
    // 120 seconds at 60 a second are 7,200.
    expect(times.get('busy')?.length).toBeGreaterThan(7200 * 0.8);
  });

  it('are equal for accounts that become busy one after the other', async () => {
    const load = { first: { perSecond: 500, count: 15_000 }, second: { perSecond: 100, count: 4000 } };
    const times = await simulateShares(60, load, 90);
    const [first = 0, second = 0] = ['first', 'second'].map((name) => times.get(name)?.length);
    expect(first + second).toBeGreaterThan(5400 * 0.8);
    expect(second).toBeGreaterThan(first / 2.5);
  });

  it('are taken by urgent messages first', async () => {
    const load = { usual: { perSecond: 1000, count: 10_000 }, urgent: { perSecond: 5, count: 300 } };
    const times = await simulateShares(60, load, 90);
    expect(times.get('urgent')).toHaveLength(300);
    expect(medianOf(times.get('urgent'))).toBeLessThan(1500);
  });

  it('cost nothing while the provider keeps up', async () => {
    const times = await simulateShares(60, { small: { perSecond: 20, count: 400 } }, 30);
    expect(times.get('small')).toHaveLength(400);
    expect(Math.max(...(times.get('small') ?? []))).toBeLessThan(500);
  });
});

it('the turns of an account follow each other, also in two processes', async () => {
  const { nowMs } = app.clock;
  const take = (accountId: string) => resolve(turnClocks).take('EMAIL', accountId, 1000, nowMs);
  const starts = [await take('a'), ...(await Promise.all([take('a'), take('a')]))].sort();
  expect(starts).toEqual([nowMs, nowMs + 1000, nowMs + 2000]);
  expect(await take('b')).toBe(nowMs);
  expect((await resolve(turnClocks).listBusy('EMAIL', nowMs + 1500)).sort()).toEqual(['a']);
  expect(await resolve(turnClocks).take('EMAIL', 'a', 1000, nowMs + 9000)).toBe(nowMs + 9000);
});
