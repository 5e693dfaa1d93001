import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WEBHOOK_ATTEMPTS_MAX, webhookDelaySeconds } from '../../../../shared/domain/logs/webhook-retry.ts';

const PLANNED = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('keeps every delay within 20 % of the schedule', () => {
  expect(WEBHOOK_ATTEMPTS_MAX).toBe(10);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), random, (attempt, drawn) => {
      const planned = PLANNED[attempt - 1] ?? Number.NaN;
      const seconds = webhookDelaySeconds(attempt, undefined, drawn);
      expect(seconds).toBeGreaterThanOrEqual(planned * 0.8);
      expect(seconds).toBeLessThanOrEqual(Math.ceil(planned * 1.2));
    }),
  );
});

it('never calls earlier than the receiver asked, up to a day', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.nat({ max: 10_000_000 }),
      random,
      (attempt, asked, drawn) => {
        const seconds = webhookDelaySeconds(attempt, asked, drawn);
        expect(seconds).toBeGreaterThanOrEqual(Math.min(asked, 86_400));
        expect(seconds).toBeLessThanOrEqual(Math.ceil(86_400 * 1.2));
      },
    ),
  );
});
