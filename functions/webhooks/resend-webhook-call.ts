import { logs } from '../../shared/database/entities/logs/logs.ts';
import { webhookHistory } from '../../shared/database/entities/webhooks/webhook-history.ts';
import { webhooks } from '../../shared/database/entities/webhooks/webhooks.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '../../shared/domain/logs/webhook-retry.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { sendOrThrow } from '../../shared/messaging/message-body.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { callMessage, raisedCallsOf } from '../workers/webhooks/raised-calls.ts';
import { webhookNotFound } from './not-found.ts';
import { resendWebhookCallRoute } from './routes.ts';

export const handler = endpoint(
  resendWebhookCallRoute,
  { logs, queues, webhookHistory, webhooks },
  async (input) => {
    const { logs, queues, webhookHistory, webhooks, caller, path, clock } = input;
    const nowMs = clock.now();
    const webhook = await webhooks.find(caller);
    if (!webhook) throw webhookNotFound();
    const made = await webhookHistory.find(webhook, path.callId);
    if (!made) throw callNotFound();
    const { webhookMessageId, eventType, trackingId, attempts } = made;
    if (webhook.disabledAtMs !== undefined || !webhook.events.includes(eventType)) throw notWanted();
    const log = trackingId ? await logs.find(trackingId, nowMs) : undefined;
    const call = log?.items.flatMap(raisedCallsOf).find(({ id }) => id === webhookMessageId);
    if (!call) throw noBody();
    const creation = creationOf(resendWebhookCallRoute, input);
    if (await webhookHistory.claimResend(webhook, made, creation, nowMs)) {
      // Planned attempts use the numbers up to the maximum.
      const attempt = 1 + Math.max(WEBHOOK_ATTEMPTS_MAX, ...attempts.map((each) => each.attempt));
      const firstAtMs = Date.parse(made.at);
      const again = { ...call, attempt, attemptsMax: attempt, firstAtMs, isResent: true };
      await sendOrThrow(queues, callMessage(again));
    }
    return { webhookMessageId, eventType };
  },
);

const callNotFound = () =>
  new AppError('RESOURCE_NOT_FOUND', {
    message: 'The webhook has no such call in the last 30 days.',
    fix: 'GET /webhooks/calls lists the calls with their callId.',
  });

const notWanted = () =>
  new AppError('INVALID_REQUEST', {
    message: 'The webhook is off, or no longer wants this event.',
    path: 'path.callId',
    fix: 'PUT /webhooks/events turns it on, with the events that it wants.',
  });

const noBody = () =>
  new AppError('INVALID_REQUEST', {
    message: 'The content of this event is not kept: its delivery log has expired, or it is no event of one.',
    path: 'path.callId',
    fix: 'GET /logs/{trackingIds} has what is kept. POST /webhooks/events/test sends a sample.',
  });
