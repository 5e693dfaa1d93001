import { LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import { FREE_PLAN_SETTINGS } from '../../../shared/domain/costs/usage-caps.ts';
import type { Grants, Service } from '../../../shared/http/rows/route.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import { CHANNEL_QUEUES, DUE_QUEUE, FOLLOW_UP_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { RECEIVES_MAX } from '../../../shared/messaging/receives.ts';
import { byChannel, CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';

const PROVIDER_GRANTS = {
  EMAIL: ['ses', 'secrets'],
  INAPP_WEB: ['websocket'],
  SMS: ['text-messages', 'secrets'],
  CALL: ['voice-messages', 'secrets'],
  PUSH: [],
  WEB_PUSH: [],
  CHAT: ['secrets'],
} as const satisfies Record<Channel, readonly Service[]>;

const AWS_PHONE_SETTINGS = [
  'PHONE_CONFIGURATION_SET',
  'PHONE_ORIGINATION_IDENTITY',
  'PHONE_PROTECT_CONFIGURATION',
] as const;
/** Caps are evaluated just before the provider is called. */
const CAP_SETTINGS = [...FREE_PLAN_SETTINGS, 'PHONE_PRICE_ESTIMATE_CENTS'] as const;
const PHONE_BASE_URLS = ['TWILIO_BASE_URL', 'TELNYX_BASE_URL'] as const;

const PROVIDER_SETTINGS = {
  EMAIL: [
    'EMAIL_PROVIDER',
    'SANDBOX_SENDERS',
    'SMTP_URL',
    'EMAIL_TRACKING',
    'SES_CONFIGURATION_SET',
    'SES_TRACKED_CONFIGURATION_SET',
    'TRACKING_DOMAIN',
    'MAIL_DOMAIN',
    'MAIL_RECEIVING',
    'DOMAIN_PROVIDER',
    'EGRESS_ALLOW_HOSTS',
    'EMAIL_PER_SECOND',
    'QUEUE_CONCURRENCY',
  ],
  INAPP_WEB: ['INAPP_PROVIDER', 'WEBSOCKET_ENDPOINT', 'EGRESS_ALLOW_HOSTS'],
  SMS: [
    ...CAP_SETTINGS,
    'SMS_PROVIDER',
    'PHONE_NUMBERS',
    'SMS_MESSAGE_TYPE',
    'SMS_MAX_PRICE_USD',
    'SMS_VALIDITY_SECONDS',
    'TWILIO_RISK_CHECK',
    'SMS_PER_SECOND',
    'CARRIER_LOOKUP',
    'TWILIO_LOOKUP_BASE_URL',
    'QUEUE_CONCURRENCY',
    ...AWS_PHONE_SETTINGS,
    ...PHONE_BASE_URLS,
    'TELNYX_MESSAGING_PROFILE_ID',
    'EGRESS_ALLOW_HOSTS',
    'PROVIDER_TIMEOUT_MS',
  ],
  CALL: [
    ...CAP_SETTINGS,
    'CALL_PROVIDER',
    'CALL_TIMEOUT_SECONDS',
    'CALL_MAX_MINUTES',
    'CALL_PER_SECOND',
    'QUEUE_CONCURRENCY',
    ...AWS_PHONE_SETTINGS,
    ...PHONE_BASE_URLS,
    'EGRESS_ALLOW_HOSTS',
    'PROVIDER_TIMEOUT_MS',
  ],
  PUSH: [
    'PUSH_PROVIDER',
    'FCM_BASE_URL',
    'FCM_TOKEN_URL',
    'APNS_PRODUCTION_URL',
    'APNS_SANDBOX_URL',
    'EGRESS_ALLOW_HOSTS',
    'PROVIDER_TIMEOUT_MS',
  ],
  WEB_PUSH: ['WEB_PUSH_PROVIDER', 'VAPID_SUBJECT', 'MAIL_DOMAIN', 'EGRESS_ALLOW_HOSTS'],
  CHAT: ['CHAT_PROVIDER', 'CHAT_BASE_URL', 'EGRESS_ALLOW_HOSTS', 'PROVIDER_TIMEOUT_MS'],
} as const satisfies Record<Channel, readonly string[]>;

/**
 * Concurrency of the queues. Emails, SMS and calls wait for the provider's rate, so few instances are enough;
 * calls come in small batches, because each takes long.
 */
const FLOW: Record<Channel, { batchSize: number; concurrencyMax: number; timeoutSeconds?: number }> = {
  // Attachments and a slow SMTP server take up to 27 s after the wait for the rate.
  EMAIL: { batchSize: 10, concurrencyMax: 2, timeoutSeconds: 60 },
  INAPP_WEB: { batchSize: 10, concurrencyMax: 50 },
  SMS: { batchSize: 10, concurrencyMax: 2 },
  CALL: { batchSize: 5, concurrencyMax: 2 },
  PUSH: { batchSize: 10, concurrencyMax: 20 },
  WEB_PUSH: { batchSize: 10, concurrencyMax: 20 },
  CHAT: { batchSize: 10, concurrencyMax: 5 },
};

const TIMEOUT_SECONDS = 30;

/** Dead connections are removed. */
const MORE_ACCESS = {
  ...byChannel(() => []),
  INAPP_WEB: ['delete'],
} as const satisfies Record<Channel, NonNullable<Grants['table']>>;

/**
 * Media of text messages are copied to where AWS reads them from, with the grants of the sending function.
 */
const MEDIA_BLOBS = {
  read: [...LOG_FOLDERS, 'media'],
  write: ['media', 'requests'],
  delete: ['requests'],
} as const;
/** The log of a message that a pause holds is kept for longer, with its request. */
const REQUEST_BLOBS = { read: LOG_FOLDERS, write: ['requests'], delete: ['requests'] } as const;

const deliverers = CHANNELS.map(
  (channel): WorkerRow => ({
    name: CHANNEL_QUEUES[channel],
    summary: `Delivers ${channel} messages through the provider and appends the outcome to the log.`,
    trigger: {
      kind: 'queue',
      queue: CHANNEL_QUEUES[channel],
      batchSize: FLOW[channel].batchSize,
      concurrencyMax: FLOW[channel].concurrencyMax,
      fifo: true,
      visibilityTimeoutSeconds: 6 * (FLOW[channel].timeoutSeconds ?? TIMEOUT_SECONDS),
      receiveCountMax: RECEIVES_MAX,
    },
    timeoutSeconds: FLOW[channel].timeoutSeconds ?? TIMEOUT_SECONDS,
    memoryMb: 512,
    grants: {
      table: ['get', 'batchGet', 'query', 'put', 'update', ...MORE_ACCESS[channel]],
      keyring: ['decrypt', 'encrypt'],
      blobs: channel === 'SMS' ? MEDIA_BLOBS : REQUEST_BLOBS,
      services: PROVIDER_GRANTS[channel],
      sendsTo: [FOLLOW_UP_QUEUE, DUE_QUEUE],
    },
    settings: [...PROVIDER_SETTINGS[channel], 'CHANNELS_OFF'],
    returns: [
      {
        by: [DUE_QUEUE],
        end: 'A delivery is postponed for at most 14 days, for an hour if its host fails; then its receives count. What quiet hours and a pause hold waits in the table.',
      },
    ],
  }),
);

/** The workers that deliver an accepted notification, one per channel. */
export const workers: readonly WorkerRow[] = deliverers;
