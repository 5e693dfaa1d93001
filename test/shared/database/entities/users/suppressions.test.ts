import { expect, it } from 'vitest';
import { suppressions } from '../../../../../shared/database/entities/users/suppressions.ts';
import { resolve } from '../../../../../shared/runtime/dependency.ts';
import { START_MS } from '../../../../support/app.ts';
import { useApp } from '../../../../support/use-app.ts';

useApp();

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
