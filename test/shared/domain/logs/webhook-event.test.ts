import { expect, it } from 'vitest';
import { isLogField } from '../../../../shared/domain/logs/log-record.ts';
import { webhookEventOf } from '../../../../shared/domain/logs/webhook-event.ts';
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
