import { describeFields } from '../fields/field-texts.ts';
import { MadeCall, WebhookAttempt } from './webhook.ts';

describeFields(MadeCall, {
  callId: 'The ID of the call, for sending it again.',
  eventType: 'The event.',
  trackingId: 'The notification or inbound message that the event is about; absent of other events.',
  at: 'Time of the first attempt.',
  outcome: 'delivered after a 2xx response, waiting for another attempt, or failed.',
  attempts: [
    'The attempts, oldest first.',
    {
      at: 'Time of the attempt.',
      attempt: 'The number of this attempt, from 1; those that somebody asked for begin at 11.',
      status: 'The HTTP status of the response; 0 when there was none.',
      ms: 'Duration of the attempt in milliseconds.',
      error: 'Why there was no response.',
    },
  ],
});

describeFields(WebhookAttempt, {
  eventType: 'The event.',
  at: 'Time of the call.',
  attempt: 'The number of this attempt, from 1.',
  status: 'The HTTP status of the response; 0 when there was none.',
  ms: 'Duration of the call in milliseconds.',
  error: 'Why there was no response.',
});
