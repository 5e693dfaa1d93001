import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLogField } from '../../../../shared/domain/logs/log-record.ts';
import { webhookEventOf } from '../../../../shared/domain/logs/webhook-event.ts';
import { WEBHOOK_ATTEMPTS_MAX, webhookDelaySeconds } from '../../../../shared/domain/logs/webhook-retry.ts';
import { CHANNELS, LOG_PREFIX } from '../../../../shared/schemas/channel.ts';
import { STAGES } from '../../../../shared/schemas/logs/stage.ts';
import { isUserEvent, WEBHOOK_EVENTS } from '../../../../shared/schemas/logs/webhook.ts';

it('shows the response to the webhook call of every event in the log, on every channel', () => {
  const raised = [undefined, ...CHANNELS].flatMap((channel) =>
    STAGES.flatMap((stage) => {
      // Only an email has copies.
      if (stage === 'copy_failed' && channel !== 'EMAIL') return [];
      const event = webhookEventOf(channel, stage);
      return event
        ? [{ event, field: `${channel ? `${LOG_PREFIX[channel]}_` : ''}${stage}_webhook_res` }]
        : [];
    }),
  );
  expect(new Set(raised.map(({ event }) => event))).toEqual(
    new Set(WEBHOOK_EVENTS.filter((event) => !isUserEvent(event))),
  );
  expect(raised.filter(({ field }) => !isLogField(field))).toEqual([]);
});

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
