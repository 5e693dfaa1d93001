import { describe, expect, it } from 'vitest';
import { nextStopAtMs } from '../../../../infra/local/clock/clock-mover.ts';
import { dueItems } from '../../../../shared/database/entities/sending/due-items.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { createTestApp } from '../../../support/app.ts';

const NOW = 1_800_000_000_000;

describe('the next due time of the clock', () => {
  it.each([
    [
      'an item of the table, not a message that a queue holds for a second',
      NOW + 3_600_000,
      NOW + 1000,
      NOW + 3_600_000,
    ],
    ['a message of a queue when the table has nothing', undefined, NOW + 1000, NOW + 1000],
    ['none', undefined, undefined, undefined],
  ])('equals that of %s', async (_, itemAtMs, messageAtMs, expected) => {
    await createTestApp();
    const items = resolve(dueItems);
    replace(dueItems, () => ({ ...items, nextDueAtMs: async () => itemAtMs }));
    const clock = { now: () => NOW } as Parameters<typeof nextStopAtMs>[0]['clock'];
    expect(await nextStopAtMs({ clock, nextVisibleAtMs: () => messageAtMs })).toBe(expected);
  });
});
