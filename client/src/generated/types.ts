// Written by `npm run openapi` from the route table.

/** Code of an error body. */
export type ErrorCode = "INVALID_REQUEST" | "INVALID_JSON" | "UNAUTHORIZED" | "FORBIDDEN_KEY_TYPE" | "ADMIN_ONLY" | "RESOURCE_NOT_FOUND" | "DUPLICATE_RESOURCE" | "RESOURCE_IN_USE" | "TOO_MANY_TRACKING_IDS" | "INVALID_CURSOR" | "MISSING_NOTIFICATION_TYPE" | "MISSING_RECIPIENT" | "INVALID_CHANNEL" | "INVALID_FIELD_FOR_CHANNEL" | "INVALID_TEMPLATE" | "INVALID_SCHEDULE_FORMAT" | "SCHEDULE_RESOURCE_NOT_FOUND" | "IDEMPOTENCY_KEY_REUSED" | "UNVERIFIED_SENDER" | "LAST_ADMIN" | "NOT_CONNECTED" | "USAGE_LIMIT" | "RATE_LIMITED" | "PROVIDER_ERROR" | "INTERNAL";

export type ApiKey = {
  /** The ID. */
  id: string;
  /** The text of the key. */
  key: string;
  /** Where the key may be used: secret on servers, public in browsers and apps. */
  keyType: "secret" | "public";
  /** The environment. */
  environmentId?: string;
  /** The account. */
  accountId: string;
  /** The name. */
  name: string;
  /** Whether the key no longer works. */
  revoked: boolean;
  /** When it was created. */
  createdAt: string;
  /** When the key was last used, to the day. */
  lastUsedAt?: string;
};

export type Channel = "EMAIL" | "INAPP_WEB" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT";

export type ChatToken = {
  /** The access token. */
  access_token?: string;
  /** The ID of the app. */
  app_id?: string;
  /** The user who authorized the app. */
  authed_user?: {
    /** The access token. */
    access_token?: string;
    /** Seconds until the token expires. */
    expires_in?: number;
    /** The ID. */
    id?: string;
    /** The refresh token. */
    refresh_token?: string;
    /** What the limit counts by. */
    scope?: string;
    /** The type of the token. */
    token_type?: string;
  };
  /** The ID of the app's bot. */
  bot_user_id?: string;
  /** The enterprise of the workspace. */
  enterprise?: {
    /** The ID. */
    id?: string;
    /** The name. */
    name?: string;
  } | null;
  /** What went wrong. */
  error?: string;
  /** Seconds until the token expires. */
  expires_in?: number;
  /** The incoming webhook of the app. */
  incoming_webhook?: {
    /** A channel. */
    channel?: string;
    /** The ID of the chat channel. */
    channel_id?: string;
    /** Where the webhook is configured. */
    configuration_url?: string;
    /** A URL. */
    url?: string;
  };
  /** Whether the app is installed for the enterprise. */
  is_enterprise_install?: boolean;
  /** The scope that was needed. */
  needed?: string;
  /** Whether the chat provider accepted the request. */
  ok?: boolean;
  /** The scope that was provided. */
  provided?: string;
  /** The refresh token. */
  refresh_token?: string;
  /** What the limit counts by. */
  scope?: string;
  /** The workspace. */
  team?: {
    /** The ID. */
    id?: string;
    /** The name. */
    name?: string;
  };
  /** The type of the token. */
  token_type?: string;
  /** A warning of the chat provider. */
  warning?: string;
  /** Metadata of the chat provider's response. */
  response_metadata?: {
    /** Warnings of the chat provider. */
    warnings?: string[];
    /** The chat provider's cursor. */
    next_cursor?: string;
    /** Scopes of the token. */
    scopes?: string[];
    /** Scopes that would have been accepted. */
    acceptedScopes?: string[];
    /** Seconds to wait. */
    retryAfter?: number;
    /** Messages; of a send, the reason for every channel that will not be sent. */
    messages?: string[];
  };
};

export type Environment = {
  /** The ID of an environment. */
  clientId: string;
  /** The secret that user hashes are made with. */
  clientSecret: string;
  /** The title. */
  title: string;
  /** Channels that the environment does not send on. */
  disableSending: Channel[];
  /** Whether public keys also need the user's hash. */
  secureMode: boolean;
};

export type ErrorResponse = {
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** What went wrong. */
  error: {
    /** A code. */
    code: "INVALID_REQUEST" | "INVALID_JSON" | "UNAUTHORIZED" | "FORBIDDEN_KEY_TYPE" | "ADMIN_ONLY" | "RESOURCE_NOT_FOUND" | "DUPLICATE_RESOURCE" | "RESOURCE_IN_USE" | "TOO_MANY_TRACKING_IDS" | "INVALID_CURSOR" | "MISSING_NOTIFICATION_TYPE" | "MISSING_RECIPIENT" | "INVALID_CHANNEL" | "INVALID_FIELD_FOR_CHANNEL" | "INVALID_TEMPLATE" | "INVALID_SCHEDULE_FORMAT" | "SCHEDULE_RESOURCE_NOT_FOUND" | "IDEMPOTENCY_KEY_REUSED" | "UNVERIFIED_SENDER" | "LAST_ADMIN" | "NOT_CONNECTED" | "USAGE_LIMIT" | "RATE_LIMITED" | "PROVIDER_ERROR" | "INTERNAL";
    /** The text of the message. */
    message: string;
    /** What to do next. */
    fix?: string;
    /** The external service that failed. */
    provider?: string;
    /** The external service's own code. */
    providerCode?: string;
  };
};

export type Account = {
  /** The account. */
  accountId: string;
  /** The name. */
  name: string;
  /** The environment of callers that name none. */
  defaultEnvironmentId: string;
  /** The URL of the logo. */
  logo?: string;
  /** How many days delivery logs are kept. */
  retentionInDays: number;
  /** An IANA timezone, such as Europe/Berlin. */
  timezone?: string;
  /** A language tag (BCP 47), such as de or pt-BR. */
  locale?: string;
  /** The sender of emails that name none. */
  defaultSender?: {
    /** An email address. */
    address: string;
    /** The name. */
    name?: string;
  };
  /** App schemes that links may have, beside http and https. */
  linkSchemes: string[];
  /** When notifications do not interrupt. */
  quietHours?: {
    /** The sender. */
    from: string;
    /** The recipient. */
    to: string;
    /** Weekdays on which quiet hours begin; every day without it. */
    days?: string[];
    /** Channels. */
    channels?: ("EMAIL" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT")[];
    /** A delivery mode. */
    mode?: "hold" | "drop";
  };
  /** When it was created. */
  createdAt: string;
};

export type Address = {
  /** The whole email address. */
  fullAddress: string;
  /** The part before the @. */
  prefix: string;
  /** A sender domain. */
  domain: string;
  /** The notification type, or the kind of the entry. */
  type: "builtin" | "custom";
  /** When it was created. */
  createdAt: string;
  /** The name that recipients see. */
  displayName?: string;
};

export type Attachment = {
  /** The file's name. */
  filename: string;
  /** A URL. */
  url: string;
};

export type Component = {
  /** The environment. */
  envId: string;
  /** The ID of a component. */
  componentId: string;
  /** The name. */
  name: string;
  /** The editor's representation. */
  internal: string;
  /** The editor's representation of the page. */
  internalPage: string;
  /** The HTML, as Liquid. */
  html: string;
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  modifiedAt: string;
  /** The templates that embed it. */
  referencedBy: {
    /** The ID of a notification type. */
    notificationId: string;
    /** A channel. */
    channel: Channel;
    /** The ID of a template. */
    templateId: string;
  }[];
  /** A channel. */
  channel: "EMAIL";
};

export type Member = {
  /** The user. */
  userId: string;
  /** The user's email address; as content, inline content of EMAIL. */
  email: string;
  /** The member's role. */
  role: "admin" | "member";
  /** The state. */
  status: "invited" | "active";
  /** The address that waits for its confirmation. */
  pendingEmail?: string;
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
};

export type Organization = {
  /** The organization. */
  organizationId: string;
  /** The plan. */
  organizationType: "free" | "paid";
  /** The member who created it. */
  creator: string;
  /** The name. */
  name: string;
  /** Most messages per billing period, on all message channels. */
  messagesCap: number;
  /** Most USD spent on SMS and CALL per billing period. */
  costCap: number;
  /** Most SMS per billing period. */
  smsCap?: number;
  /** Most calls per billing period. */
  callCap?: number;
  /** One of 1, 3. */
  billingVersion?: number;
  /** The day of the next monthly reset. */
  anniversaryDate: string;
  /** Whether sending continues over the caps. */
  allowOverage: boolean;
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
  /** The ID of the checkout. */
  sessionId?: string;
  /** A URL. */
  url?: string;
};

export type SenderDomain = {
  /** The sender domain. */
  sender: string;
  /** The state. */
  status: "SUCCESS" | "PENDING" | "FAILED" | "TEMPORARY_FAILURE" | "NOT_STARTED";
  /** When DNS was last checked. */
  lastSync: string;
  /** Tokens of the verification. */
  verificationTokens?: string[];
  /** The state of the MAIL FROM subdomain. */
  mailFromDomainStatus?: "PENDING" | "SUCCESS" | "FAILED" | "TEMPORARY_FAILURE";
  /** When it was created. */
  createdAt: string;
  /** When the reminder about unpublished records was sent. */
  reminderSentAt?: string;
  /** The DKIM selector. */
  selector: string;
  /** The DNS records to publish. */
  verificationRecords?: {
    /** The record of the DKIM key. */
    dkim: {
      /** The type of the DNS record. */
      recordType: "TXT" | "MX";
      /** The record's name relative to the registrable zone, @ for the zone itself. */
      recordName: string;
      /** The full name of the DNS record. */
      host: string;
      /** The value of the DNS record. */
      recordValue: string;
      /** The priority. */
      priority?: number;
      /** Whether the record is needed to send. */
      required: boolean;
    };
    /** The SPF record of the MAIL FROM subdomain. */
    mail_from_spf: {
      /** The type of the DNS record. */
      recordType: "TXT" | "MX";
      /** The record's name relative to the registrable zone, @ for the zone itself. */
      recordName: string;
      /** The full name of the DNS record. */
      host: string;
      /** The value of the DNS record. */
      recordValue: string;
      /** The priority. */
      priority?: number;
      /** Whether the record is needed to send. */
      required: boolean;
    };
    /** The MX record of the MAIL FROM subdomain. */
    mail_from_mx: {
      /** The type of the DNS record. */
      recordType: "TXT" | "MX";
      /** The record's name relative to the registrable zone, @ for the zone itself. */
      recordName: string;
      /** The full name of the DNS record. */
      host: string;
      /** The value of the DNS record. */
      recordValue: string;
      /** The priority. */
      priority?: number;
      /** Whether the record is needed to send. */
      required: boolean;
    };
    /** The DMARC record. */
    dmarc: {
      /** The type of the DNS record. */
      recordType: "TXT" | "MX";
      /** The record's name relative to the registrable zone, @ for the zone itself. */
      recordName: string;
      /** The full name of the DNS record. */
      host: string;
      /** The value of the DNS record. */
      recordValue: string;
      /** The priority. */
      priority?: number;
      /** Whether the record is needed to send. */
      required: boolean;
    };
    /** The MX record for inbound email. */
    inbound_mx: {
      /** The type of the DNS record. */
      recordType: "TXT" | "MX";
      /** The record's name relative to the registrable zone, @ for the zone itself. */
      recordName: string;
      /** The full name of the DNS record. */
      host: string;
      /** The value of the DNS record. */
      recordValue: string;
      /** The priority. */
      priority?: number;
      /** Whether the record is needed to send. */
      required: boolean;
    };
  };
};

export type Template = {
  /** The environment. */
  envId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of a template. */
  templateId: string;
  /** A language tag (BCP 47), such as de or pt-BR. */
  locale?: string;
  /** A channel. */
  channel: Channel;
  /** Whether it is the default for instant delivery. */
  default: boolean;
  /** The delivery modes that the template is the default for. */
  isDefaultFor?: Record<string, boolean>;
};

export type UsageItem = {
  /** The month, YYYY-MM. */
  yearMonth: string;
  /** Messages by channel. */
  counts: {
    /** Of the channel EMAIL. */
    EMAIL: number;
    /** Of the channel INAPP_WEB. */
    INAPP_WEB: number;
    /** Of the channel SMS. */
    SMS: number;
    /** Of the channel CALL. */
    CALL: number;
    /** Of the channel PUSH. */
    PUSH: number;
    /** Of the channel WEB_PUSH. */
    WEB_PUSH: number;
    /** Of the channel CHAT. */
    CHAT: number;
  };
};

export type InboundMessage = {
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** The kind of event. */
  eventType: string;
  /** When it happened. */
  timestamp: string;
  /** The time in milliseconds since 1970. */
  epochMs: number;
  /** The address that received the email. */
  inbox?: string;
  /** The sender. */
  from?: string;
  /** The sender's display name. */
  fromName?: string;
  /** The subject of the email. */
  subject?: string;
  /** The recipient. */
  to?: string[];
  /** Copies. */
  cc?: string[];
  /** Blind copies. */
  bcc?: string[];
  /** The Reply-To of the email. */
  replyTo?: string;
  /** The text body of the inbound email. */
  bodyText?: string;
  /** The HTML body of the inbound email. */
  bodyHtml?: string;
  /** Files of the message. */
  attachments?: {
    /** The file's name. */
    filename: string;
    /** The media type. */
    contentType: string;
    /** The size in bytes. */
    size: number;
    /** The Content-ID of an inline attachment. */
    contentId?: string;
  }[];
  /** Media of the inbound message. */
  media?: {
    /** A URL. */
    url: string;
    /** The media type. */
    contentType?: string;
  }[];
  /** What was cut from the inbound message. */
  cut?: string[];
  /** The Message-ID. */
  messageId?: string;
  /** The Message-ID that the email replies to. */
  inReplyTo?: string;
  /** The References of the email. */
  references?: string;
  /** How the recipient was found. */
  resolutionType?: "reply" | "builtin" | "custom" | "inbound";
};

export type LogRecord = {
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** The account. */
  accountId: string;
  /** When the request was received. */
  received_at?: string;
  /** The notification type, or the kind of the entry. */
  type?: string;
  /** The environment. */
  envId?: string;
  /** The ID of an environment. */
  clientId?: string;
  /** The user agent of the request. */
  agent?: string;
  /** The IP address of the request. */
  ip?: string;
  /** The request's body as JSON. */
  request?: string;
  /** Whether it was a test email. */
  test?: boolean;
  /** When the schedule or the digest was due and processed. */
  processed_at?: string;
  /** When it was scheduled for. */
  scheduled_for?: string;
  /** The user. */
  user_id?: string;
  /** The user's email address when the notification was accepted. */
  user_email?: string;
  /** The user's phone number when the notification was accepted. */
  user_number?: string;
  /** Why the whole notification is ignored. */
  ignored?: "THROTTLING" | "DEDUPLICATION" | "DISABLED_NOTIFICATION" | "ALL_CHANNELS_IGNORED";
  /** When the whole notification failed. */
  failed_at?: string;
  /** Why the whole notification failed. */
  failed_code?: "SPAM_CONTENT" | "INVALID_SCHEDULE_FORMAT" | "SCHEDULE_RESOURCE_NOT_FOUND" | "MISSING_NOTIFICATION_TYPE" | "UNKNOWN";
  /** Details for diagnosis. */
  failed_internal?: string;
  /** When the schedule was changed. */
  schedule_updated_at?: string;
  /** The new time of the schedule. */
  schedule_updated_to?: string;
  /** When the scheduled notification was cancelled. */
  schedule_deleted_at?: string;
  /** The topic that it is sent to; in a dry run, how many members it has. */
  topic?: string;
  /** The tracking ID of the notification to the topic that it belongs to. */
  topic_tracking_id?: string;
  /** How far sending to the members of the topic is. */
  topic_state?: "accepted" | "fanning_out" | "fanned_out" | "cancelled";
  /** How many members the topic had. */
  topic_members?: number;
  /** For how many members a notification was accepted. */
  topic_accepted?: number;
  /** For how many members nothing is sent. */
  topic_ignored?: number;
  /** When the last member had their notification. */
  topic_fanned_out_at?: string;
  /** The routing decision (EMAIL). */
  email_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (EMAIL). */
  email_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  /** The routing decision (INAPP_WEB). */
  inapp_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (INAPP_WEB). */
  inapp_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  /** The routing decision (SMS). */
  sms_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (SMS). */
  sms_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  /** The routing decision (CALL). */
  call_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (CALL). */
  call_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  /** The routing decision (PUSH). */
  mobile_push_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (PUSH). */
  mobile_push_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  /** The routing decision (WEB_PUSH). */
  web_push_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (WEB_PUSH). */
  web_push_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  /** The routing decision (CHAT). */
  chat_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (CHAT). */
  chat_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  /** The ID of the template that was chosen (EMAIL). */
  email_template?: string;
  /** The language of the template's variant (EMAIL). */
  email_locale?: string;
  /** The ID of the template that was chosen (INAPP_WEB). */
  inapp_template?: string;
  /** The language of the template's variant (INAPP_WEB). */
  inapp_locale?: string;
  /** The ID of the template that was chosen (SMS). */
  sms_template?: string;
  /** The language of the template's variant (SMS). */
  sms_locale?: string;
  /** The ID of the template that was chosen (CALL). */
  call_template?: string;
  /** The language of the template's variant (CALL). */
  call_locale?: string;
  /** The ID of the template that was chosen (PUSH). */
  mobile_push_template?: string;
  /** The language of the template's variant (PUSH). */
  mobile_push_locale?: string;
  /** The ID of the template that was chosen (WEB_PUSH). */
  web_push_template?: string;
  /** The language of the template's variant (WEB_PUSH). */
  web_push_locale?: string;
  /** The ID of the template that was chosen (CHAT). */
  chat_template?: string;
  /** The language of the template's variant (CHAT). */
  chat_locale?: string;
  /** When the step is due (EMAIL). */
  email_due_at?: string;
  /** Until when quiet hours hold the message (EMAIL). */
  email_held_until?: string;
  /** When the step was skipped (EMAIL). */
  email_skipped_at?: string;
  /** Why the step was skipped (EMAIL). */
  email_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** When the step is due (INAPP_WEB). */
  inapp_due_at?: string;
  /** Until when quiet hours hold the message (INAPP_WEB). */
  inapp_held_until?: string;
  /** When the step was skipped (INAPP_WEB). */
  inapp_skipped_at?: string;
  /** Why the step was skipped (INAPP_WEB). */
  inapp_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** When the step is due (SMS). */
  sms_due_at?: string;
  /** Until when quiet hours hold the message (SMS). */
  sms_held_until?: string;
  /** When the step was skipped (SMS). */
  sms_skipped_at?: string;
  /** Why the step was skipped (SMS). */
  sms_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** When the step is due (CALL). */
  call_due_at?: string;
  /** Until when quiet hours hold the message (CALL). */
  call_held_until?: string;
  /** When the step was skipped (CALL). */
  call_skipped_at?: string;
  /** Why the step was skipped (CALL). */
  call_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** When the step is due (PUSH). */
  mobile_push_due_at?: string;
  /** Until when quiet hours hold the message (PUSH). */
  mobile_push_held_until?: string;
  /** When the step was skipped (PUSH). */
  mobile_push_skipped_at?: string;
  /** Why the step was skipped (PUSH). */
  mobile_push_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** When the step is due (WEB_PUSH). */
  web_push_due_at?: string;
  /** Until when quiet hours hold the message (WEB_PUSH). */
  web_push_held_until?: string;
  /** When the step was skipped (WEB_PUSH). */
  web_push_skipped_at?: string;
  /** Why the step was skipped (WEB_PUSH). */
  web_push_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** When the step is due (CHAT). */
  chat_due_at?: string;
  /** Until when quiet hours hold the message (CHAT). */
  chat_held_until?: string;
  /** When the step was skipped (CHAT). */
  chat_skipped_at?: string;
  /** Why the step was skipped (CHAT). */
  chat_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** The message as it was rendered (EMAIL). */
  email_preview?: string;
  /** When the provider accepted the message (EMAIL). */
  email_sent_at?: string;
  /** The provider's ID of the message (EMAIL). */
  email_sent_message_id?: string;
  /** Sent provider (EMAIL). */
  email_sent_provider?: string;
  /** Attempts (EMAIL). */
  email_attempts?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to sent_at (EMAIL). */
  email_sent_after?: number;
  /** When the message was delivered (EMAIL). */
  email_delivered_at?: string;
  /** The addresses that it was delivered to, separated by commas (EMAIL). */
  email_delivered_recipients?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to delivered_at (EMAIL). */
  email_delivered_after?: number;
  /** The webhook's response to this event (EMAIL). */
  email_delivered_webhook_res?: string;
  /** When the message failed (EMAIL). */
  email_failed_at?: string;
  /** Why the message failed (EMAIL). */
  email_failed_code?: "UNVERIFIED_SENDER" | "PERMANENT_GENERAL_BOUNCE" | "PERMANENT_NO_EMAIL_BOUNCE" | "PERMANENT_SUPPRESSED_BOUNCE" | "TRANSIENT_GENERAL_BOUNCE" | "TRANSIENT_MAILBOX_FULL_BOUNCE" | "TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE" | "TRANSIENT_CONTENT_REJECTED_BOUNCE" | "TRANSIENT_ATTACHMENT_REJECTED_BOUNCE" | "UNDETERMINED_BOUNCE" | "COMPLAINT_ABUSE" | "COMPLAINT_AUTH" | "COMPLAINT_FRAUD" | "COMPLAINT_NOT_SPAM" | "COMPLAINT_OTHER" | "COMPLAINT_VIRUS" | "SUPPRESSED_COMPLAINT" | "SUPPRESSED_BOUNCE" | "MISSING_EMAIL_RECIPIENT" | "MISSING_EMAIL_SUBJECT" | "MISSING_EMAIL_HTML";
  /** The address that it failed for (EMAIL). */
  email_failed_recipient?: string;
  /** The receiving server's diagnostic text (EMAIL). */
  email_failed_diagnostic_code?: string;
  /** Details for diagnosis (EMAIL). */
  email_failed_internal?: string;
  /** The webhook's response to this event (EMAIL). */
  email_failed_webhook_res?: string;
  /** When the email was first opened (EMAIL). */
  email_opened_at?: string;
  /** The user agent that opened the email (EMAIL). */
  email_opened_user_agent?: string;
  /** The IP address that opened the email (EMAIL). */
  email_opened_ip?: string;
  /** The webhook's response to this event (EMAIL). */
  email_opened_webhook_res?: string;
  /** When a link was first clicked (EMAIL). */
  email_clicked_at?: string;
  /** The user agent that clicked the link (EMAIL). */
  email_clicked_user_agent?: string;
  /** The IP address that clicked the link (EMAIL). */
  email_clicked_ip?: string;
  /** The URL of the link that was clicked (EMAIL). */
  email_clicked_link?: string;
  /** The tags of the link that was clicked, as JSON (EMAIL). */
  email_clicked_link_tags?: string;
  /** The webhook's response to this event (EMAIL). */
  email_clicked_webhook_res?: string;
  /** When the inbound message arrived (EMAIL). */
  email_inbound_at?: string;
  /** The sender of the inbound message (EMAIL). */
  email_inbound_from?: string;
  /** The display name of the sender of the inbound message (EMAIL). */
  email_inbound_from_name?: string;
  /** The recipient of the inbound message (EMAIL). */
  email_inbound_to?: string;
  /** Inbound cc (EMAIL). */
  email_inbound_cc?: string;
  /** Inbound bcc (EMAIL). */
  email_inbound_bcc?: string;
  /** Inbound reply to (EMAIL). */
  email_inbound_reply_to?: string;
  /** Inbound inbox (EMAIL). */
  email_inbound_inbox?: string;
  /** Inbound subject (EMAIL). */
  email_inbound_subject?: string;
  /** Inbound body text (EMAIL). */
  email_inbound_body_text?: string;
  /** Inbound body html (EMAIL). */
  email_inbound_body_html?: string;
  /** Whether the inbound message has attachments (EMAIL). */
  email_inbound_has_attachments?: boolean;
  /** How many attachments the inbound message has (EMAIL). */
  email_inbound_attachment_count?: number;
  /** Details for diagnosis (EMAIL). */
  email_inbound_internal?: string;
  /** Inbound message id (EMAIL). */
  email_inbound_message_id?: string;
  /** Inbound in reply to (EMAIL). */
  email_inbound_in_reply_to?: string;
  /** Inbound references (EMAIL). */
  email_inbound_references?: string;
  /** Whether the webhook accepted this event (EMAIL). */
  email_inbound_webhook_delivered?: boolean;
  /** The webhook's response to this event (EMAIL). */
  email_inbound_webhook_res?: string;
  /** How the recipient of the inbound message was found (EMAIL). */
  email_inbound_resolution_type?: "reply" | "builtin" | "custom";
  /** The message as it was rendered (INAPP_WEB). */
  inapp_preview?: string;
  /** When the provider accepted the message (INAPP_WEB). */
  inapp_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to sent_at (INAPP_WEB). */
  inapp_sent_after?: number;
  /** When the message was delivered (INAPP_WEB). */
  inapp_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to delivered_at (INAPP_WEB). */
  inapp_delivered_after?: number;
  /** When the message failed (INAPP_WEB). */
  inapp_failed_at?: string;
  /** Why the message failed (INAPP_WEB). */
  inapp_failed_code?: "IN_APP_WEB_FAILED" | "UNKNOWN";
  /** Details for diagnosis (INAPP_WEB). */
  inapp_failed_internal?: string;
  /** The message as it was rendered (SMS). */
  sms_preview?: string;
  /** When the provider accepted the message (SMS). */
  sms_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to sent_at (SMS). */
  sms_sent_after?: number;
  /** The number that the message was sent from (SMS). */
  sms_sent_from?: string;
  /** Sent provider (SMS). */
  sms_sent_provider?: string;
  /** Attempts (SMS). */
  sms_attempts?: string;
  /** The recipient's carrier (SMS). */
  sms_sent_carrier?: string;
  /** The type of line of the number (SMS). */
  sms_sent_line_type?: string;
  /** The encoding of the text, GSM-7 or UCS-2 (SMS). */
  sms_sent_encoding?: string;
  /** How many segments the text has (SMS). */
  sms_sent_segments?: number;
  /** How many messages the text was sent in (SMS). */
  sms_sent_parts?: number;
  /** The price in USD (SMS). */
  sms_sent_cost?: number;
  /** The country of the number, ISO 3166-1 alpha-2 (SMS). */
  sms_sent_country?: string;
  /** The provider's ID of the message (SMS). */
  sms_sent_messageId?: string;
  /** Whether it was sent as MMS (SMS). */
  sms_sent_mms?: boolean;
  /** A part of the price in USD, for diagnosis (SMS). */
  sms_carrier_cost_internal?: number;
  /** A part of the price in USD, for diagnosis (SMS). */
  sms_carrier_fee_internal?: number;
  /** A part of the price in USD, for diagnosis (SMS). */
  sms_rate_internal?: number;
  /** When the message was delivered (SMS). */
  sms_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to delivered_at (SMS). */
  sms_delivered_after?: number;
  /** A part of the price in USD, for diagnosis (SMS). */
  sms_delivered_cost_internal?: number;
  /** When the message failed (SMS). */
  sms_failed_at?: string;
  /** Details for diagnosis (SMS). */
  sms_failed_internal?: string;
  /** Why the message failed (SMS). */
  sms_failed_code?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  /** When the inbound message arrived (SMS). */
  sms_inbound_at?: string;
  /** The sender of the inbound message (SMS). */
  sms_inbound_from?: string;
  /** The recipient of the inbound message (SMS). */
  sms_inbound_to?: string;
  /** Inbound text (SMS). */
  sms_inbound_text?: string;
  /** Whether the webhook accepted this event (SMS). */
  sms_inbound_webhook_delivered?: boolean;
  /** The webhook's response to this event (SMS). */
  sms_inbound_webhook_res?: string;
  /** Inbound media (SMS). */
  sms_inbound_media?: string;
  /** When the automatic reply was sent (SMS). */
  sms_replied_at?: string;
  /** The number that the automatic reply was sent to (SMS). */
  sms_replied_to?: string;
  /** The text of the automatic reply (SMS). */
  sms_replied_text?: string;
  /** How many segments the automatic reply has (SMS). */
  sms_replied_segments?: number;
  /** The encoding of the automatic reply (SMS). */
  sms_replied_encoding?: string;
  /** When the recipient opted in or out (SMS). */
  sms_unsubscribe_at?: string;
  /** The number that opted in or out (SMS). */
  sms_unsubscribe_from?: string;
  /** The keyword of the opt-in or opt-out (SMS). */
  sms_unsubscribe_keyword?: string;
  /** Whether the webhook accepted this event (SMS). */
  sms_unsubscribe_webhook_delivered?: boolean;
  /** The webhook's response to this event (SMS). */
  sms_unsubscribe_webhook_res?: string;
  /** When the recipient opted in or out (SMS). */
  sms_subscribe_at?: string;
  /** The number that opted in or out (SMS). */
  sms_subscribe_from?: string;
  /** The keyword of the opt-in or opt-out (SMS). */
  sms_subscribe_keyword?: string;
  /** Whether the webhook accepted this event (SMS). */
  sms_subscribe_webhook_delivered?: boolean;
  /** The webhook's response to this event (SMS). */
  sms_subscribe_webhook_res?: string;
  /** The message as it was rendered (CALL). */
  call_preview?: string;
  /** When the provider accepted the message (CALL). */
  call_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to sent_at (CALL). */
  call_sent_after?: number;
  /** The number that the message was sent from (CALL). */
  call_sent_from?: string;
  /** Sent provider (CALL). */
  call_sent_provider?: string;
  /** Attempts (CALL). */
  call_attempts?: string;
  /** When the message was delivered (CALL). */
  call_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to delivered_at (CALL). */
  call_delivered_after?: number;
  /** How the call ended (CALL). */
  call_delivered_code?: "COMPLETED" | "BUSY" | "NO_ANSWER" | "UNKNOWN";
  /** A part of the price in USD, for diagnosis (CALL). */
  call_delivered_cost_internal?: number;
  /** The price in USD (CALL). */
  call_delivered_cost?: number;
  /** When the message failed (CALL). */
  call_failed_at?: string;
  /** Details for diagnosis (CALL). */
  call_failed_internal?: string;
  /** Why the message failed (CALL). */
  call_failed_code?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  /** The message as it was rendered (PUSH). */
  mobile_push_preview?: string;
  /** When the provider accepted the message (PUSH). */
  mobile_push_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to sent_at (PUSH). */
  mobile_push_sent_after?: number;
  /** The token or subscription that it was sent to (PUSH). */
  mobile_push_sent_token?: string;
  /** When the message was delivered (PUSH). */
  mobile_push_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to delivered_at (PUSH). */
  mobile_push_delivered_after?: number;
  /** When the message failed (PUSH). */
  mobile_push_failed_at?: string;
  /** Why the message failed (PUSH). */
  mobile_push_failed_code?: "NO_APN_CONFIG" | "NO_FCM_CONFIG" | "INVALID_APN_TOKEN" | "INVALID_FCM_TOKEN" | "UNKNOWN";
  /** The token or subscription that it failed for (PUSH). */
  mobile_push_failed_token?: string;
  /** Details for diagnosis (PUSH). */
  mobile_push_failed_internal?: string;
  /** The message as it was rendered (WEB_PUSH). */
  web_push_preview?: string;
  /** The token or subscription that it was sent to (WEB_PUSH). */
  web_push_sent_token?: string;
  /** When the provider accepted the message (WEB_PUSH). */
  web_push_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to sent_at (WEB_PUSH). */
  web_push_sent_after?: number;
  /** When the message was delivered (WEB_PUSH). */
  web_push_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to delivered_at (WEB_PUSH). */
  web_push_delivered_after?: number;
  /** The token or subscription that it was delivered to (WEB_PUSH). */
  web_push_delivered_token?: string;
  /** Details for diagnosis (WEB_PUSH). */
  web_push_delivered_internal?: string;
  /** When the message failed (WEB_PUSH). */
  web_push_failed_at?: string;
  /** The token or subscription that it failed for (WEB_PUSH). */
  web_push_failed_token?: string;
  /** Why the message failed (WEB_PUSH). */
  web_push_failed_code?: "UNSUBSCIRBED_OR_EXPIRED" | "UNKNOWN";
  /** Details for diagnosis (WEB_PUSH). */
  web_push_failed_internal?: string;
  /** The message as it was rendered (CHAT). */
  chat_preview?: string;
  /** When the provider accepted the message (CHAT). */
  chat_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to sent_at (CHAT). */
  chat_sent_after?: number;
  /** When the message was delivered (CHAT). */
  chat_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched) to delivered_at (CHAT). */
  chat_delivered_after?: number;
  /** Details for diagnosis (CHAT). */
  chat_delivered_internal?: string;
  /** When the message failed (CHAT). */
  chat_failed_at?: string;
  /** Details for diagnosis (CHAT). */
  chat_failed_internal?: string;
  /** Why the message failed (CHAT). */
  chat_failed_code?: "CHANNEL_NOT_FOUND" | "NOT_IN_CHANNEL" | "CHANNEL_ARCHIVED" | "MESSAGE_TOO_LONG" | "NO_TEXT" | "RESTRICTED_ACTION" | "TOKEN_EXPIRED" | "INVALID_AUTH" | "UNKNOWN";
  /** Names of the fields whose text was cut to keep the response under 5 MB. */
  truncated?: string[];
};

export type NotificationType = {
  /** The environment. */
  envId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The title. */
  title: string;
  /** Channels. */
  channels: Channel[];
  /** Whether it is on. */
  enabled: boolean;
  /** Drops repeated requests within the window. */
  deduplication?: {
    /** In seconds; 0 means indefinitely. */
    duration: number;
  };
  /** Limits how many notifications a user gets. */
  throttling?: {
    /** Most notifications per period. */
    max: number;
    /** The length of the window, in units. */
    period: number;
    /** The unit of the period. */
    unit: "seconds" | "minutes" | "hours" | "days" | "months" | "years";
    /** Whether the limit applies indefinitely. */
    forever: boolean;
    /** What the limit counts by. */
    scope: ("userId" | "notificationId")[];
  };
  /** How many days logs of this type are kept. */
  retention?: number;
  /** Delivery options by channel; of a send, options by channel. */
  options?: TypeOptions;
  /** In which order channels are tried. */
  steps?: {
    /** Channels. */
    channels: Channel[];
    /** How long after the previous step it starts, as an ISO 8601 duration. */
    after?: string;
    /** The condition on which the step starts. */
    when?: "unseen" | "undelivered" | "always";
  }[];
  /** Whether it ignores quiet hours and pauses. */
  urgent?: boolean;
  /** Templates. */
  templates?: {
    /** A channel. */
    channel: Channel;
    /** IDs of templates. */
    templateIds: string[];
  }[];
};

export type Recipient = {
  /** The ID. */
  id?: string;
  /** The user's email address; as content, inline content of EMAIL. */
  email?: string;
  /** The user's phone number, stored in E.164. */
  number?: string;
  /** Push tokens of the user's devices, at most 100; merged by token. */
  pushTokens?: {
    /** The notification type, or the kind of the entry. */
    type: "FCM" | "APN";
    /** The token. */
    token: string;
    /** The device that the token belongs to; other fields are accepted and dropped. */
    device?: {
      /** The ID of the app. */
      app_id?: string;
      /** The advertising ID of the device. */
      ad_id?: string;
      /** The ID of the device. */
      device_id?: string;
      /** The platform of the device. */
      platform?: string;
      /** The manufacturer of the device. */
      manufacturer?: string;
      /** The model of the device. */
      model?: string;
    };
    /** An environment. */
    environment?: string;
  }[];
  /** The user's web push subscriptions, at most 100; merged by endpoint. */
  webPushTokens?: {
    /** The browser's push subscription as it serializes it. */
    sub: {
      /** The push service's URL of the subscription. */
      endpoint: string;
      /** The keys. */
      keys: {
        /** The public key of the subscription. */
        p256dh: string;
        /** The authentication secret of the subscription. */
        auth: string;
      };
    };
  }[];
  /** An IANA timezone, such as Europe/Berlin. */
  timezone?: string;
  /** A language tag (BCP 47), such as de or pt-BR. */
  locale?: string;
  /** The chat channel or user that messages go to. */
  chatChannel?: string;
  /** The token of the chat provider, in its own shape. */
  chatToken?: ChatToken;
};

export type SendOptions = {
  /** The user's email address; as content, inline content of EMAIL. */
  email?: {
    /** Addresses that replies go to, at most 50. */
    replyToAddresses?: string[];
    /** Addresses that get a copy, at most 50. */
    ccAddresses?: string[];
    /** Addresses that get a blind copy, at most 50. */
    bccAddresses?: string[];
    /** The sender's address, on a verified domain of the account. */
    fromAddress?: string;
    /** The sender's display name. */
    fromName?: string;
    /** Files of the message. */
    attachments?: Attachment[];
    /** Liquid; the email is not sent when it renders empty, false, 0 or no. */
    condition?: string;
  };
  /** Options of Apple push notifications. */
  apn?: {
    /** When the message expires, in seconds since 1970. */
    expiry?: number;
    /** One of 10, 5. */
    priority?: number;
    /** Messages with the same ID replace each other, at most 64 characters. */
    collapseId?: string;
    /** Groups notifications on the device. */
    threadId?: string;
    /** The number on the app's icon. */
    badge?: number;
    /** The sound to play. */
    sound?: string;
    /** Whether the app is woken in the background. */
    contentAvailable?: boolean;
  };
  /** Options of Firebase Cloud Messaging. */
  fcm?: {
    /** Options for Android devices. */
    android?: {
      /** Messages with the same key replace each other. */
      collapseKey?: string;
      /** The priority. */
      priority?: string;
      /** How long the message is kept for the device, in seconds. */
      ttl?: number;
      /** The package that may receive the message. */
      restrictedPackageName?: string;
    };
  };
  /** Options of both push services. */
  push?: {
    /** At most three pairs of text for the app. */
    customData?: Record<string, string>;
  };
  /** In which order channels are tried. */
  steps?: {
    /** Channels. */
    channels: Channel[];
    /** How long after the previous step it starts, as an ISO 8601 duration. */
    after?: string;
    /** The condition on which the step starts. */
    when?: "unseen" | "undelivered" | "always";
  }[];
};

export type SendRequest = {
  /** The ID of a notification type. */
  notificationId?: string;
  /** Earlier name of to. @deprecated */
  user?: Recipient;
  /** Earlier name of parameters. @deprecated */
  mergeTags?: Record<string, unknown>;
  /** Literal replacements, applied after rendering. */
  replace?: Record<string, string>;
  /** The notification type, or the kind of the entry. */
  type?: string;
  /** The recipient. */
  to?: {
    /** The ID. */
    id?: string;
    /** The user's email address; as content, inline content of EMAIL. */
    email?: string;
    /** The user's phone number, stored in E.164. */
    number?: string;
    /** Push tokens of the user's devices, at most 100; merged by token. */
    pushTokens?: {
      /** The notification type, or the kind of the entry. */
      type: "FCM" | "APN";
      /** The token. */
      token: string;
      /** The device that the token belongs to; other fields are accepted and dropped. */
      device?: {
        /** The ID of the app. */
        app_id?: string;
        /** The advertising ID of the device. */
        ad_id?: string;
        /** The ID of the device. */
        device_id?: string;
        /** The platform of the device. */
        platform?: string;
        /** The manufacturer of the device. */
        manufacturer?: string;
        /** The model of the device. */
        model?: string;
      };
      /** An environment. */
      environment?: string;
    }[];
    /** The user's web push subscriptions, at most 100; merged by endpoint. */
    webPushTokens?: {
      /** The browser's push subscription as it serializes it. */
      sub: {
        /** The push service's URL of the subscription. */
        endpoint: string;
        /** The keys. */
        keys: {
          /** The public key of the subscription. */
          p256dh: string;
          /** The authentication secret of the subscription. */
          auth: string;
        };
      };
    }[];
    /** An IANA timezone, such as Europe/Berlin. */
    timezone?: string;
    /** A language tag (BCP 47), such as de or pt-BR. */
    locale?: string;
    /** The chat channel or user that messages go to. */
    chatChannel?: string;
    /** The token of the chat provider, in its own shape. */
    chatToken?: ChatToken;
    /** The topic that it is sent to; in a dry run, how many members it has. */
    topic?: string;
  };
  /** Channels that replace the type's; preferences still apply. An empty list counts as not given. */
  forceChannels?: Channel[];
  /** Values for the templates; any JSON. */
  parameters?: Record<string, unknown>;
  /** Earlier name of subNotificationId. @deprecated */
  secondaryId?: string;
  /** The ID of a template. */
  templateId?: string;
  /** Separates preferences and digests within a type. */
  subNotificationId?: string;
  /** Delivery options by channel; of a send, options by channel. */
  options?: SendOptions;
  /** When to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead. */
  schedule?: string;
  /** Whether it ignores quiet hours and pauses. */
  urgent?: boolean;
  /** The user's email address; as content, inline content of EMAIL. */
  email?: {
    /** The subject of the email. */
    subject?: string;
    /** The HTML, as Liquid. */
    html?: string;
    /** The text after the subject in inboxes. */
    previewText?: string;
    /** The sender's display name. */
    senderName?: string;
    /** The sender's address. */
    senderEmail?: string;
  };
  /** Inline content of INAPP_WEB. */
  inapp?: {
    /** The title. */
    title?: string;
    /** A URL. */
    url?: string;
    /** The URL of the image. */
    image?: string;
  };
  /** Inline content of SMS. */
  sms?: {
    /** The text of the message. */
    message?: string;
    /** URLs of media, at most 10. */
    mediaUrls?: string[];
    /** The automatic answer to a reply. */
    autoReply?: {
      /** The text of the message. */
      message: string;
    };
    /** The sender. */
    from?: string;
  };
  /** Inline content of CALL. */
  call?: {
    /** The text of the message. */
    message?: string;
  };
  /** Inline content of WEB_PUSH. */
  web_push?: {
    /** The title. */
    title?: string;
    /** The text of the message. */
    message?: string;
    /** The URL of the icon, or its name. */
    icon?: string;
    /** A URL. */
    url?: string;
  };
  /** Inline content of PUSH. */
  mobile_push?: {
    /** The title. */
    title?: string;
    /** The text of the message. */
    message?: string;
  };
  /** Inline content of CHAT. */
  chat?: {
    /** The text. */
    text?: string;
    /** Blocks of the chat message, as the chat provider defines them, at most 50. */
    blocks?: Record<string, unknown>[];
    /** The name that the message is sent under. */
    username?: string;
    /** The URL of the icon, or its name. */
    icon?: string;
    /** The thread that the message replies to. */
    thread_ts?: string;
    /** Whether a reply in a thread is also shown in the channel. */
    reply_broadcast?: boolean;
    /** How the chat provider parses the text. */
    parse?: "full" | "none";
    /** Whether names in the text become links. */
    link_names?: boolean;
    /** Whether the text is formatted. */
    mrkdwn?: boolean;
    /** Whether links get a preview. */
    unfurl_links?: boolean;
    /** Whether media links get a preview. */
    unfurl_media?: boolean;
    /** Metadata of the chat message, as the chat provider defines it. */
    metadata?: {
      /** Entities of the message. */
      entities?: {
        /** The type of the entity. */
        entity_type?: string;
        /** The payload of the entity. */
        entity_payload?: Record<string, unknown>;
        /** The entity in the external system. */
        external_ref?: {
          /** The ID. */
          id?: string;
          /** The notification type, or the kind of the entry. */
          type?: string;
        };
        /** A URL. */
        url?: string;
        /** The URL that is unfurled. */
        app_unfurl_url?: string;
      }[];
      /** The type of the metadata. */
      event_type?: string;
      /** The payload of the metadata. */
      event_payload?: Record<string, unknown>;
    };
  };
};

export type TypeOptions = {
  /** Of the channel EMAIL. */
  EMAIL?: {
    /** The delivery option of users without a preference. */
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    /** Whether users may turn it off. */
    off?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Sends each item immediately; as content, the content of a single item. */
    instant?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the full hour. */
    hourly?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the hour, every day. */
    daily?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
    };
    /** Collects items until the day and hour, every week. */
    weekly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** An English weekday, or 0 to 6 with 0 = Sunday. */
      day?: string;
    };
    /** Collects items until the first or last day of the month. */
    monthly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** The time of the item; of a monthly digest, the first or last day. */
      date?: "first" | "last";
    };
  };
  /** Of the channel INAPP_WEB. */
  INAPP_WEB?: {
    /** The delivery option of users without a preference. */
    defaultDeliveryOption: "off" | "instant";
    /** Whether users may turn it off. */
    off?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Sends each item immediately; as content, the content of a single item. */
    instant?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Whether the browser groups items. */
    batching?: boolean;
    /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
    batchingKey?: string;
    /** How long a group stays open, in minutes. */
    batchingWindow?: number;
  };
  /** Of the channel SMS. */
  SMS?: {
    /** The delivery option of users without a preference. */
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    /** Whether users may turn it off. */
    off?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Sends each item immediately; as content, the content of a single item. */
    instant?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the full hour. */
    hourly?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the hour, every day. */
    daily?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
    };
    /** Collects items until the day and hour, every week. */
    weekly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** An English weekday, or 0 to 6 with 0 = Sunday. */
      day?: string;
    };
    /** Collects items until the first or last day of the month. */
    monthly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** The time of the item; of a monthly digest, the first or last day. */
      date?: "first" | "last";
    };
  };
  /** Of the channel CALL. */
  CALL?: {
    /** The delivery option of users without a preference. */
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    /** Whether users may turn it off. */
    off?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Sends each item immediately; as content, the content of a single item. */
    instant?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the full hour. */
    hourly?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the hour, every day. */
    daily?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
    };
    /** Collects items until the day and hour, every week. */
    weekly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** An English weekday, or 0 to 6 with 0 = Sunday. */
      day?: string;
    };
    /** Collects items until the first or last day of the month. */
    monthly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** The time of the item; of a monthly digest, the first or last day. */
      date?: "first" | "last";
    };
  };
  /** Of the channel PUSH. */
  PUSH?: {
    /** The delivery option of users without a preference. */
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    /** Whether users may turn it off. */
    off?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Sends each item immediately; as content, the content of a single item. */
    instant?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the full hour. */
    hourly?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the hour, every day. */
    daily?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
    };
    /** Collects items until the day and hour, every week. */
    weekly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** An English weekday, or 0 to 6 with 0 = Sunday. */
      day?: string;
    };
    /** Collects items until the first or last day of the month. */
    monthly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** The time of the item; of a monthly digest, the first or last day. */
      date?: "first" | "last";
    };
  };
  /** Of the channel WEB_PUSH. */
  WEB_PUSH?: {
    /** The delivery option of users without a preference. */
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    /** Whether users may turn it off. */
    off?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Sends each item immediately; as content, the content of a single item. */
    instant?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the full hour. */
    hourly?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the hour, every day. */
    daily?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
    };
    /** Collects items until the day and hour, every week. */
    weekly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** An English weekday, or 0 to 6 with 0 = Sunday. */
      day?: string;
    };
    /** Collects items until the first or last day of the month. */
    monthly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** The time of the item; of a monthly digest, the first or last day. */
      date?: "first" | "last";
    };
  };
  /** Of the channel CHAT. */
  CHAT?: {
    /** The delivery option of users without a preference. */
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    /** Whether users may turn it off. */
    off?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Sends each item immediately; as content, the content of a single item. */
    instant?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the full hour. */
    hourly?: {
      /** Whether it is on. */
      enabled: boolean;
    };
    /** Collects items until the hour, every day. */
    daily?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
    };
    /** Collects items until the day and hour, every week. */
    weekly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** An English weekday, or 0 to 6 with 0 = Sunday. */
      day?: string;
    };
    /** Collects items until the first or last day of the month. */
    monthly?: {
      /** Whether it is on. */
      enabled: boolean;
      /** A time of day such as 8, 08:00 or 8:00 am. */
      hour?: string;
      /** The time of the item; of a monthly digest, the first or last day. */
      date?: "first" | "last";
    };
  };
};

export type User = {
  /** The ID. */
  id: string;
  /** The user's email address; as content, inline content of EMAIL. */
  email?: string;
  /** The user's phone number, stored in E.164. */
  number?: string;
  /** Push tokens of the user's devices, at most 100; merged by token. */
  pushTokens?: {
    /** The notification type, or the kind of the entry. */
    type: "FCM" | "APN";
    /** The token. */
    token: string;
    /** The device that the token belongs to; other fields are accepted and dropped. */
    device?: {
      /** The ID of the app. */
      app_id?: string;
      /** The advertising ID of the device. */
      ad_id?: string;
      /** The ID of the device. */
      device_id?: string;
      /** The platform of the device. */
      platform?: string;
      /** The manufacturer of the device. */
      manufacturer?: string;
      /** The model of the device. */
      model?: string;
    };
    /** An environment. */
    environment?: string;
  }[];
  /** The user's web push subscriptions, at most 100; merged by endpoint. */
  webPushTokens?: {
    /** The browser's push subscription as it serializes it. */
    sub: {
      /** The push service's URL of the subscription. */
      endpoint: string;
      /** The keys. */
      keys: {
        /** The public key of the subscription. */
        p256dh: string;
        /** The authentication secret of the subscription. */
        auth: string;
      };
    };
  }[];
  /** An IANA timezone, such as Europe/Berlin. */
  timezone?: string;
  /** A language tag (BCP 47), such as de or pt-BR. */
  locale?: string;
  /** The chat channel or user that messages go to. */
  chatChannel?: string;
  /** The token of the chat provider, in its own shape. */
  chatToken?: ChatToken;
  /** When notifications do not interrupt. */
  quietHours?: {
    /** The sender. */
    from: string;
    /** The recipient. */
    to: string;
    /** Weekdays on which quiet hours begin; every day without it. */
    days?: string[];
    /** Channels. */
    channels?: ("EMAIL" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT")[];
    /** A delivery mode. */
    mode?: "hold" | "drop";
  };
  /** Until when nothing interrupts the user. */
  pausedUntil?: string;
  /** When the user was last seen. */
  lastSeenTime?: string;
  /** When it was last changed. */
  updatedAt?: string;
  /** When it was created. */
  createdAt?: string;
  /** Why the user's email address is suppressed. */
  emailSuppressionStatus?: {
    /** The reason. */
    reason: "Bounce" | "Complaint";
    /** The provider's details. */
    details: Record<string, unknown>;
  };
};

/** The body of the event EMAIL_OPEN. Later versions may add fields. */
export type EmailOpenEvent = {
  /** The kind of event. */
  eventType: "EMAIL_OPEN";
  /** A channel. */
  channel: "EMAIL";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event EMAIL_CLICK. Later versions may add fields. */
export type EmailClickEvent = {
  /** The kind of event. */
  eventType: "EMAIL_CLICK";
  /** A channel. */
  channel: "EMAIL";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** The URL of the link that was clicked. */
  clickedLink?: string;
  /** The tags of the link that was clicked, as JSON. */
  clickedLinkTags?: string;
};

/** The body of the event EMAIL_FAILED. Later versions may add fields. */
export type EmailFailedEvent = {
  /** The kind of event. */
  eventType: "EMAIL_FAILED";
  /** A channel. */
  channel: "EMAIL";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** Why the message failed. */
  failureCode?: "UNVERIFIED_SENDER" | "PERMANENT_GENERAL_BOUNCE" | "PERMANENT_NO_EMAIL_BOUNCE" | "PERMANENT_SUPPRESSED_BOUNCE" | "TRANSIENT_GENERAL_BOUNCE" | "TRANSIENT_MAILBOX_FULL_BOUNCE" | "TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE" | "TRANSIENT_CONTENT_REJECTED_BOUNCE" | "TRANSIENT_ATTACHMENT_REJECTED_BOUNCE" | "UNDETERMINED_BOUNCE" | "COMPLAINT_ABUSE" | "COMPLAINT_AUTH" | "COMPLAINT_FRAUD" | "COMPLAINT_NOT_SPAM" | "COMPLAINT_OTHER" | "COMPLAINT_VIRUS" | "SUPPRESSED_COMPLAINT" | "SUPPRESSED_BOUNCE" | "MISSING_EMAIL_RECIPIENT" | "MISSING_EMAIL_SUBJECT" | "MISSING_EMAIL_HTML";
  /** The address that it failed for. */
  recipient?: string;
};

/** The body of the event EMAIL_DELIVERED. Later versions may add fields. */
export type EmailDeliveredEvent = {
  /** The kind of event. */
  eventType: "EMAIL_DELIVERED";
  /** A channel. */
  channel: "EMAIL";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event EMAIL_UNSUBSCRIBE. Later versions may add fields. */
export type EmailUnsubscribeEvent = {
  /** The kind of event. */
  eventType: "EMAIL_UNSUBSCRIBE";
  /** A channel. */
  channel: "EMAIL";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event EMAIL_INBOUND. Later versions may add fields. */
export type EmailInboundEvent = {
  /** The kind of event. */
  eventType: "EMAIL_INBOUND";
  /** A channel. */
  channel: "EMAIL";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** When it happened. */
  timestamp?: string;
  /** The address that received the email. */
  inbox?: string;
  /** The sender. */
  from?: string;
  /** The sender's display name. */
  fromName?: string;
  /** The subject of the email. */
  subject?: string;
  /** The text body of the inbound email. */
  bodyText?: string;
  /** The HTML body of the inbound email. */
  bodyHtml?: string;
  /** The Message-ID. */
  messageId?: string;
  /** The Message-ID that the email replies to. */
  inReplyTo?: string;
  /** The References of the email. */
  references?: string;
  /** When it was received. */
  receivedAt?: string;
  /** The recipient. */
  to?: string[];
  /** Copies. */
  cc?: string[];
  /** The Reply-To of the email. */
  replyTo?: string;
  /** Files of the message. */
  attachments?: Record<string, unknown>[];
  /** Media of the inbound message. */
  media?: Record<string, unknown>[];
};

/** The body of the event INAPP_WEB_FAILED. Later versions may add fields. */
export type InappWebFailedEvent = {
  /** The kind of event. */
  eventType: "INAPP_WEB_FAILED";
  /** A channel. */
  channel: "INAPP_WEB";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** Why the message failed. */
  failureCode?: "IN_APP_WEB_FAILED" | "UNKNOWN";
  /** The address that it failed for. */
  recipient?: string;
};

/** The body of the event INAPP_WEB_UNSUBSCRIBE. Later versions may add fields. */
export type InappWebUnsubscribeEvent = {
  /** The kind of event. */
  eventType: "INAPP_WEB_UNSUBSCRIBE";
  /** A channel. */
  channel: "INAPP_WEB";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event SMS_DELIVERED. Later versions may add fields. */
export type SmsDeliveredEvent = {
  /** The kind of event. */
  eventType: "SMS_DELIVERED";
  /** A channel. */
  channel: "SMS";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event SMS_FAILED. Later versions may add fields. */
export type SmsFailedEvent = {
  /** The kind of event. */
  eventType: "SMS_FAILED";
  /** A channel. */
  channel: "SMS";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** Why the message failed. */
  failureCode?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  /** The address that it failed for. */
  recipient?: string;
};

/** The body of the event SMS_UNSUBSCRIBE. Later versions may add fields. */
export type SmsUnsubscribeEvent = {
  /** The kind of event. */
  eventType: "SMS_UNSUBSCRIBE";
  /** A channel. */
  channel: "SMS";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event SMS_SUBSCRIBE. Later versions may add fields. */
export type SmsSubscribeEvent = {
  /** The kind of event. */
  eventType: "SMS_SUBSCRIBE";
  /** A channel. */
  channel: "SMS";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event SMS_INBOUND. Later versions may add fields. */
export type SmsInboundEvent = {
  /** The kind of event. */
  eventType: "SMS_INBOUND";
  /** A channel. */
  channel: "SMS";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** When it happened. */
  timestamp?: string;
  /** The address that received the email. */
  inbox?: string;
  /** The sender. */
  from?: string;
  /** The sender's display name. */
  fromName?: string;
  /** The subject of the email. */
  subject?: string;
  /** The text body of the inbound email. */
  bodyText?: string;
  /** The HTML body of the inbound email. */
  bodyHtml?: string;
  /** The Message-ID. */
  messageId?: string;
  /** The Message-ID that the email replies to. */
  inReplyTo?: string;
  /** The References of the email. */
  references?: string;
  /** When it was received. */
  receivedAt?: string;
  /** The recipient. */
  to?: string[];
  /** Copies. */
  cc?: string[];
  /** The Reply-To of the email. */
  replyTo?: string;
  /** Files of the message. */
  attachments?: Record<string, unknown>[];
  /** Media of the inbound message. */
  media?: Record<string, unknown>[];
};

/** The body of the event PUSH_FAILED. Later versions may add fields. */
export type PushFailedEvent = {
  /** The kind of event. */
  eventType: "PUSH_FAILED";
  /** A channel. */
  channel: "PUSH";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** Why the message failed. */
  failureCode?: "NO_APN_CONFIG" | "NO_FCM_CONFIG" | "INVALID_APN_TOKEN" | "INVALID_FCM_TOKEN" | "UNKNOWN";
  /** The address that it failed for. */
  recipient?: string;
};

/** The body of the event PUSH_UNSUBSCRIBE. Later versions may add fields. */
export type PushUnsubscribeEvent = {
  /** The kind of event. */
  eventType: "PUSH_UNSUBSCRIBE";
  /** A channel. */
  channel: "PUSH";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event CALL_FAILED. Later versions may add fields. */
export type CallFailedEvent = {
  /** The kind of event. */
  eventType: "CALL_FAILED";
  /** A channel. */
  channel: "CALL";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** Why the message failed. */
  failureCode?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  /** The address that it failed for. */
  recipient?: string;
};

/** The body of the event CALL_UNSUBSCRIBE. Later versions may add fields. */
export type CallUnsubscribeEvent = {
  /** The kind of event. */
  eventType: "CALL_UNSUBSCRIBE";
  /** A channel. */
  channel: "CALL";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event WEB_PUSH_FAILED. Later versions may add fields. */
export type WebPushFailedEvent = {
  /** The kind of event. */
  eventType: "WEB_PUSH_FAILED";
  /** A channel. */
  channel: "WEB_PUSH";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** Why the message failed. */
  failureCode?: "UNSUBSCIRBED_OR_EXPIRED" | "UNKNOWN";
  /** The address that it failed for. */
  recipient?: string;
};

/** The body of the event WEB_PUSH_UNSUBSCRIBE. Later versions may add fields. */
export type WebPushUnsubscribeEvent = {
  /** The kind of event. */
  eventType: "WEB_PUSH_UNSUBSCRIBE";
  /** A channel. */
  channel: "WEB_PUSH";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** The body of the event CHAT_FAILED. Later versions may add fields. */
export type ChatFailedEvent = {
  /** The kind of event. */
  eventType: "CHAT_FAILED";
  /** A channel. */
  channel: "CHAT";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** Why the message failed. */
  failureCode?: "CHANNEL_NOT_FOUND" | "NOT_IN_CHANNEL" | "CHANNEL_ARCHIVED" | "MESSAGE_TOO_LONG" | "NO_TEXT" | "RESTRICTED_ACTION" | "TOKEN_EXPIRED" | "INVALID_AUTH" | "UNKNOWN";
  /** The address that it failed for. */
  recipient?: string;
};

/** The body of the event CHAT_UNSUBSCRIBE. Later versions may add fields. */
export type ChatUnsubscribeEvent = {
  /** The kind of event. */
  eventType: "CHAT_UNSUBSCRIBE";
  /** A channel. */
  channel: "CHAT";
  /** The user. */
  userId: string;
  /** The ID of a notification type. */
  notificationId: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
};

/** An event that the service posts to your webhook. */
export type WebhookEvent = EmailOpenEvent | EmailClickEvent | EmailFailedEvent | EmailDeliveredEvent | EmailUnsubscribeEvent | EmailInboundEvent | InappWebFailedEvent | InappWebUnsubscribeEvent | SmsDeliveredEvent | SmsFailedEvent | SmsUnsubscribeEvent | SmsSubscribeEvent | SmsInboundEvent | PushFailedEvent | PushUnsubscribeEvent | CallFailedEvent | CallUnsubscribeEvent | WebPushFailedEvent | WebPushUnsubscribeEvent | ChatFailedEvent | ChatUnsubscribeEvent;
