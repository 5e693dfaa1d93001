import { expect, it } from 'vitest';
import { openTurns } from '../../../../infra/local/database/dynamodb-local/turns.ts';

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
