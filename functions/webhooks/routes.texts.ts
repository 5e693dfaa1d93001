import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import {
  getEventWebhookRoute,
  listWebhookCallsRoute,
  resendWebhookCallRoute,
  saveEventWebhookRoute,
  testEventWebhookRoute,
} from './routes.ts';

describeFields(saveEventWebhookRoute.body, {
  webhook: 'The URL that events are posted to.',
  events: 'The events that the webhook receives.',
  rotateSecret: 'true: the webhook gets a new secret, once per idempotency key.',
});

describeFields(saveEventWebhookRoute.response.body, {
  webhookId: 'The ID of the webhook.',
  webhook: 'The URL that events are posted to.',
  events: 'The events that the webhook receives.',
  secret: 'The secret that signs the calls.',
});

describeFields(getEventWebhookRoute.response.body, {
  webhookId: 'The ID of the webhook.',
  webhook: 'The URL that events are posted to.',
  events: 'The events that the webhook receives.',
  secret: 'The secret that signs the calls.',
  disabled: 'True if the webhook is off.',
  formerSecretUntil: 'The time until which calls are also signed with former secrets.',
  disabledReason: 'Why it is off.',
  attempts: 'The last calls of the webhook, newest first.',
});

describeFields(listWebhookCallsRoute.query, {
  event: 'Only calls for this event.',
  outcome: 'Only calls with this outcome.',
  from: 'Only calls whose first attempt was at this time or later.',
  to: 'Only calls whose first attempt was until this time.',
  limit: 'The maximum number of entries.',
});

describeFields(listWebhookCallsRoute.response.body, {
  calls: 'The calls, newest first.',
  nextCursor: 'The cursor of the next page; absent on the last one.',
});

describeFields(resendWebhookCallRoute.pathParameters, {
  callId: 'The ID of the call, from the list of calls.',
});

describeFields(testEventWebhookRoute.body, {
  eventType: 'The event to send.',
});

describeFields(testEventWebhookRoute.response.body, {
  eventType: 'The event that was sent.',
});
