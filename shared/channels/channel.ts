import type { Unfinished } from '../database/entities/sending/provider-calls.ts';
import type { Rendered } from '../rendering/content.ts';
import type { Channel } from '../schemas/channel.ts';
import type { ApnConfig } from '../schemas/domains/apn-config.ts';
import type { FailureCode } from '../schemas/logs/failure-codes.ts';
import type { LogFields } from '../schemas/logs/log-record.ts';
import type { Attachment, SendOptions, SendRequest } from '../schemas/sending/send-request.ts';
import type { ChatToken, PushToken, WebPushToken } from '../schemas/users/user.ts';
import type { NotAccepted } from './failure/not-accepted.ts';

export type DeliveryBase = {
  trackingId: string;
  accountId: string;
  environmentId: string;
  notificationId: string;
  userId: string;
  /** Which call to the provider this is, from 1. */
  attempt: number;
  /** Milliseconds until the function is stopped; absent without a limit. */
  timeLeftMs?: () => number;
  /** The earlier attempt that this attempt continues. */
  unfinished?: Unfinished;
  /** The provider is asked to keep nothing of the content. */
  isSensitive?: boolean;
  /** When quiet hours begin: a provider that keeps the message may deliver it until then. Absent without a limit. */
  validUntilMs?: number | undefined;
};

/** An email ready to go: rendered, with its sender decided and its headers built. */
export type EmailDelivery = DeliveryBase & {
  to: string;
  from: { address: string; name?: string };
  subject: string;
  html: string;
  /** Plain-text part generated from the html. */
  text: string;
  replyToAddresses: string[];
  /** The address for bounces; absent: the sender. Used by plain SMTP only. */
  returnPath?: string;
  ccAddresses: string[];
  bccAddresses: string[];
  attachments: Attachment[];
  /** Whether opens and clicks are reported; absent: neither. */
  tracking?: { opens: boolean; clicks: boolean };
  /** Replaces the message over plain SMTP, which neither tracks nor receives bounces itself. */
  forPlainSmtp?: () => Promise<EmailDelivery>;
  /** Replaces the message over SES, which tracks by configuration set. */
  forSes?: () => Promise<EmailDelivery>;
  /** A digest is sent without the attachments that cannot be fetched. */
  isDigest?: boolean;
  /** Extra headers in order, at most 15; List-Unsubscribe, List-Unsubscribe-Post, References among them. */
  headers: { name: string; value: string }[];
  /** Present when the sender's domain is one of the account's: signs the message on plain SMTP. */
  dkim?: { domain: string; selector: string; privateKeyPem: string; mailFrom?: string };
  /** Epoch seconds when the log expires: until then, a reply is matched to it. */
  expiresAtSeconds?: number;
};

export type SmsDelivery = DeliveryBase & {
  /** E.164. */
  to: string;
  message: string;
  mediaUrls: string[];
  /** E.164 number of the account; absent: the provider's configured default. */
  from?: string;
  /** Sent automatically to the first reply to this message. */
  autoReply?: string;
  messageType?: 'transactional' | 'promotional';
  /** The highest price of a part, USD. */
  maxPriceUsd?: number;
};

export type CallDelivery = DeliveryBase & {
  to: string;
  /** Text, or SSML if it is `<speak>…</speak>`. */
  message: string;
  /** Language tag of the text. */
  language?: string;
  voice?: string;
  /** How often it is spoken; once by default. */
  repeat?: number;
  from?: string;
  /** How long it rings. */
  timeoutSeconds?: number;
  maxMinutes?: number;
  /** Asks the provider whether a person or a machine answers. */
  machineDetection?: true;
};

export type PushDelivery = DeliveryBase & {
  /** `savedAtMs` dates the token, for APNs' 410 timestamp rule. */
  tokens: (PushToken & { savedAtMs?: number })[];
  title: string;
  message: string;
  /** Where the app leads when it is opened. */
  url?: string;
  image?: string;
  apn?: NonNullable<SendOptions['apn']>;
  fcm?: NonNullable<SendOptions['fcm']>;
  customData?: Record<string, string>;
  /** Account configuration; absent if not set. `fcmConfig` is the service-account JSON text. */
  fcmConfig?: string;
  apnConfig?: ApnConfig;
};

export type WebPushDelivery = DeliveryBase &
  Rendered['WEB_PUSH'] & {
    subscriptions: WebPushToken[];
    options?: NonNullable<SendOptions['web_push']>;
    isUrgent?: boolean;
    /** VAPID pair of the environment, base64url; `subject` is a mailto: or https: address. */
    vapid: { publicKey: string; privateKey: string; subject: string };
    /** Pairs that were replaced and are still valid, newest last. */
    formerVapids?: WebPushDelivery['vapid'][];
  };

export type ChatDelivery = DeliveryBase & {
  chatChannel?: string;
  chatToken?: ChatToken & { obtainedAtMs?: number | undefined };
  content: NonNullable<SendRequest['chat']>;
};

export type InappDelivery = DeliveryBase & {
  title: string;
  body?: string;
  actions?: { label: string; url?: string }[];
  redirectURL?: string;
  imageURL?: string;
  subNotificationId?: string;
  /** Epoch milliseconds: the time of the notification. The item is found by it. */
  acceptedAtMs: number;
  /** When a channel that waited, such as a step, was sent: the item's date. */
  sentAtMs?: number;
  /** Template of the type, so that the browser can group items. */
  template?: Record<string, unknown>;
  parameters: Record<string, unknown>;
  deliveryOptions: Record<string, unknown>;
  /** Expiry of the item, epoch seconds. */
  expiresAtSeconds: number;
};

export type DeliveryByChannel = {
  EMAIL: EmailDelivery;
  INAPP_WEB: InappDelivery;
  SMS: SmsDelivery;
  CALL: CallDelivery;
  PUSH: PushDelivery;
  WEB_PUSH: WebPushDelivery;
  CHAT: ChatDelivery;
};

/** The tokens of a push that its service did not accept yet; `fields` name the last failure, in case none is tried again. */
export type RemainingTokens = { tokens: string[]; afterSeconds?: number; fields: LogFields };

/**
 * A provider's response, as a value.
 * - `sent`: the provider accepted it. `fields` are log fields of the sent stage (`email_sent_message_id`, …). If the provider's
 *   acceptance is also the delivery (chat, plain SMTP), `delivered` has the fields of the delivered stage.
 * - `rejected`: final; `internal` is the provider's own code and text for `<prefix>_failed_internal`. `suppresses`: the mailbox
 *   does not exist, so the address is suppressed.
 * - `retry`: retry, after `afterSeconds` if the provider specified it. After the last retry, `code` and `fields` are recorded.
 *   `triesMax` is the last attempt, if the failure does not justify the channel's whole budget; of email, it counts such failures.
 * - `postponed`: the provider was not called: too little time is left, the account's share is in use, or its hosts are resting.
 *   It does not count as an attempt. `failure` is recorded if hosts rest for too long. With `unfinished`, some of several
 *   providers were called, and the delivery continues with the rest. `afterwards` runs once the outcome is recorded, so that the
 *   record follows the provider's response directly. `notAccepted` of a failure proves that the provider does not have the
 *   message: see failover. `deadTokens` (push tokens or web push endpoints) are removed from the user. `remaining` of a sent push
 *   can still be accepted later.
 */
export type DeliveryOutcome<C extends Channel = Channel> = {
  deadTokens?: string[];
  afterwards?: () => Promise<void>;
  notAccepted?: NotAccepted;
} & (
  | { kind: 'sent'; fields: LogFields; delivered?: LogFields; remaining?: RemainingTokens }
  | { kind: 'rejected'; code: FailureCode<C>; internal: string; fields?: LogFields; suppresses?: true }
  | {
      kind: 'retry';
      code: FailureCode<C>;
      internal: string;
      afterSeconds?: number;
      fields?: LogFields;
      triesMax?: number;
    }
  | {
      kind: 'postponed';
      afterSeconds: number;
      failure?: { code: FailureCode<C>; internal: string; fields?: LogFields };
      unfinished?: Unfinished;
    }
);

/** One provider of one channel: an external service, or the sandbox. Returns every response it can name; throws faults of this
 * service. */
export type ChannelProvider<C extends Channel> = {
  name: string;
  /**
   * Waits for this deployment's turn at the provider. If the turn comes too late for the time left, returns
   * immediately with the seconds until then. Absent if the provider is not paced.
   */
  awaitTurn?: ((timeLeftMs: number) => Promise<{ againSeconds: number } | undefined>) | undefined;
  deliver(delivery: DeliveryByChannel[C]): Promise<DeliveryOutcome<C>>;
};
