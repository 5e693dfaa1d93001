import { describeFields } from '../../shared/schemas/field-texts.ts';
import { getEventWebhookRoute, saveEventWebhookRoute, testEventWebhookRoute } from './routes.ts';

describeFields(saveEventWebhookRoute.body, {
  webhook: 'The URL that events are posted to.',
  events: 'The events that the webhook is called for.',
  rotateSecret: 'Whether the webhook gets a new secret.',
});

describeFields(saveEventWebhookRoute.answer.body, {
  webhookId: 'The ID of the webhook.',
  webhook: 'The URL that events are posted to.',
  events: 'The events that the webhook is called for.',
  secret: 'The secret that signatures are made with.',
});

describeFields(getEventWebhookRoute.answer.body, {
  webhookId: 'The ID of the webhook.',
  webhook: 'The URL that events are posted to.',
  events: 'The events that the webhook is called for.',
  secret: 'The secret that signatures are made with.',
  disabled: 'Whether it is off.',
  formerSecretUntil: 'Until when signatures with the former secret are also sent.',
  disabledReason: 'Why it is off.',
  attempts: 'The last calls of the webhook, newest first.',
});

describeFields(testEventWebhookRoute.body, {
  eventType: 'The event to send.',
});

describeFields(testEventWebhookRoute.answer.body, {
  webhookMessageId: 'The header webhook-id, the same on every attempt.',
  eventType: 'The event that was sent.',
});
