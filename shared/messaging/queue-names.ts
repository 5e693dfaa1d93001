import type { Channel } from '../schemas/channel.ts';

/** The queue of stream records that `dispatch` cannot dispatch. */
export const DISPATCH_FAILURES_QUEUE = 'dispatch-dead';

/** The queue of each channel, so that one provider's outage does not delay the others. */
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

/** The queue of receipts that arrive after the response: those of the sandbox. */
export const RECEIPTS_QUEUE = 'ingest-receipts';

/**
 * The queue of work that is due soon: scheduled notifications and digest buckets, delayed to their second.
 */
export const DUE_QUEUE = 'make-ready';

/** The queue of calls to customers' webhooks. */
export const WEBHOOK_QUEUE = 'call-webhooks';

/** The queue of inbound text messages that need a reply. */
export const TEXT_ANSWER_QUEUE = 'answer-texts';

/**
 * The queue of text messages and calls whose price must be requested from the provider some time after they
 * ended.
 */
export const PRICE_QUEUE = 'read-price';

/** The queue of notices to an account's administrators by email. */
export const ADMIN_MAIL_QUEUE = 'mail-admins';

/**
 * Queues of inbound SNS events: SES events, events of text messages and calls, inbound text messages, inbound
 * email.
 */
export const SES_EVENTS_QUEUE = 'ingest-ses';
export const PHONE_EVENTS_QUEUE = 'ingest-phone';
export const INBOUND_SMS_QUEUE = 'ingest-inbound-sms';
export const INBOUND_MAIL_QUEUE = 'ingest-mail';
