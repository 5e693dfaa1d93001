import { webhooks } from '../../../shared/database/entities/webhooks/webhooks.ts';
import { userEventBody } from '../../../shared/domain/logs/webhook-event.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '../../../shared/domain/logs/webhook-retry.ts';
import { hasEventBus } from '../../../shared/messaging/event-bus.ts';
import { messageBody, sendOrThrow } from '../../../shared/messaging/message-body.ts';
import { EVENTS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';
import type { UserEvent, WebhookCall } from '../../../shared/schemas/logs/webhook.ts';
import { callMessage } from './raised-calls.ts';

export const userEventDependencies = { queues, webhooks };

type UserEventData = { eventType: UserEvent; userId: string; requestedAt: string };

/** Enqueues an event about a user for the webhook that wants it and for the bus. Safe to repeat: it has the same ID. */
export async function raiseUserEvent<D extends UserEventData>(
  { queues, webhooks }: Resolved<typeof userEventDependencies>,
  scope: { accountId: string; environmentId: string },
  data: D,
  nowMs: number,
): Promise<void> {
  const { eventType, userId, requestedAt } = data;
  const id = `msg_${trackingIdOf([scope.environmentId, eventType, userId, requestedAt])}`;
  const body = userEventBody(data, id, nowMs);
  const call: WebhookCall = {
    ...{ id, ...scope, eventType, body, attempt: 1, attemptsMax: WEBHOOK_ATTEMPTS_MAX, isAboutUser: true },
  };
  const isWanted = (await webhooks.wantedEvents(scope.environmentId)).has(eventType);
  const messages = [
    ...(isWanted ? [callMessage(call)] : []),
    ...(hasEventBus() ? [{ queue: EVENTS_QUEUE, message: { body: messageBody(call) } }] : []),
  ];
  for (const each of messages) await sendOrThrow(queues, each);
}
