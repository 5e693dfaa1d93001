import * as v from 'valibot';
import { CHANNELS, LOG_PREFIX, type LogPrefix } from '../channel.ts';
import { FAILURE_CODES } from './failure-codes.ts';

const text = v.optional(v.string());
const number = v.optional(v.number());
const flag = v.optional(v.boolean());

/** Routing decisions. */
export const Routing = v.picklist([
  'OFF',
  'SEND',
  'BATCH',
  'IGNORE',
  'SCHEDULE',
  'THROTTLED',
  'DEDUPLICATED',
]);
export type Routing = v.InferOutput<typeof Routing>;

/** Why a channel is ignored. */
export const RoutingReason = v.picklist([
  'IGNORE_BY_PREFERENCES',
  'IGNORE_BY_ENVIRONMENT',
  'IGNORE_BY_DEFAULT_DELIVERY',
  'NO_CONSENT',
  'NOT_ENABLED',
  'ACCOUNT_DISABLED',
  'TYPE_DISABLED',
  'NO_ADDRESS',
  'NO_CONTENT',
  'SUPPRESSED',
  'OPTED_OUT',
  'CONDITION',
  'OVER_CAP',
  'NO_TYPE',
]);
export type RoutingReason = v.InferOutput<typeof RoutingReason>;

/** Why a whole notification is ignored. */
export const Ignored = v.picklist([
  'THROTTLING',
  'DEDUPLICATION',
  'DISABLED_NOTIFICATION',
  'ALL_CHANNELS_IGNORED',
]);
export type Ignored = v.InferOutput<typeof Ignored>;

/** Why a whole notification failed. */
export const FailedCode = v.picklist([
  'SPAM_CONTENT',
  'INVALID_SCHEDULE_FORMAT',
  'SCHEDULE_RESOURCE_NOT_FOUND',
  'MISSING_NOTIFICATION_TYPE',
  'UNKNOWN',
]);

const routing = v.optional(Routing);
const routingReason = v.optional(RoutingReason);

/** Why a channel of a later step was not sent. */
export const SkippedReason = v.picklist(['SEEN', 'DELIVERED', 'CANCELED']);
const skippedReason = v.optional(SkippedReason);

type PerChannel<F> = { [N in keyof F & string as `${LogPrefix}_${N}`]: F[N] };

/** The fields of every channel, each under its prefix. */
function perChannel<F extends Record<string, v.GenericSchema>>(fields: F): PerChannel<F> {
  const named = CHANNELS.flatMap((channel) =>
    Object.entries(fields).map(([name, field]) => [`${LOG_PREFIX[channel]}_${name}`, field]),
  );
  return Object.fromEntries(named) as PerChannel<F>;
}

const general = {
  received_at: text,
  type: text,
  envId: text,
  clientId: text,
  agent: text,
  ip: text,
  request: text,
  metadata: v.optional(v.record(v.string(), v.string())),
  test: flag,
  processed_at: text,
  scheduled_for: text,
  user_id: text,
  user_email: text,
  user_number: text,
  ignored: v.optional(Ignored),
  failed_at: text,
  failed_code: v.optional(FailedCode),
  failed_internal: text,
  schedule_updated_at: text,
  schedule_updated_to: text,
  schedule_deleted_at: text,
  topic: text,
  topic_tracking_id: text,
  topic_state: v.optional(v.picklist(['accepted', 'fanning_out', 'fanned_out', 'cancelled'])),
  topic_members: number,
  topic_accepted: number,
  topic_ignored: number,
  topic_fanned_out_at: text,
};

const email = {
  email_sent_message_id: text,
  email_sent_provider: text,
  email_attempts: text,
  email_next_try_at: text,
  email_delivered_recipients: text,
  email_delivered_internal: text,
  email_delivered_webhook_res: text,
  email_failed_code: v.optional(v.picklist(FAILURE_CODES.EMAIL)),
  email_failed_recipient: text,
  email_failed_diagnostic_code: text,
  email_opened_at: text,
  email_opened_user_agent: text,
  email_opened_ip: text,
  email_opened_webhook_res: text,
  email_opened_machine: flag,
  email_opened_machine_at: text,
  email_opened_machine_webhook_res: text,
  email_clicked_machine: flag,
  email_clicked_machine_at: text,
  email_clicked_machine_webhook_res: text,
  email_clicked_at: text,
  email_clicked_user_agent: text,
  email_clicked_ip: text,
  email_clicked_link: text,
  email_clicked_link_tags: text,
  email_clicked_webhook_res: text,
  email_inbound_at: text,
  email_inbound_from: text,
  email_inbound_from_name: text,
  email_inbound_to: text,
  email_inbound_cc: text,
  email_inbound_bcc: text,
  email_inbound_reply_to: text,
  email_inbound_inbox: text,
  email_inbound_subject: text,
  email_inbound_body_text: text,
  email_inbound_body_html: text,
  email_inbound_has_attachments: flag,
  email_inbound_attachment_count: number,
  email_inbound_internal: text,
  email_inbound_message_id: text,
  email_inbound_in_reply_to: text,
  email_inbound_references: text,
  email_inbound_webhook_delivered: flag,
  email_inbound_webhook_res: text,
  email_inbound_resolution_type: v.optional(v.picklist(['reply', 'builtin', 'custom'])),
};

const inapp = {
  inapp_failed_code: v.optional(v.picklist(FAILURE_CODES.INAPP_WEB)),
};

const sms = {
  sms_sent_from: text,
  sms_sent_provider: text,
  sms_attempts: text,
  sms_sent_carrier: text,
  sms_sent_line_type: text,
  sms_sent_encoding: text,
  sms_sent_segments: number,
  sms_sent_parts: number,
  sms_sent_cost: number,
  sms_sent_country: text,
  sms_sent_messageId: text,
  sms_sent_mms: flag,
  sms_carrier_cost_internal: number,
  sms_carrier_fee_internal: number,
  sms_rate_internal: number,
  sms_delivered_cost_internal: number,
  sms_failed_code: v.optional(v.picklist(FAILURE_CODES.SMS)),
  sms_inbound_at: text,
  sms_inbound_from: text,
  sms_inbound_to: text,
  sms_inbound_text: text,
  sms_inbound_webhook_delivered: flag,
  sms_inbound_webhook_res: text,
  sms_inbound_media: text,
  sms_replied_at: text,
  sms_replied_to: text,
  sms_replied_text: text,
  sms_replied_segments: number,
  sms_replied_encoding: text,
  sms_unsubscribe_at: text,
  sms_unsubscribe_from: text,
  sms_unsubscribe_keyword: text,
  sms_unsubscribe_webhook_delivered: flag,
  sms_subscribe_at: text,
  sms_subscribe_from: text,
  sms_subscribe_keyword: text,
  sms_subscribe_webhook_delivered: flag,
  sms_subscribe_webhook_res: text,
};

const call = {
  call_sent_from: text,
  call_sent_provider: text,
  call_attempts: text,
  call_answered_by: v.optional(v.picklist(['human', 'machine', 'unknown'])),
  call_delivered_code: v.optional(v.picklist(['COMPLETED', 'BUSY', 'NO_ANSWER', 'UNKNOWN'])),
  call_delivered_cost_internal: number,
  call_delivered_cost: number,
  call_failed_code: v.optional(v.picklist(FAILURE_CODES.CALL)),
};

const mobilePush = {
  mobile_push_sent_token: text,
  mobile_push_opened_at: text,
  mobile_push_clicked_at: text,
  mobile_push_failed_code: v.optional(v.picklist(FAILURE_CODES.PUSH)),
  mobile_push_failed_token: text,
};

const webPush = {
  web_push_sent_token: text,
  web_push_delivered_token: text,
  web_push_delivered_internal: text,
  web_push_opened_at: text,
  web_push_clicked_at: text,
  web_push_failed_token: text,
  web_push_failed_code: v.optional(v.picklist(FAILURE_CODES.WEB_PUSH)),
};

const chat = {
  chat_delivered_internal: text,
  chat_failed_code: v.optional(v.picklist(FAILURE_CODES.CHAT)),
};

/** Every optional field of the delivery log record. */
export const LogFields = v.object({
  ...general,
  ...perChannel({ routing, routing_reason: routingReason }),
  /** The template that was chosen, and the language of its variant. */
  ...perChannel({ template: text, locale: text }),
  /** What every channel has; of variables of the content without a value, the names, and how many there are. */
  ...perChannel({
    missing: text,
    missing_count: number,
    preview: text,
    sent_at: text,
    sent_after: number,
    delivered_at: text,
    delivered_after: number,
    failed_at: text,
    failed_internal: text,
    failed_webhook_res: text,
    unsubscribe_webhook_res: text,
  }),
  /** Channels that wait: for a step, or held during quiet hours. */
  ...perChannel({
    due_at: text,
    held_until: text,
    skipped_at: text,
    skipped_reason: skippedReason,
  }),
  ...email,
  ...inapp,
  ...sms,
  ...call,
  ...mobilePush,
  ...webPush,
  ...chat,
  /** The responses to the webhook calls of all other events of webhooks. */
  email_copy_failed_webhook_res: text,
  sms_delivered_webhook_res: text,
  accepted_webhook_res: text,
  ...perChannel({ withheld_webhook_res: text }),
});
export type LogFields = v.InferOutput<typeof LogFields>;

/** The delivery log record of GET /logs/{trackingIds}. */
export const LogRecord = v.object({
  trackingId: v.string(),
  accountId: v.string(),
  ...LogFields.entries,
  truncated: v.optional(v.array(v.string())),
});
export type LogRecord = v.InferOutput<typeof LogRecord>;
