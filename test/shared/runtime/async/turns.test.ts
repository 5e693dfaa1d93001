import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../../shared/runtime/async/turns.ts';

describe('turns', () => {
  it('come one after the other, the first immediately', async () => {
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

  it('stay free for others when they are later than the caller can wait', async () => {
    const nowMs = 0;
    const waited: number[] = [];
    const turn = createTurns(
      1000,
      () => nowMs,
      async (ms) => void waited.push(ms),
    );
    expect(await turn(500)).toBeUndefined();
    expect(await turn(500)).toBe(1000);
    expect(await turn(999)).toBe(1000);
    expect(await turn(1000)).toBeUndefined();
    expect(waited).toEqual([1000]);
  });
});
