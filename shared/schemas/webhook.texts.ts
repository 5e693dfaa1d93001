import { describeFields } from './field-texts.ts';
import { WebhookAttempt } from './webhook.ts';

describeFields(WebhookAttempt, {
  webhookMessageId: 'The header webhook-id, the same on every attempt.',
  eventType: 'The event.',
  at: 'Time of the call.',
  attempt: 'The number of this attempt, from 1.',
  status: 'The HTTP status of the response; 0 when there was none.',
  ms: 'Duration of the call in milliseconds.',
  error: 'Why there was no response.',
});
