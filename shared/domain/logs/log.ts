import type { Channel } from '../../schemas/channel.ts';
import type { DigestMode } from '../../schemas/delivery/delivery-mode.ts';
import type { FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { Ignored, LogFields, Routing, RoutingReason } from '../../schemas/logs/log-record.ts';
import type { Stage } from '../../schemas/logs/stage.ts';
import type { SendRequest } from '../../schemas/sending/send-request.ts';
import type { PhoneEstimate } from '../costs/phone-costs.ts';
import type { LaterStep, Progress } from '../routing/steps.ts';

export type ChannelRouting = {
  routing: Routing;
  reason?: RoutingReason;
  /** Why it will not be sent, if there is a code for it (`MISSING_EMAIL_RECIPIENT`, …). */
  failureCode?: FailureCode;
  /** Template chosen, as `id@version`. */
  template?: string;
  /** Language of the template variant; absent for the variant without a locale. */
  locale?: string;
  /** Of a channel that collects. */
  mode?: DigestMode;
  /** Of a channel that waits: when its step is due, or until when it is held. */
  dueAtMs?: number;
  heldUntilMs?: number;
  /** The hold is a pause of the user. */
  isPaused?: boolean;
};

/**
 * The state of a notification: waiting for its time, being sent to the members of a topic, sent, or
 * cancelled.
 */
export type HeadState = 'scheduled' | 'fanning' | 'accepted' | 'cancelled';

export type FanOut = {
  /** Due time of its next step. */
  dueAtMs: number;
  /** Where the list of members continues; absent at its beginning and end. */
  cursor?: string | undefined;
  members: number;
  accepted: number;
  ignored: number;
  /** Channels that members were sent something on. */
  channels: Channel[];
  endedAtMs?: number | undefined;
};

/** The head of a notification's log: the request and the decisions. Times in milliseconds. */
export type LogHead = {
  trackingId: string;
  accountId: string;
  environmentId: string;
  userId: string;
  notificationId: string;
  subNotificationId?: string;
  state: HeadState;
  receivedAtMs: number;
  /** Time of the final routing: on acceptance, or at its due time. */
  processedAtMs?: number;
  scheduledForMs?: number;
  scheduleUpdatedAtMs?: number;
  scheduleUpdatedToMs?: number;
  /** Until when a channel was put off after the decisions; retention counts from then. */
  waitedUntilMs?: number;
  scheduleDeletedAtMs?: number;
  /** Channels that are not OFF. */
  routing: Partial<Record<Channel, ChannelRouting>>;
  messages: string[];
  ignored?: Ignored;
  failedAtMs?: number;
  failedCode?: NonNullable<LogFields['failed_code']>;
  failedInternal?: string;
  test?: boolean;
  /** Its type is urgent: quiet hours do not apply, unless the request says otherwise. */
  isUrgent?: boolean;
  /** Its content is shown nowhere, and removed when the last channel has its outcome. */
  isSensitive?: boolean;
  /** Last change of the user's profile that the decision is based on. */
  userChangedAtMs?: number;
  email?: string;
  number?: string;
  ip?: string;
  agent?: string;
  /** The steps after the first, whose channels wait. */
  steps?: LaterStep[];
  /** As accepted, without credentials. */
  request: SendRequest;
  /** For a digest's own log: its items. */
  digest?: DigestContent;
  /**
   * The topic whose members are notified. Each member gets a notification with a separate log, whose `parentId` is this tracking
   * ID.
   */
  topicId?: string;
  parentId?: string;
  fanOut?: FanOut;
  /** Counts the changes of a scheduled notification; absent when it never was one. */
  revision?: number;
  requestHash?: string;
  /** Of an erased email: keyed hashes of the addresses it was for, the user's first. */
  erasedRecipients?: string[];
};

export type LogEvent = {
  /** Undefined for an event of the whole notification. */
  channel: Channel | undefined;
  stage: Stage;
  seq?: string;
  atMs: number;
  fields: LogFields;
  /** Of the stage `sent`: the fields of `delivered`, where the provider's acceptance was the delivery. */
  delivered?: LogFields;
  /** For the stage `digest`: the digest that contains the notification; absent if none does. */
  carrier?: ClaimingDigest;
  /** For the stage `progress`: the progress of a notification with steps or held channels. */
  progress?: Progress;
  /** For the stages `sent` and `cost` of a text message or call. */
  estimate?: PhoneEstimate;
  /** Of a report: the kind of provider that it came from. */
  provider?: string;
  /** From when `*_after` counts, where that is not the notification's own start. */
  sinceMs?: number;
};

/** A digest: the tracking ID of its message's own log, and when it is flushed. */
export type ClaimingDigest = { trackingId: string; flushAtMs: number };

/** The content of a digest's message: its items, oldest first. */
export type DigestContent = {
  mode: DigestMode;
  items: { trackingId: string; request: SendRequest; startsOnFailure?: boolean }[];
};
