import type { Channel } from '../schemas/channel.ts';

/** The queue of stream records that `dispatch` cannot dispatch. */
export const DISPATCH_FAILURES_QUEUE = 'dispatch-dead';

/** The queue of each channel, so that one provider's outage holds nobody else. */
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

/** The queue of receipts that arrive later than their answer: those of the sandbox. */
export const RECEIPTS_QUEUE = 'ingest-receipts';

/** The queue of what is due soon: scheduled notifications and digest buckets, delayed to their second. */
export const DUE_QUEUE = 'make-ready';

/** The queue of calls to customers' webhooks. */
export const WEBHOOK_QUEUE = 'call-webhooks';

/** The queue of inbound texts that call for an answer of ours. */
export const TEXT_ANSWER_QUEUE = 'answer-texts';

/** The queue of texts and calls whose price their provider tells only when asked, a while after they ended. */
export const PRICE_QUEUE = 'read-price';

/** The queue of what an account's administrators are to be told by mail. */
export const ADMIN_MAIL_QUEUE = 'mail-admins';

/** Queues of what comes in through SNS: events of SES, events of texts and calls, texts to our numbers, email to our domains. */
export const SES_EVENTS_QUEUE = 'ingest-ses';
export const PHONE_EVENTS_QUEUE = 'ingest-phone';
export const INBOUND_SMS_QUEUE = 'ingest-inbound-sms';
export const INBOUND_MAIL_QUEUE = 'ingest-mail';
