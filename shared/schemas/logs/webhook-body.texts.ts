import { describeFields } from '../fields/field-texts.ts';
import { InboundMessage } from './inbound-message.ts';
import { WEBHOOK_DATA, WebhookEnvelope } from './webhook-body.ts';

describeFields(WebhookEnvelope, {
  id: 'The ID of the event, the same on every attempt and in the header webhook-id.',
  type: 'The event, the same as eventType.',
  timestamp: 'Time of the event.',
});

const TEXTS: Readonly<Record<string, string>> = {
  eventType: 'The event.',
  channel: 'The channel of the message.',
  userId: 'The user. For an inbound message that is not a reply, the address of its sender.',
  notificationId: 'The notification type. Empty for an inbound message that is not a reply.',
  trackingId:
    'The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own.',
  trackingIds: 'In an event of a digest, the tracking IDs of the notifications in it.',
  metadata: 'The metadata of the request; of a digest, the pairs that all its notifications share.',
  topic: 'The topic that it was sent to; userId is then empty.',
  reason: 'Why the channel is not sent.',
  failureCode: 'Why the message failed.',
  recipient: "The address that the email failed for: the user's, or the address of a copy.",
  clickedLink: 'The URL of the clicked link.',
  machine: 'True if a machine did it, such as a scanner, and no person.',
  clickedLinkTags: 'The tags of the clicked link, as JSON.',
  requestedAt: 'Time of the request.',
  finishedAt: 'Time when the erasure ended.',
  erasedLogs: 'Number of logs erased.',
  person: 'The hash of the receipt in GET /erasures.',
  readyAt: 'Time when GET /users/{userId}/export has the link.',
  expiresAt: 'Time when the link ends.',
  receivedAt: 'Time the message was received.',
};

for (const schema of Object.values(WEBHOOK_DATA)) {
  const own = Object.entries(TEXTS).filter(([name]) => name in schema.entries);
  describeFields(schema, Object.fromEntries(own), InboundMessage);
}
