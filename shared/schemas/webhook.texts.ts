import { describeFields } from './field-texts.ts';
import { WebhookAttempt } from './webhook.ts';

describeFields(WebhookAttempt, {
  webhookMessageId: 'The header webhook-id, the same on every attempt.',
  eventType: 'The event.',
  at: 'When the call was made.',
  attempt: 'The number of this attempt, from 1.',
  status: 'The HTTP status of the response; 0 when there was none.',
  ms: 'How long the call took, in milliseconds.',
  error: 'Why there was no response.',
});
