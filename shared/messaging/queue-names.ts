import type { Channel } from '../schemas/channel.ts';

/** The queue of stream records that `dispatch` cannot dispatch. */
export const DISPATCH_FAILURES_QUEUE = 'dispatch-dead';

/** A queue per channel, so that one provider's outage does not delay the others. */
export const CHANNEL_QUEUES = {
  EMAIL: 'deliver-email',
  INAPP_WEB: 'deliver-inapp',
  SMS: 'deliver-sms',
  CALL: 'deliver-call',
  PUSH: 'deliver-push',
  WEB_PUSH: 'deliver-web-push',
  CHAT: 'deliver-chat',
} as const satisfies Record<Channel, string>;

/** The queue of notifications that wait in a digest. */
export const COLLECT_QUEUE = 'collect-digest';

/** The queue of what follows a delivery or a webhook call: receipts of the sandbox, prices to ask for, notices to administrators. */
export const FOLLOW_UP_QUEUE = 'follow-up';

/**
 * The queue of work that is due soon: scheduled notifications and digest buckets, delayed to their second.
 */
export const DUE_QUEUE = 'make-ready';

export const WEBHOOK_QUEUE = 'call-webhooks';

/** The queue of events for the deployment's bus of EventBridge. */
export const EVENTS_QUEUE = 'publish-events';

export const TEXT_ANSWER_QUEUE = 'answer-texts';

/** Queues of inbound SNS events: inbound text messages, inbound email. */
export const INBOUND_SMS_QUEUE = 'ingest-inbound-sms';
export const INBOUND_MAIL_QUEUE = 'ingest-mail';
