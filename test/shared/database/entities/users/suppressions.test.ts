import { expect, it } from 'vitest';
import { suppressions } from '../../../../../shared/database/entities/users/suppressions.ts';
import { resolve } from '../../../../../shared/runtime/dependency.ts';
import { START_MS } from '../../../../support/app.ts';
import { deleteExpired } from '../../../../support/expired-items.ts';
import { useApp } from '../../../../support/use-app.ts';

const app = useApp();

const STATUS = { reason: 'Bounce', details: {} } as never;
const COPY = { reason: 'Complaint', details: {} } as never;
const DAY_MS = 86_400_000;

/** Whether each bounce in turn suppresses the address. */
async function bounces(account: string, count: number, fromMs: number): Promise<boolean[]> {
  const counted: boolean[] = [];
  for (let index = 0; index < count; index += 1)
    counted.push(
      await resolve(suppressions).countBounce(account, 'ada@example.com', {
        atMs: fromMs + index * 60_000,
        status: STATUS,
      }),
    );
  return counted;
}

it('does not suppress again with one transient bounce after a lift, and remembers the lift', async () => {
  const { lift, find, findOrCopy, suppress } = resolve(suppressions);
  await suppress('lifted', 'ada@example.com', STATUS);
  await lift('lifted', 'ada@example.com', START_MS);
  expect(await bounces('lifted', 1, START_MS + DAY_MS)).toEqual([false]);
  expect(await find('lifted', 'ada@example.com')).toBeUndefined();
  const { status, isCopyOnly } = await findOrCopy('lifted', 'ada@example.com', COPY);
  expect([status, isCopyOnly]).toEqual([undefined, false]);
});

it('suppresses after as many bounces of late as before any lift, counted from the lift on', async () => {
  const until = async (account: string) => (await bounces(account, 20, START_MS + DAY_MS)).indexOf(true);
  const first = await until('fresh');
  expect(first).toBeGreaterThan(0);
  await bounces('again', first, START_MS);
  await resolve(suppressions).lift('again', 'ada@example.com', START_MS + 1000);
  expect(await until('again')).toBe(first);
});

it('counts a bounce once, only with those of two weeks before it, and until a delivery', async () => {
  const { countBounce, forgetBounces } = resolve(suppressions);
  const at = async (account: string, days: readonly number[]) => {
    const counted: boolean[] = [];
    for (const day of days) {
      app.clock.nowMs = START_MS + day * DAY_MS;
      await deleteExpired(app);
      counted.push(await countBounce(account, 'ada@example.com', { atMs: app.clock.nowMs, status: STATUS }));
    }
    return counted.indexOf(true);
  };
  expect(await at('spread', [0, 13, 13.9, 13.95, 13.99])).toBe(4);
  expect(await at('late', [0, 13, 13.9, 13.95, 14, 14.1])).toBe(5);
  expect(await at('repeated', [0, 0, 0, 0, 0])).toBe(-1);
  expect(await at('suppressed', [0, 1, 2, 3, 4, 5, 5])).toBe(4);
  expect(await countBounce('suppressed', 'ada@example.com', { atMs: START_MS, status: STATUS })).toBe(true);
  await forgetBounces('suppressed', 'ada@example.com', START_MS);
  expect(await resolve(suppressions).find('suppressed', 'ada@example.com')).toBeDefined();
  await at('delivered', [0, 1, 2, 3]);
  await forgetBounces('delivered', 'ada@example.com', app.clock.nowMs);
  expect(await at('delivered', [4, 5, 6, 7, 8])).toBe(4);
});
