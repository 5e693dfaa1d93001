import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../shared/runtime/turns.ts';

describe('turns', () => {
  it('come one after the other, the first at once', async () => {
    let nowMs = 0;
    const waited: number[] = [];
    const turn = createTurns(
      1000,
      () => nowMs,
      async (ms) => {
        waited.push(ms);
        nowMs += ms;
      },
    );
    await turn();
    await turn();
    nowMs += 400;
    await turn();
    nowMs += 5000;
    await turn();
    expect(waited).toEqual([1000, 600]);
  });
});
