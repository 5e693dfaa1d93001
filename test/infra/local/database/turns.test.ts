import { expect, it } from 'vitest';
import { inTurn } from '../../../../infra/local/database/dynamodb-local/start.ts';
import { openTurns } from '../../../../infra/local/database/dynamodb-local/turns.ts';
import type { Database } from '../../../../shared/database/database.ts';

const turn = () => new Promise((resume) => setImmediate(resume));

function openOutcome() {
  const parts = Promise.withResolvers<void>();
  return { end: parts.resolve, fail: parts.reject, stored: parts.promise };
}

it('continues callers of ended calls one by one, and none while an outcome is being stored', async () => {
  const turns = openTurns();
  const continued: number[] = [];
  const outcome = openOutcome();
  let recording: Promise<void> | undefined;
  const callers = [0, 1, 2].map(async (index) => {
    await turns.call(async () => undefined);
    continued.push(index);
    if (index === 0) recording = turns.outcome(() => outcome.stored);
  });
  for (let round = 0; round < 10; round += 1) await turn();
  expect(continued).toEqual([0]);
  outcome.end();
  await recording;
  await Promise.all(callers);
  expect(continued).toEqual([0, 1, 2]);
});

it('continues after an outcome that could not be stored', async () => {
  const turns = openTurns();
  const outcome = openOutcome();
  const recording = turns.outcome(() => outcome.stored);
  const resumed = turns.resume();
  outcome.fail(new Error('no'));
  await expect(recording).rejects.toThrow('no');
  await resumed;
});

it('stores several outcomes concurrently and continues others after the last', async () => {
  const turns = openTurns();
  const [one, other] = [openOutcome(), openOutcome()];
  const recordings = [one, other].map(({ stored }) => turns.outcome(() => stored));
  let isResumed = false;
  const resumed = turns.resume().then(() => {
    isResumed = true;
  });
  one.end();
  for (let round = 0; round < 5; round += 1) await turn();
  expect(isResumed).toBe(false);
  other.end();
  await Promise.all([...recordings, resumed]);
});

/** A table whose calls end when the test decides. */
function slowTable() {
  const begun: { name: string; end(): void; fail(): void }[] = [];
  const call = (name: string) =>
    new Promise<never>((resolve, reject) => {
      begun.push({ name, end: () => resolve(undefined as never), fail: () => reject(new Error('no')) });
    });
  const table = { get: ({ sk }: { sk: string }) => call(sk), put: ({ sk }: { sk: string }) => call(sk) };
  return { begun, table: inTurn(table as unknown as Database, openTurns()) };
}

it('makes two calls at a time, in the order requested', async () => {
  const { begun, table } = slowTable();
  const calls = Array.from({ length: 20 }, (_, index) => table.get({ pk: 'LOG#1', sk: `HEAD-${index}` }));
  await turn();
  expect(begun.map(({ name }) => name)).toEqual(['HEAD-0', 'HEAD-1']);
  for (let index = 0; index < 20; index += 1) {
    begun[index]?.end();
    await turn();
  }
  await Promise.all(calls);
  expect(begun.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, index) => `HEAD-${index}`));
});

it.each(['sent', 'failed'])(
  'stores the outcome %s first: no other call starts before it is stored',
  async (stage) => {
    const { begun, table } = slowTable();
    const calls = Array.from({ length: 3 }, (_, index) => table.get({ pk: 'LOG#1', sk: `HEAD-${index}` }));
    const outcome = table.put({ pk: 'LOG#1', sk: `EVENT#sms#${stage}` });
    await turn();
    expect(begun.map(({ name }) => name).sort()).toEqual([`EVENT#sms#${stage}`, 'HEAD-0', 'HEAD-1']);
    const end = (start: string) => {
      for (const call of begun) if (call.name.startsWith(start)) call.end();
    };
    end('HEAD');
    await turn();
    expect(begun).toHaveLength(3);
    end('EVENT');
    await outcome;
    await turn();
    expect(begun[3]?.name).toBe('HEAD-2');
    begun[3]?.end();
    await Promise.all(calls);
  },
);

it('lets other events of logs wait for their turn', async () => {
  const { begun, table } = slowTable();
  const calls = Array.from({ length: 2 }, (_, index) => table.get({ pk: 'LOG#1', sk: `HEAD-${index}` }));
  const event = table.put({ pk: 'LOG#1', sk: 'EVENT#sms#delivered' });
  await turn();
  expect(begun.map(({ name }) => name)).toEqual(['HEAD-0', 'HEAD-1']);
  for (let index = 0; index < 3; index += 1) {
    begun[index]?.end();
    await turn();
  }
  await Promise.all([...calls, event]);
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
