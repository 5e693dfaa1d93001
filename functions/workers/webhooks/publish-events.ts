import { shortBody } from '../../../shared/domain/logs/webhook-event.ts';
import { queueBatchWorker } from '../../../shared/http/workers/queue-worker.ts';
import { eventBus } from '../../../shared/messaging/event-bus.ts';
import type { BusEvent } from '../../../shared/messaging/event-bus-port.ts';
import { EVENTS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { WebhookCall } from '../../../shared/schemas/logs/webhook.ts';
import { bodyDependencies, isErased, readCallBody } from './call-body.ts';

/** EventBridge accepts 256 KB per event, with its names. */
const DETAIL_BYTES_MAX = 250 * 1024;
const FIRST_WAIT_SECONDS = 5;
const WAIT_SECONDS_MAX = 900;

/** Publishes events on the deployment's bus, ten per request. Those that the bus does not accept are published again later. */
export const handler = queueBatchWorker(
  { name: EVENTS_QUEUE, body: WebhookCall, failed: 'an event was not published', waitsOn: EVENTS_QUEUE },
  { eventBus, ...bodyDependencies },
  ({ messages, clock, eventBus, ...deps }) => {
    const read = messages.map(async (message) => {
      const { body: call, attempt } = message;
      if (attempt > 1 && (await isErased(deps, call))) return undefined;
      return { message, event: eventOf(call, await readCallBody(deps, call, clock.now())) };
    });
    // A message that cannot be read fails alone, below.
    const refused = Promise.allSettled(read).then(async (settled) => {
      const events = settled.flatMap((each) =>
        each.status === 'fulfilled' && each.value ? [each.value] : [],
      );
      const indexes = events.length > 0 ? await eventBus.put(events.map(({ event }) => event)) : [];
      return new Set(indexes.map((index) => events[index]?.message));
    });
    return messages.map(async (message, index) => {
      await read[index];
      const { attempt } = message;
      if (!(await refused).has(message)) return 'done';
      return { againSeconds: Math.min(WAIT_SECONDS_MAX, FIRST_WAIT_SECONDS * 2 ** (attempt - 1)) };
    });
  },
);

function eventOf({ accountId, environmentId, eventType }: WebhookCall, body: string): BusEvent {
  const { timestamp } = JSON.parse(body);
  return {
    detailType: eventType,
    resources: [`account/${accountId}`, `environment/${environmentId}`],
    detail: shortBody(body, DETAIL_BYTES_MAX),
    atMs: Date.parse(timestamp),
  };
}
