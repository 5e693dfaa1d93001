/**
 * Every setting of the functions: what it may be and its default. A setting without a default is required where it is
 * read with `requireSetting`, and optional elsewhere. docs/configuration.md describes each.
 */
export const SETTINGS = {
  // Set by the stacks, and by the local run.
  TABLE_NAME: {},
  KMS_KEY_ID: {},
  BLOB_BUCKET: {},
  PUBLIC_BASE_URL: {},
  TOKEN_ISSUER: {},
  TOKEN_CLIENT_ID: {},
  METRICS_NAMESPACE: {},
  CHANNELS_OFF: { text: '' },
  RESTORED_UNTIL: {},
  EVENT_BUS: {},
  EVENT_SOURCE: {},
  MAIL_DOMAIN: {},
  MAIL_AUTHSERV_ID: {},
  MAIL_RECEIVING: { choices: ['on', 'off'], choice: 'off' },
  SES_CONFIGURATION_SET: {},
  SES_TRACKED_CONFIGURATION_SET: {},
  TRACKING_DOMAIN: {},
  SES_RECEIPT_RULE_SET: {},
  SES_IDENTITY_TAGS: { text: 'application=notifications,stage=local' },
  PHONE_CONFIGURATION_SET: {},
  USER_POOL_ID: {},
  WEBSOCKET_ENDPOINT: {},
  QUEUE_CONCURRENCY: { integer: 1, min: 1 },
  SECRETS_ARN: {},
  AWS_REGION: {},
  DYNAMODB_ENDPOINT: {},

  LOG_LEVEL: { choices: ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'], choice: 'INFO' },
  SERVICE_NAME: { text: 'notifications' },
  CREDENTIAL_REQUESTS_PER_SECOND: { integer: 1000, min: 0 },
  ACCOUNT_REQUESTS_PER_SECOND: { integer: 2000, min: 0 },
  EDGE_HEADER_SHA256: { text: '' },
  CLIENT_ADDRESS_HEADER: { text: '' },
  /** Caps of the free plan a month; -1 is no cap. */
  FREE_MESSAGES_CAP: { integer: 10_000_000 },
  FREE_COST_CAP_USD: { integer: 1000 },
  FREE_SMS_CAP: { integer: -1 },
  FREE_CALL_CAP: { integer: -1 },
  PHONE_PRICE_ESTIMATE_CENTS: { integer: 10, min: 1 },
  /** A day of an account may cost so many times the usual, and at least so much; 0 times is no limit. */
  DAY_COST_FACTOR: { integer: 10, min: 0 },
  DAY_COST_FLOOR_USD: { integer: 100, min: 0 },
  EGRESS_ALLOW_HOSTS: { text: '' },
  PROVIDER_TIMEOUT_MS: { integer: 10_000, min: 1 },

  /** Orders of providers: shared/providers/order/provider-order.ts has what they may name. */
  EMAIL_PROVIDER: {},
  SMS_PROVIDER: {},
  CALL_PROVIDER: {},
  PUSH_PROVIDER: { choices: ['live', 'sandbox'], choice: 'live' },
  WEB_PUSH_PROVIDER: { choices: ['live', 'sandbox'], choice: 'live' },
  CHAT_PROVIDER: { choices: ['live', 'sandbox'], choice: 'live' },
  INAPP_PROVIDER: { choices: ['live', 'sandbox'], choice: 'live' },
  SANDBOX_SENDERS: { choices: ['any', 'verified'], choice: 'any' },

  SMTP_URL: {},
  EMAIL_TRACKING: { choices: ['on', 'off'], choice: 'on' },
  /** The rate SES grants an account that has just left its sandbox. */
  EMAIL_PER_SECOND: { integer: 14, min: 1 },
  DOMAIN_PROVIDER: { choices: ['ses', 'dns', 'sandbox'], choice: 'ses' },
  DNS_SERVERS: {},
  MAIL_FEEDBACK_HOST: {},
  MAIL_SPF_INCLUDE: {},
  MAIL_INBOUND_HOST: {},

  PHONE_NUMBERS: {},
  PHONE_ORIGINATION_IDENTITY: {},
  PHONE_OPT_OUT_LIST: {},
  PHONE_PROTECT_CONFIGURATION: {},
  TWILIO_RISK_CHECK: { choices: ['enable', 'disable'], choice: 'enable' },
  SMS_MESSAGE_TYPE: { choices: ['transactional', 'promotional'], choice: 'transactional' },
  SMS_MAX_PRICE_USD: {},
  /** 0: as long as the provider keeps it, as long as it rings, as long as it takes. */
  SMS_VALIDITY_SECONDS: { integer: 0, min: 0 },
  CALL_TIMEOUT_SECONDS: { integer: 0, min: 0 },
  CALL_MAX_MINUTES: { integer: 0, min: 0 },
  CARRIER_LOOKUP: { choices: ['on', 'off'], choice: 'off' },
  /** AWS accepts 20 text messages per second. */
  SMS_PER_SECOND: { integer: 10, min: 1 },
  /** Twilio starts one call a second; the queue's batches are smaller for it. */
  CALL_PER_SECOND: { integer: 1, min: 1 },
  TWILIO_BASE_URL: { text: 'https://api.twilio.com' },
  TWILIO_LOOKUP_BASE_URL: { text: 'https://lookups.twilio.com' },
  TELNYX_BASE_URL: { text: 'https://api.telnyx.com' },
  TELNYX_MESSAGING_PROFILE_ID: {},

  FCM_BASE_URL: { text: 'https://fcm.googleapis.com' },
  FCM_TOKEN_URL: { text: 'https://oauth2.googleapis.com/token' },
  APNS_PRODUCTION_URL: { text: 'https://api.push.apple.com' },
  APNS_SANDBOX_URL: { text: 'https://api.sandbox.push.apple.com' },
  VAPID_SUBJECT: {},
  CHAT_BASE_URL: { text: 'https://slack.com/api' },

  IDENTITY_PROVIDER: { choices: ['cognito', 'sandbox'], choice: 'cognito' },
  SYSTEM_MAIL_FROM: {},
  SIGN_IN_URL: {},
  PAYMENT_PROVIDER: { choices: ['stripe', 'sandbox'], choice: 'stripe' },
  STRIPE_BASE_URL: { text: 'https://api.stripe.com' },
  BACKEND_PLATFORM: { choices: ['live', 'sandbox'], choice: 'live' },
  BACKEND_PLATFORM_BASE_URL: { text: 'https://api.supabase.com' },
  BACKEND_PLATFORM_REDIRECT_URIS: {},
  BACKEND_SMTP_HOST: {},
  BACKEND_SMTP_PORT: { text: '587' },
} as const satisfies Readonly<Record<string, Setting>>;

type Setting = {
  /** Its default, of a text. */
  text?: string;
  /** Its values, and the default among them. */
  choices?: readonly string[];
  choice?: string;
  /** Its default, of an integer, and the least it may be. */
  integer?: number;
  min?: number;
};

type Settings = typeof SETTINGS;
type NameWith<T> = { [N in keyof Settings]: Settings[N] extends T ? N : never }[keyof Settings];

/** A name of the table. */
export type SettingName = keyof Settings;
export type TextSetting = NameWith<{ text: string }>;
export type ChoiceSetting = NameWith<{ choices: readonly string[] }>;
export type IntegerSetting = NameWith<{ integer: number }>;
export type ChoiceOf<N extends ChoiceSetting> = Settings[N]['choices'][number];

/** The table's entry for a name; undefined for any other name. */
export function findSettingRow(name: string): Setting | undefined {
  return Object.hasOwn(SETTINGS, name) ? SETTINGS[name as SettingName] : undefined;
}
