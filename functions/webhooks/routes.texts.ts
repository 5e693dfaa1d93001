import { describeFields } from '../../shared/schemas/field-texts.ts';
import { getEventWebhookRoute, saveEventWebhookRoute, testEventWebhookRoute } from './routes.ts';

describeFields(saveEventWebhookRoute.body, {
  webhook: 'The URL to which events are posted.',
  events: 'The events for which the webhook is called.',
  rotateSecret: 'true: the webhook gets a new secret.',
});

describeFields(saveEventWebhookRoute.answer.body, {
  webhookId: 'The ID of the webhook.',
  webhook: 'The URL to which events are posted.',
  events: 'The events for which the webhook is called.',
  secret: 'The secret with which calls are signed.',
});

describeFields(getEventWebhookRoute.answer.body, {
  webhookId: 'The ID of the webhook.',
  webhook: 'The URL to which events are posted.',
  events: 'The events for which the webhook is called.',
  secret: 'The secret with which calls are signed.',
  disabled: 'True if the webhook is off.',
  formerSecretUntil: 'The time until which calls are also signed with former secrets.',
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
