import { expect, it } from 'vitest';
import { inTurn } from '../../../../infra/local/database/in-turn.ts';
import type { Database } from '../../../../shared/database/database.ts';

/** A table whose calls end when the test says so. */
function slowTable() {
  const begun: { name: string; end(): void; fail(): void }[] = [];
  const call = (name: string) =>
    new Promise<never>((resolve, reject) => {
      begun.push({ name, end: () => resolve(undefined as never), fail: () => reject(new Error('no')) });
    });
  const table = { get: ({ sk }: { sk: string }) => call(sk), put: ({ sk }: { sk: string }) => call(sk) };
  return { begun, table: inTurn(table as unknown as Database) };
}

const turn = () => new Promise((resume) => setImmediate(resume));

it('makes two calls at a time, and stores events of logs without waiting', async () => {
  const { begun, table } = slowTable();
  const calls = Array.from({ length: 20 }, (_, index) => table.get({ pk: 'LOG#1', sk: `HEAD-${index}` }));
  calls.push(table.put({ pk: 'LOG#1', sk: 'EVENT#sms#sent' }) as never);
  await turn();
  expect(begun.map(({ name }) => name).sort()).toEqual(['EVENT#sms#sent', 'HEAD-0', 'HEAD-1']);
  for (let index = 0; index < 21; index += 1) {
    begun[index]?.end();
    await turn();
  }
  await Promise.all(calls);
  expect(begun.map(({ name }) => name).filter((name) => name.startsWith('HEAD'))).toEqual(
    Array.from({ length: 20 }, (_, index) => `HEAD-${index}`),
  );
});

it('starts the next call after a failed one', async () => {
  const { begun, table } = slowTable();
  const calls = Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => table.get({ pk: 'LOG#1', sk: `HEAD-${index}` })),
  );
  for (let index = 0; index < 20; index += 1) {
    await turn();
    begun[index]?.fail();
  }
  expect((await calls).every(({ status }) => status === 'rejected')).toBe(true);
});
