// Written by `npm run openapi` from the route table.
import type { List } from '../list.ts';
import type { CallOptions } from '../request.ts';

/** Code of an error body. */
export type ErrorCode = "INVALID_REQUEST" | "INVALID_JSON" | "UNAUTHORIZED" | "FORBIDDEN_KEY_TYPE" | "ADMIN_ONLY" | "RESOURCE_NOT_FOUND" | "DUPLICATE_RESOURCE" | "RESOURCE_IN_USE" | "TOO_MANY_TRACKING_IDS" | "INVALID_CURSOR" | "MISSING_NOTIFICATION_TYPE" | "MISSING_RECIPIENT" | "INVALID_CHANNEL" | "INVALID_FIELD_FOR_CHANNEL" | "INVALID_TEMPLATE" | "INVALID_SCHEDULE_FORMAT" | "SCHEDULE_RESOURCE_NOT_FOUND" | "IDEMPOTENCY_KEY_REUSED" | "UNVERIFIED_SENDER" | "LAST_ADMIN" | "NOT_CONNECTED" | "USAGE_LIMIT" | "PROVIDER_ERROR" | "INTERNAL";

export type ApiKey = {
  id: string;
  key: string;
  keyType: "secret" | "public";
  environmentId?: string;
  accountId: string;
  name: string;
  revoked: boolean;
  createdAt: string;
  lastUsedAt?: string;
};

export type Channel = "EMAIL" | "INAPP_WEB" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT";

export type ChatToken = {
  access_token?: string;
  app_id?: string;
  authed_user?: {
    access_token?: string;
    expires_in?: number;
    id?: string;
    refresh_token?: string;
    scope?: string;
    token_type?: string;
  };
  bot_user_id?: string;
  enterprise?: {
    id?: string;
    name?: string;
  } | null;
  error?: string;
  expires_in?: number;
  incoming_webhook?: {
    channel?: string;
    channel_id?: string;
    configuration_url?: string;
    url?: string;
  };
  is_enterprise_install?: boolean;
  needed?: string;
  ok?: boolean;
  provided?: string;
  refresh_token?: string;
  scope?: string;
  team?: {
    id?: string;
    name?: string;
  };
  token_type?: string;
  warning?: string;
  response_metadata?: {
    warnings?: string[];
    next_cursor?: string;
    scopes?: string[];
    acceptedScopes?: string[];
    retryAfter?: number;
    messages?: string[];
  };
};

export type Error = {
  trackingId: string;
  error: {
    code: string;
    message: string;
    fix?: string;
    provider?: string;
    providerCode?: string;
  };
};

export type InboundMessage = {
  trackingId: string;
  eventType: string;
  timestamp: string;
  epochMs: number;
  inbox?: string;
  from?: string;
  fromName?: string;
  subject?: string;
  to?: string[];
  cc?: string[];
  bcc?: string[];
  replyTo?: string;
  bodyText?: string;
  bodyHtml?: string;
  attachments?: {
    filename: string;
    contentType: string;
    size: number;
    contentId?: string;
  }[];
  media?: {
    url: string;
    contentType?: string;
  }[];
  cut?: string[];
  messageId?: string;
  inReplyTo?: string;
  references?: string;
  resolutionType?: "reply" | "builtin" | "custom" | "inbound";
};

export type LogRecord = {
  trackingId: string;
  accountId: string;
  received_at?: string;
  type?: string;
  envId?: string;
  clientId?: string;
  agent?: string;
  ip?: string;
  request?: string;
  test?: boolean;
  processed_at?: string;
  scheduled_for?: string;
  user_id?: string;
  user_email?: string;
  user_number?: string;
  ignored?: "THROTTLING" | "DEDUPLICATION" | "DISABLED_NOTIFICATION" | "ALL_CHANNELS_IGNORED";
  failed_at?: string;
  failed_code?: "SPAM_CONTENT" | "INVALID_SCHEDULE_FORMAT" | "SCHEDULE_RESOURCE_NOT_FOUND" | "MISSING_NOTIFICATION_TYPE" | "UNKNOWN";
  failed_internal?: string;
  schedule_updated_at?: string;
  schedule_updated_to?: string;
  schedule_deleted_at?: string;
  email_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  email_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  inapp_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  inapp_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  sms_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  sms_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  call_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  call_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  mobile_push_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  mobile_push_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  web_push_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  web_push_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  chat_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  chat_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
  email_preview?: string;
  email_sent_at?: string;
  email_sent_message_id?: string;
  email_sent_after?: number;
  email_delivered_at?: string;
  email_delivered_recipients?: string;
  email_delivered_after?: number;
  email_delivered_webhook_res?: string;
  email_failed_at?: string;
  email_failed_code?: "UNVERIFIED_SENDER" | "PERMANENT_GENERAL_BOUNCE" | "PERMANENT_NO_EMAIL_BOUNCE" | "PERMANENT_SUPPRESSED_BOUNCE" | "TRANSIENT_GENERAL_BOUNCE" | "TRANSIENT_MAILBOX_FULL_BOUNCE" | "TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE" | "TRANSIENT_CONTENT_REJECTED_BOUNCE" | "TRANSIENT_ATTACHMENT_REJECTED_BOUNCE" | "UNDETERMINED_BOUNCE" | "COMPLAINT_ABUSE" | "COMPLAINT_AUTH" | "COMPLAINT_FRAUD" | "COMPLAINT_NOT_SPAM" | "COMPLAINT_OTHER" | "COMPLAINT_VIRUS" | "SUPPRESSED_COMPLAINT" | "SUPPRESSED_BOUNCE" | "MISSING_EMAIL_RECIPIENT" | "MISSING_EMAIL_SUBJECT" | "MISSING_EMAIL_HTML";
  email_failed_recipient?: string;
  email_failed_diagnostic_code?: string;
  email_failed_internal?: string;
  email_failed_webhook_res?: string;
  email_opened_at?: string;
  email_opened_user_agent?: string;
  email_opened_ip?: string;
  email_opened_webhook_res?: string;
  email_clicked_at?: string;
  email_clicked_user_agent?: string;
  email_clicked_ip?: string;
  email_clicked_link?: string;
  email_clicked_link_tags?: string;
  email_clicked_webhook_res?: string;
  email_inbound_at?: string;
  email_inbound_from?: string;
  email_inbound_from_name?: string;
  email_inbound_to?: string;
  email_inbound_cc?: string;
  email_inbound_bcc?: string;
  email_inbound_reply_to?: string;
  email_inbound_inbox?: string;
  email_inbound_subject?: string;
  email_inbound_body_text?: string;
  email_inbound_body_html?: string;
  email_inbound_has_attachments?: boolean;
  email_inbound_attachment_count?: number;
  email_inbound_internal?: string;
  email_inbound_message_id?: string;
  email_inbound_in_reply_to?: string;
  email_inbound_references?: string;
  email_inbound_webhook_delivered?: boolean;
  email_inbound_webhook_res?: string;
  email_inbound_resolution_type?: "reply" | "builtin" | "custom";
  inapp_preview?: string;
  inapp_sent_at?: string;
  inapp_sent_after?: number;
  inapp_delivered_at?: string;
  inapp_delivered_after?: number;
  inapp_failed_at?: string;
  inapp_failed_code?: "IN_APP_WEB_FAILED" | "UNKNOWN";
  inapp_failed_internal?: string;
  sms_preview?: string;
  sms_sent_at?: string;
  sms_sent_after?: number;
  sms_sent_from?: string;
  sms_sent_carrier?: string;
  sms_sent_line_type?: string;
  sms_sent_encoding?: string;
  sms_sent_segments?: number;
  sms_sent_parts?: number;
  sms_sent_cost?: number;
  sms_sent_country?: string;
  sms_sent_messageId?: string;
  sms_sent_mms?: boolean;
  sms_carrier_cost_internal?: number;
  sms_carrier_fee_internal?: number;
  sms_rate_internal?: number;
  sms_delivered_at?: string;
  sms_delivered_after?: number;
  sms_delivered_cost_internal?: number;
  sms_failed_at?: string;
  sms_failed_internal?: string;
  sms_failed_code?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  sms_inbound_at?: string;
  sms_inbound_from?: string;
  sms_inbound_to?: string;
  sms_inbound_text?: string;
  sms_inbound_webhook_delivered?: boolean;
  sms_inbound_webhook_res?: string;
  sms_inbound_media?: string;
  sms_replied_at?: string;
  sms_replied_to?: string;
  sms_replied_text?: string;
  sms_replied_segments?: number;
  sms_replied_encoding?: string;
  sms_unsubscribe_at?: string;
  sms_unsubscribe_from?: string;
  sms_unsubscribe_keyword?: string;
  sms_unsubscribe_webhook_delivered?: boolean;
  sms_unsubscribe_webhook_res?: string;
  sms_subscribe_at?: string;
  sms_subscribe_from?: string;
  sms_subscribe_keyword?: string;
  sms_subscribe_webhook_delivered?: boolean;
  sms_subscribe_webhook_res?: string;
  call_preview?: string;
  call_sent_at?: string;
  call_sent_after?: number;
  call_sent_from?: string;
  call_delivered_at?: string;
  call_delivered_after?: number;
  call_delivered_code?: "COMPLETED" | "BUSY" | "NO_ANSWER" | "UNKNOWN";
  call_delivered_cost_internal?: number;
  call_delivered_cost?: number;
  call_failed_at?: string;
  call_failed_internal?: string;
  call_failed_code?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  mobile_push_preview?: string;
  mobile_push_sent_at?: string;
  mobile_push_sent_after?: number;
  mobile_push_sent_token?: string;
  mobile_push_delivered_at?: string;
  mobile_push_delivered_after?: number;
  mobile_push_failed_at?: string;
  mobile_push_failed_code?: "NO_APN_CONFIG" | "NO_FCM_CONFIG" | "INVALID_APN_TOKEN" | "INVALID_FCM_TOKEN" | "UNKNOWN";
  mobile_push_failed_token?: string;
  mobile_push_failed_internal?: string;
  web_push_preview?: string;
  web_push_sent_token?: string;
  web_push_sent_at?: string;
  web_push_sent_after?: number;
  web_push_delivered_at?: string;
  web_push_delivered_after?: number;
  web_push_delivered_token?: string;
  web_push_delivered_internal?: string;
  web_push_failed_at?: string;
  web_push_failed_token?: string;
  web_push_failed_code?: "UNSUBSCIRBED_OR_EXPIRED" | "UNKNOWN";
  web_push_failed_internal?: string;
  chat_preview?: string;
  chat_sent_at?: string;
  chat_sent_after?: number;
  chat_delivered_at?: string;
  chat_delivered_after?: number;
  chat_delivered_internal?: string;
  chat_failed_at?: string;
  chat_failed_internal?: string;
  chat_failed_code?: "CHANNEL_NOT_FOUND" | "NOT_IN_CHANNEL" | "CHANNEL_ARCHIVED" | "MESSAGE_TOO_LONG" | "NO_TEXT" | "RESTRICTED_ACTION" | "TOKEN_EXPIRED" | "INVALID_AUTH" | "UNKNOWN";
  truncated?: string[];
};

export type NotificationType = {
  envId: string;
  notificationId: string;
  title: string;
  channels: Channel[];
  enabled: boolean;
  deduplication?: {
    duration: number;
  };
  throttling?: {
    max: number;
    period: number;
    unit: "seconds" | "minutes" | "hours" | "days" | "months" | "years";
    forever: boolean;
    scope: ["userId" | "notificationId", "userId" | "notificationId"];
  };
  retention?: number;
  options?: TypeOptions;
  templates?: {
    channel: Channel;
    templateIds: string[];
  }[];
};

export type Recipient = {
  id?: string;
  email?: string;
  number?: string;
  pushTokens?: {
    type: "FCM" | "APN";
    token: string;
    device?: {
      app_id?: string;
      ad_id?: string;
      device_id?: string;
      platform?: string;
      manufacturer?: string;
      model?: string;
    };
    environment?: string;
  }[];
  webPushTokens?: {
    sub: {
      endpoint: string;
      keys: {
        p256dh: string;
        auth: string;
      };
    };
  }[];
  timezone?: string;
  chatChannel?: string;
  chatToken?: ChatToken;
};

export type SendOptions = {
  email?: {
    replyToAddresses?: string[];
    ccAddresses?: string[];
    bccAddresses?: string[];
    fromAddress?: string;
    fromName?: string;
    attachments?: {
      filename: string;
      url: string;
    }[];
    condition?: string;
  };
  apn?: {
    expiry?: number;
    priority?: 10 | 5;
    collapseId?: string;
    threadId?: string;
    badge?: number;
    sound?: string;
    contentAvailable?: boolean;
  };
  fcm?: {
    android?: {
      collapseKey?: string;
      priority?: string;
      ttl?: number;
      restrictedPackageName?: string;
    };
  };
  push?: {
    customData?: Record<string, string>;
  };
};

export type SendRequest = {
  notificationId?: string;
  user?: Recipient;
  mergeTags?: Record<string, unknown>;
  replace?: Record<string, string>;
  type?: string;
  to?: Recipient;
  forceChannels?: Channel[];
  parameters?: Record<string, unknown>;
  secondaryId?: string;
  templateId?: string;
  subNotificationId?: string;
  options?: SendOptions;
  schedule?: string;
  email?: {
    subject?: string;
    html?: string;
    previewText?: string;
    senderName?: string;
    senderEmail?: string;
  };
  inapp?: {
    title?: string;
    url?: string;
    image?: string;
  };
  sms?: {
    message?: string;
    mediaUrls?: string[];
    autoReply?: {
      message: string;
    };
    from?: string;
  };
  call?: {
    message?: string;
  };
  web_push?: {
    title?: string;
    message?: string;
    icon?: string;
    url?: string;
  };
  mobile_push?: {
    title?: string;
    message?: string;
  };
  chat?: {
    text?: string;
    blocks?: Record<string, unknown>[];
    username?: string;
    icon?: string;
    thread_ts?: string;
    reply_broadcast?: boolean;
    parse?: "full" | "none";
    link_names?: boolean;
    mrkdwn?: boolean;
    unfurl_links?: boolean;
    unfurl_media?: boolean;
    metadata?: {
      entities?: {
        entity_type?: string;
        entity_payload?: Record<string, unknown>;
        external_ref?: {
          id?: string;
          type?: string;
        };
        url?: string;
        app_unfurl_url?: string;
      }[];
      event_type?: string;
      event_payload?: Record<string, unknown>;
    };
  };
};

export type TypeOptions = {
  EMAIL?: {
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    off?: {
      enabled: boolean;
    };
    instant?: {
      enabled: boolean;
    };
    hourly?: {
      enabled: boolean;
    };
    daily?: {
      enabled: boolean;
      hour?: string;
    };
    weekly?: {
      enabled: boolean;
      hour?: string;
      day?: string;
    };
    monthly?: {
      enabled: boolean;
      hour?: string;
      date?: "first" | "last";
    };
  };
  INAPP_WEB?: {
    defaultDeliveryOption: "off" | "instant";
    off?: {
      enabled: boolean;
    };
    instant?: {
      enabled: boolean;
    };
    batching?: boolean;
    batchingKey?: string;
    batchingWindow?: number;
  };
  SMS?: {
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    off?: {
      enabled: boolean;
    };
    instant?: {
      enabled: boolean;
    };
    hourly?: {
      enabled: boolean;
    };
    daily?: {
      enabled: boolean;
      hour?: string;
    };
    weekly?: {
      enabled: boolean;
      hour?: string;
      day?: string;
    };
    monthly?: {
      enabled: boolean;
      hour?: string;
      date?: "first" | "last";
    };
  };
  CALL?: {
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    off?: {
      enabled: boolean;
    };
    instant?: {
      enabled: boolean;
    };
    hourly?: {
      enabled: boolean;
    };
    daily?: {
      enabled: boolean;
      hour?: string;
    };
    weekly?: {
      enabled: boolean;
      hour?: string;
      day?: string;
    };
    monthly?: {
      enabled: boolean;
      hour?: string;
      date?: "first" | "last";
    };
  };
  PUSH?: {
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    off?: {
      enabled: boolean;
    };
    instant?: {
      enabled: boolean;
    };
    hourly?: {
      enabled: boolean;
    };
    daily?: {
      enabled: boolean;
      hour?: string;
    };
    weekly?: {
      enabled: boolean;
      hour?: string;
      day?: string;
    };
    monthly?: {
      enabled: boolean;
      hour?: string;
      date?: "first" | "last";
    };
  };
  WEB_PUSH?: {
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    off?: {
      enabled: boolean;
    };
    instant?: {
      enabled: boolean;
    };
    hourly?: {
      enabled: boolean;
    };
    daily?: {
      enabled: boolean;
      hour?: string;
    };
    weekly?: {
      enabled: boolean;
      hour?: string;
      day?: string;
    };
    monthly?: {
      enabled: boolean;
      hour?: string;
      date?: "first" | "last";
    };
  };
  CHAT?: {
    defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    off?: {
      enabled: boolean;
    };
    instant?: {
      enabled: boolean;
    };
    hourly?: {
      enabled: boolean;
    };
    daily?: {
      enabled: boolean;
      hour?: string;
    };
    weekly?: {
      enabled: boolean;
      hour?: string;
      day?: string;
    };
    monthly?: {
      enabled: boolean;
      hour?: string;
      date?: "first" | "last";
    };
  };
};

export type User = {
  id: string;
  email?: string;
  number?: string;
  pushTokens?: {
    type: "FCM" | "APN";
    token: string;
    device?: {
      app_id?: string;
      ad_id?: string;
      device_id?: string;
      platform?: string;
      manufacturer?: string;
      model?: string;
    };
    environment?: string;
  }[];
  webPushTokens?: {
    sub: {
      endpoint: string;
      keys: {
        p256dh: string;
        auth: string;
      };
    };
  }[];
  timezone?: string;
  chatChannel?: string;
  chatToken?: ChatToken;
  lastSeenTime?: string;
  updatedAt?: string;
  createdAt?: string;
  emailSuppressionStatus?: {
    reason: "Bounce" | "Complaint";
    details: Record<string, unknown>;
  };
};

/** An event that the service posts to your webhook. */
export type WebhookEvent = { eventType: string } & Record<string, unknown>;

/** One method per operation, grouped by resource. */
export type Client = {
  /** Send one email: `POST /email`. */
  sendEmail(body: {
      type: string;
      to: string | Recipient;
      subject: string;
      html: string;
      fromName?: string;
      fromAddress?: string;
      previewText?: string;
      replyToAddresses?: string[];
      ccAddresses?: string[];
      bccAddresses?: string[];
      attachments?: {
        filename: string;
        url: string;
      }[];
      schedule?: string;
    }, query?: { dryRun?: "true" | "false" | "1" | "0" | "" }, options?: CallOptions): Promise<{
      trackingId: string;
      messages: string[];
      routing?: {
        channel: Channel;
        routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
        reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
        content?: Record<string, unknown>;
        missing?: string[];
      }[];
    }>;
  /** Send a notification to a user on all channels of its type: `POST /send`. */
  send(body: SendRequest, query?: { dryRun?: "true" | "false" | "1" | "0" | "" }, options?: CallOptions): Promise<{
      trackingId: string;
      messages: string[];
      routing?: {
        channel: Channel;
        routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
        reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
        content?: Record<string, unknown>;
        missing?: string[];
      }[];
    }>;
  /** Send up to 100 notifications: `POST /send/bulk`. */
  sendBulk(body: {
      notifications: unknown[];
    }, query?: { dryRun?: "true" | "false" | "1" | "0" | "" }, options?: CallOptions): Promise<{
      results: {
        trackingId: string;
        messages: string[];
        routing?: {
          channel: Channel;
          routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
          reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
          content?: Record<string, unknown>;
          missing?: string[];
        }[];
      } | {
        error: {
          code: string;
          message: string;
          fix?: string;
        };
      }[];
    }>;
  /** Change the body or the time of a scheduled notification: `PUT /sender/scheduler/{trackingId}`. */
  reschedule(trackingId: string, body: SendRequest, options?: CallOptions): Promise<{
      message: string;
      trackingId: string;
      scheduledFor: string;
    }>;
  /** Cancel a scheduled notification: `DELETE /sender/scheduler/{trackingId}`. */
  cancelScheduled(trackingId: string, options?: CallOptions): Promise<{
      message: string;
    }>;
  /** Send a test email of a notification type: `POST /sender/test/email`. */
  sendTestEmail(body: {
      notificationId: string;
      to: string;
      subject: string;
      html: string;
      fromAddress: string;
      fromName: string;
      previewText?: string;
    }, query?: { dryRun?: "true" | "false" | "1" | "0" | "" }, options?: CallOptions): Promise<{
      trackingId: string;
      messages: string[];
      routing?: {
        channel: Channel;
        routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
        reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
        content?: Record<string, unknown>;
        missing?: string[];
      }[];
    }>;
  /** Send one text message: `POST /sms`. */
  sendSms(body: {
      type: string;
      to: string | Recipient;
      message?: string;
      mediaUrls?: string[];
      from?: string;
      autoReply?: {
        message: string;
      };
      schedule?: string;
    }, query?: { dryRun?: "true" | "false" | "1" | "0" | "" }, options?: CallOptions): Promise<{
      trackingId: string;
      messages: string[];
      routing?: {
        channel: Channel;
        routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
        reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
        content?: Record<string, unknown>;
        missing?: string[];
      }[];
    }>;
  /** Whether the service answers: `GET /status`. */
  getStatus(options?: CallOptions): Promise<{
      message: string;
    }>;
  account: {
    /** Get the settings of the account: `GET /account`. */
    get(options?: CallOptions): Promise<{
      accountId: string;
      name: string;
      defaultEnvironmentId: string;
      logo?: string;
      retentionInDays: number;
      timezone?: string;
      defaultSender?: {
        address: string;
        name?: string;
      };
      linkSchemes: string[];
      createdAt: string;
    }>;
    /** Change the settings of the account: `POST /account`. */
    update(body: {
      name?: string;
      logo?: string | null;
      retentionInDays?: number | null;
      timezone?: string | null;
      defaultSender?: {
        address: string;
        name?: string;
      } | null;
      linkSchemes?: string[] | null;
    }, options?: CallOptions): Promise<{
      accountId: string;
      name: string;
      defaultEnvironmentId: string;
      logo?: string;
      retentionInDays: number;
      timezone?: string;
      defaultSender?: {
        address: string;
        name?: string;
      };
      linkSchemes: string[];
      createdAt: string;
    }>;
    /** Get the billing record of the organization: `GET /account/organization`. */
    getOrganization(options?: CallOptions): Promise<{
      organizationId: string;
      organizationType: "free" | "paid";
      creator: string;
      name: string;
      messagesCap: number;
      costCap: number;
      smsCap?: number;
      callCap?: number;
      billingVersion?: 1 | 3;
      anniversaryDate: string;
      allowOverage: boolean;
      createdAt: string;
      updatedAt: string;
      sessionId?: string;
      url?: string;
    }>;
    /** Get what a browser needs to know of the account: `GET /users/account-metadata`. */
    getMetadata(options?: CallOptions): Promise<{
      userAccountMetadata: {
        logo: string;
        environmentVapidPublicKey: string;
        hasWebPushEnabled: boolean;
      };
    }>;
  };
  addresses: {
    /** List the e-mail addresses of the account, oldest first: `GET /addresses`. */
    list(options?: CallOptions): Promise<{
      addresses: {
        fullAddress: string;
        prefix: string;
        domain: string;
        type: "builtin" | "custom";
        createdAt: string;
        displayName?: string;
      }[];
    }>;
    /** Create an e-mail address: `POST /addresses`. */
    create(body: {
      prefix: string;
      domain?: string;
      displayName?: string;
    }, options?: CallOptions): Promise<{
      address: {
        fullAddress: string;
        prefix: string;
        domain: string;
        type: "builtin" | "custom";
        createdAt: string;
        displayName?: string;
      };
    }>;
    /** Set the display name of an e-mail address: `PATCH /addresses`. */
    update(body: {
      fullAddress: string;
      displayName: string | null;
    }, options?: CallOptions): Promise<{
      address: {
        fullAddress: string;
        prefix: string;
        domain: string;
        type: "builtin" | "custom";
        createdAt: string;
        displayName?: string;
      };
    }>;
  };
  backend: {
    /** Disconnect the account from the backend platform: `DELETE /account/backend`. */
    disconnect(options?: CallOptions): Promise<{
      success: boolean;
      message?: string;
    }>;
    /** Send the mail of a project of the backend platform through this deployment: `POST /account/backend/configure`. */
    configure(body: {
      projectRef: string;
      projectName: string;
      senderName: string;
      senderEmail: string;
    }, options?: CallOptions): Promise<{
      success: boolean;
      message?: string;
    }>;
    /** Connect the account to the backend platform: `POST /account/backend/oauth`. */
    connect(body: {
      code: string;
      redirect_uri: string;
      code_verifier: string;
    }, options?: CallOptions): Promise<{
      success: boolean;
      message?: string;
    }>;
    /** List the projects of the connected backend platform: `GET /account/backend/projects`. */
    listProjects(options?: CallOptions): Promise<{
      projects: {
        projectRef: string;
        projectName: string;
        region?: string;
        status?: string;
      }[];
    }>;
    /** Get the state of the connection to the backend platform: `GET /account/backend/status`. */
    getStatus(options?: CallOptions): Promise<{
      connected: boolean;
      connectedAt?: string;
      project?: {
        projectRef: string;
        projectName: string;
        senderName: string;
        senderEmail: string;
        configuredAt: string;
      };
    }>;
  };
  components: {
    /** List the email components of the environment: `GET /components`. */
    list(query?: { limit?: string | number; cursor?: string }, options?: CallOptions): List<{
      components: {
        envId: string;
        componentId: string;
        name: string;
        internal: string;
        internalPage: string;
        html: string;
        createdAt: string;
        modifiedAt: string;
        referencedBy: {
          notificationId: string;
          channel: Channel;
          templateId: string;
        }[];
        channel: "EMAIL";
      }[];
      nextCursor?: string;
    }, {
  envId: string;
  componentId: string;
  name: string;
  internal: string;
  internalPage: string;
  html: string;
  createdAt: string;
  modifiedAt: string;
  referencedBy: {
    notificationId: string;
    channel: Channel;
    templateId: string;
  }[];
  channel: "EMAIL";
}>;
    /** Create an email component: `POST /components`. */
    create(body: {
      componentId?: string;
      name: string;
      html?: string;
      internal?: string;
      internalPage?: string;
    }, options?: CallOptions): Promise<{
      envId: string;
      componentId: string;
      name: string;
      internal: string;
      internalPage: string;
      html: string;
      createdAt: string;
      modifiedAt: string;
      referencedBy: {
        notificationId: string;
        channel: Channel;
        templateId: string;
      }[];
      channel: "EMAIL";
    }>;
    /** Get an email component: `GET /components/{componentId}`. */
    get(componentId: string, options?: CallOptions): Promise<{
      envId: string;
      componentId: string;
      name: string;
      internal: string;
      internalPage: string;
      html: string;
      createdAt: string;
      modifiedAt: string;
      referencedBy: {
        notificationId: string;
        channel: Channel;
        templateId: string;
      }[];
      channel: "EMAIL";
    }>;
    /** Change an email component: `PATCH /components/{componentId}`. */
    update(componentId: string, body: {
      name?: string;
      html?: string;
      internal?: string;
      internalPage?: string;
    }, options?: CallOptions): Promise<{
      envId: string;
      componentId: string;
      name: string;
      internal: string;
      internalPage: string;
      html: string;
      createdAt: string;
      modifiedAt: string;
      referencedBy: {
        notificationId: string;
        channel: Channel;
        templateId: string;
      }[];
      channel: "EMAIL";
    }>;
    /** Delete an email component: `DELETE /components/{componentId}`. */
    delete(componentId: string, options?: CallOptions): Promise<{
      message: string;
    }>;
  };
  domains: {
    /** List the sender domains of the account, oldest first: `GET /domains`. */
    list(options?: CallOptions): Promise<{
      sender: string;
      status: "SUCCESS" | "PENDING" | "FAILED" | "TEMPORARY_FAILURE" | "NOT_STARTED";
      lastSync: string;
      verificationTokens?: string[];
      mailFromDomainStatus?: "PENDING" | "SUCCESS" | "FAILED" | "TEMPORARY_FAILURE";
      createdAt: string;
      reminderSentAt?: string;
      selector: string;
      verificationRecords?: {
        dkim: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
        mail_from_spf: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
        mail_from_mx: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
        dmarc: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
        inbound_mx: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
      };
    }[]>;
    /** Add a sender domain and start its verification: `POST /domains`. */
    create(body: {
      sender: string;
    }, options?: CallOptions): Promise<{
      sender: string;
      status: "SUCCESS" | "PENDING" | "FAILED" | "TEMPORARY_FAILURE" | "NOT_STARTED";
      lastSync: string;
      verificationTokens?: string[];
      mailFromDomainStatus?: "PENDING" | "SUCCESS" | "FAILED" | "TEMPORARY_FAILURE";
      createdAt: string;
      reminderSentAt?: string;
      selector: string;
      verificationRecords?: {
        dkim: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
        mail_from_spf: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
        mail_from_mx: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
        dmarc: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
        inbound_mx: {
          recordType: "TXT" | "MX";
          recordName: string;
          host: string;
          recordValue: string;
          priority?: number;
          required: boolean;
        };
      };
    }[]>;
    /** Delete a sender domain: `DELETE /domains/{sender}`. */
    delete(sender: string, options?: CallOptions): Promise<{
      message: string;
    }>;
  };
  environments: {
    /** List the environments of the account, oldest first: `GET /environments`. */
    list(options?: CallOptions): Promise<{
      environments: {
        clientId: string;
        clientSecret: string;
        title: string;
        disableSending: Channel[];
        secureMode: boolean;
      }[];
    }>;
    /** Create an environment: `POST /environments`. */
    create(body: {
      title: string;
    }, options?: CallOptions): Promise<{
      clientId: string;
      clientSecret: string;
      title: string;
      disableSending: Channel[];
      secureMode: boolean;
    }>;
    /** Change an environment: `PATCH /environments/{clientId}`. */
    update(clientId: string, body: {
      title?: string;
      disableSending?: Channel[];
      secureMode?: boolean;
      resetSecret?: boolean;
    }, options?: CallOptions): Promise<{
      clientId: string;
      clientSecret: string;
      title: string;
      disableSending: Channel[];
      secureMode: boolean;
    }>;
  };
  inapp: {
    /** List a user's in-app notifications, newest first: `GET /user/inapp`. */
    list(query?: { before?: string; count?: string | number; archived?: boolean | "true" | "false" }, options?: CallOptions): Promise<{
      notifications: {
        id: string;
        trackingId: string;
        notificationId: string;
        subNotificationId?: string;
        title: string;
        redirectURL?: string;
        imageURL?: string;
        date: string;
        parameters?: Record<string, unknown>;
        deliveryOptions?: Record<string, unknown>;
        template?: Record<string, unknown>;
        expDate?: number;
        opened?: string;
        clicked?: string;
        archived?: string;
        actioned1?: string;
        actioned2?: string;
        reply?: {
          date: string;
          message: string;
        };
      }[];
    }>;
    /** Mark in-app notifications: `PATCH /user/inapp`. */
    mark(body: {
      trackingIds: string[];
      opened?: string | true | null;
      clicked?: string | true | null;
      archived?: string | true | null;
      actioned1?: string | true | null;
      actioned2?: string | true | null;
      reply?: string | {
        message: string;
        date?: string;
      } | null;
    }, options?: CallOptions): Promise<{
      notifications: {
        id: string;
        trackingId: string;
        notificationId: string;
        subNotificationId?: string;
        title: string;
        redirectURL?: string;
        imageURL?: string;
        date: string;
        parameters?: Record<string, unknown>;
        deliveryOptions?: Record<string, unknown>;
        template?: Record<string, unknown>;
        expDate?: number;
        opened?: string;
        clicked?: string;
        archived?: string;
        actioned1?: string;
        actioned2?: string;
        reply?: {
          date: string;
          message: string;
        };
      }[];
    }>;
    /** Count a user's unread in-app notifications: `GET /user/inapp/unread`. */
    countUnread(options?: CallOptions): Promise<{
      count: number;
    }>;
    /** Mark all of a user's in-app notifications as opened: `PATCH /user/inapp/unread`. */
    openAll(options?: CallOptions): Promise<{
      count: number;
    }>;
  };
  keys: {
    /** List all API keys of the account: `GET /keys`. */
    list(options?: CallOptions): Promise<{
      keys: ApiKey[];
    }>;
    /** Create an API key: `POST /keys`. */
    create(body: {
      keyType: "secret" | "public";
      environmentId?: string;
      name: string;
    }, options?: CallOptions): Promise<ApiKey>;
    /** Revoke an API key: `DELETE /keys/{keyId}`. */
    revoke(keyId: string, options?: CallOptions): Promise<{
      message: string;
    }>;
  };
  logs: {
    /** List recent notifications and inbound messages, newest first: `GET /logs`. */
    list(query?: { limit?: string | number; cursor?: string; eventType?: "outbound" | "inbound" | "sms_inbound" }, options?: CallOptions): List<{
      messages: InboundMessage[];
      nextCursor?: string;
    }, InboundMessage>;
    /** Look up delivery logs by the tracking IDs in the body: `POST /logs/bulk`. */
    getBulk(body: {
      trackingIds: string[];
    }, options?: CallOptions): Promise<{
      logs: LogRecord[];
    }>;
    /** How many days delivery logs are kept: `GET /logs/retention`. */
    getRetention(options?: CallOptions): Promise<{
      retentionInDays: number;
    }>;
    /** Get the delivery logs of the last 100 notifications, newest first: `GET /logs/tail`. */
    tail(options?: CallOptions): Promise<{
      logs: LogRecord[];
    }>;
    /** Look up delivery logs by tracking ID: `GET /logs/{trackingIds}`. */
    get(trackingIds: string | readonly string[], options?: CallOptions): Promise<{
      logs: LogRecord[];
    }>;
  };
  members: {
    /** List the members of the account, oldest first: `GET /members`. */
    list(options?: CallOptions): Promise<{
      members: {
        userId: string;
        email: string;
        role: "admin" | "member";
        status: "invited" | "active";
        pendingEmail?: string;
        createdAt: string;
        updatedAt: string;
      }[];
    }>;
    /** Invite a person to the account: `POST /members`. */
    invite(body: {
      email: string;
      role?: "admin" | "member";
    }, options?: CallOptions): Promise<{
      userId: string;
      email: string;
      role: "admin" | "member";
      status: "invited" | "active";
      pendingEmail?: string;
      createdAt: string;
      updatedAt: string;
      invitationToken?: string;
    }>;
    /** Change a member's role: `PATCH /members/{userId}`. */
    update(userId: string, body: {
      role: "admin" | "member";
      envId?: unknown;
    }, query?: { envId?: string }, options?: CallOptions): Promise<{
      success: boolean;
    }>;
    /** Remove a member, or withdraw an invitation: `DELETE /members/{userId}`. */
    remove(userId: string, options?: CallOptions): Promise<{
      success: boolean;
    }>;
  };
  organization: {
    /** Get or create the billing record, and start a checkout when a price is named: `POST /billing`. */
    saveBilling(body: {
      budgetPriceId?: string;
      successUrl: string;
      cancelUrl: string;
    }, options?: CallOptions): Promise<{
      organizationId: string;
      organizationType: "free" | "paid";
      creator: string;
      name: string;
      messagesCap: number;
      costCap: number;
      smsCap?: number;
      callCap?: number;
      billingVersion?: 1 | 3;
      anniversaryDate: string;
      allowOverage: boolean;
      createdAt: string;
      updatedAt: string;
      sessionId?: string;
      url?: string;
    }>;
    /** Get the usage of this month and of the billing period, with the caps: `GET /organization/usage`. */
    getUsage(options?: CallOptions): Promise<{
      yearMonth: string;
      counts: {
        EMAIL: number;
        INAPP_WEB: number;
        SMS: number;
        CALL: number;
        PUSH: number;
        WEB_PUSH: number;
        CHAT: number;
      };
      costUsd: number;
      billingPeriod: {
        startDate: string;
        endDate: string;
        counts: {
          EMAIL: number;
          INAPP_WEB: number;
          SMS: number;
          CALL: number;
          PUSH: number;
          WEB_PUSH: number;
          CHAT: number;
        };
        costUsd: number;
      };
      caps: {
        messagesCap: number;
        smsCap?: number;
        callCap?: number;
        costCap: number;
        allowOverage: boolean;
      };
    }>;
    /** Get the usage of each month of a range: `GET /organization/usage/history`. */
    getUsageHistory(query: { startDate: string; endDate: string }, options?: CallOptions): Promise<{
      items: {
        yearMonth: string;
        counts: {
          EMAIL: number;
          INAPP_WEB: number;
          SMS: number;
          CALL: number;
          PUSH: number;
          WEB_PUSH: number;
          CHAT: number;
        };
      }[];
    }>;
  };
  preferences: {
    /** Get a user's preferences and what can be chosen: `GET /users/{userId}/preferences`. */
    get(userId: string, options?: CallOptions): Promise<{
      preferences: {
        notificationId: string;
        subNotificationId?: string;
        channel: Channel;
        delivery: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
      }[];
      notifications: {
        notificationId: string;
        title: string;
        channels: Channel[];
        options: TypeOptions;
      }[];
    }>;
    /** Set some of a user's preferences: `POST /users/{userId}/preferences`. */
    save(userId: string, body: {
      notificationId: string;
      subNotificationId?: string;
      channel: Channel;
      delivery: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    }[], options?: CallOptions): Promise<{
      preferences: {
        notificationId: string;
        subNotificationId?: string;
        channel: Channel;
        delivery: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
      }[];
      notifications: {
        notificationId: string;
        title: string;
        channels: Channel[];
        options: TypeOptions;
      }[];
    }>;
    /** Reset a user's preferences: `DELETE /users/{userId}/preferences`. */
    reset(userId: string, query?: { notificationId?: string; subNotificationId?: string }, options?: CallOptions): Promise<{
      message: string;
    }>;
  };
  profile: {
    /** Accept an invitation: `POST /profile/accept_invite`. */
    acceptInvite(body: {
      token: string;
    }, options?: CallOptions): Promise<{
      success: boolean;
    }>;
    /** Change the e-mail address of the member who calls: `POST /profile/change-email`. */
    changeEmail(body: {
      newEmail: string;
    }, options?: CallOptions): Promise<{
      success: boolean;
      confirmationUrl?: string;
    }>;
  };
  pushSettings: {
    /** Get the APN configuration of the account: `GET /settings/push/apn`. */
    getApnConfig(options?: CallOptions): Promise<{
      KeyId: string;
      Key: string;
      TeamId: string;
      Topic: string;
    }>;
    /** Create or update the APN configuration of the account: `PUT /settings/push/apn`. */
    saveApnConfig(body: {
      KeyId: string;
      Key: string;
      TeamId: string;
      Topic: string;
    }, options?: CallOptions): Promise<{
      KeyId: string;
      Key: string;
      TeamId: string;
      Topic: string;
    }>;
    /** Delete the APN configuration of the account: `DELETE /settings/push/apn`. */
    deleteApnConfig(options?: CallOptions): Promise<undefined>;
    /** Get the FCM configuration of the account: `GET /settings/push/fcm`. */
    getFcmConfig(options?: CallOptions): Promise<{
      fcmConfig: string;
    }>;
    /** Create or update the FCM configuration of the account: `PUT /settings/push/fcm`. */
    saveFcmConfig(body: {
      fcmConfig: string;
    }, options?: CallOptions): Promise<{
      fcmConfig: string;
    }>;
    /** Delete the FCM configuration of the account: `DELETE /settings/push/fcm`. */
    deleteFcmConfig(options?: CallOptions): Promise<undefined>;
  };
  templates: {
    /** List the templates of a notification type's channel: `GET /notifications/{notificationId}/{channel}/templates`. */
    list(notificationId: string, channel: string, options?: CallOptions): Promise<{
      templates: {
        envId: string;
        notificationId: string;
        templateId: string;
        channel: Channel;
        default: boolean;
        isDefaultFor?: Record<string, boolean>;
      }[];
    }>;
    /** Create a template: `POST /notifications/{notificationId}/{channel}/templates`. */
    create(notificationId: string, channel: string, body: {
      templateId?: string;
      html?: string | null;
      previewText?: string | null;
      internal?: string | null;
      subject?: string | null;
      senderName?: string | null;
      senderEmail?: string | null;
      title?: string | null;
      redirectURL?: string | null;
      imageURL?: string | null;
      instant?: {
        title?: string;
        redirectURL?: string;
        imageURL: string;
      } | null;
      batch?: {
        title: string;
        redirectURL: string;
        imageURL: string;
      } | null;
      text?: string | null;
      message?: string | null;
      icon?: string | null;
      url?: string | null;
      blocks?: Record<string, unknown>[] | null;
      username?: string | null;
    }, options?: CallOptions): Promise<{
      envId: string;
      notificationId: string;
      templateId: string;
      channel: Channel;
      default: boolean;
      isDefaultFor?: Record<string, boolean>;
    }>;
    /** Make a template the default of delivery modes: `PATCH /notifications/{notificationId}/{channel}/templates/default-selection`. */
    selectDefault(notificationId: string, channel: string, body: {
      templateId: string;
      modes: ("instant" | "hourly" | "daily" | "weekly" | "monthly" | "batch")[];
    }, options?: CallOptions): Promise<{
      envId: string;
      notificationId: string;
      templateId: string;
      channel: Channel;
      default: boolean;
      isDefaultFor?: Record<string, boolean>;
    }>;
    /** Render a template that is not saved: `POST /notifications/{notificationId}/{channel}/templates/preview`. */
    preview(notificationId: string, channel: string, body: {
      template: {
        html?: string | null;
        previewText?: string | null;
        internal?: string | null;
        subject?: string | null;
        senderName?: string | null;
        senderEmail?: string | null;
        title?: string | null;
        redirectURL?: string | null;
        imageURL?: string | null;
        instant?: {
          title?: string;
          redirectURL?: string;
          imageURL: string;
        } | null;
        batch?: {
          title: string;
          redirectURL: string;
          imageURL: string;
        } | null;
        text?: string | null;
        message?: string | null;
        icon?: string | null;
        url?: string | null;
        blocks?: Record<string, unknown>[] | null;
        username?: string | null;
      };
      parameters?: Record<string, unknown>;
      items?: Record<string, unknown>[];
      mode?: "instant" | "hourly" | "daily" | "weekly" | "monthly" | "batch";
    }, options?: CallOptions): Promise<{
      content: Record<string, unknown>;
      missing: string[];
    }>;
    /** Get a template with its content: `GET /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    get(notificationId: string, channel: string, templateId: string, options?: CallOptions): Promise<{
      envId: string;
      notificationId: string;
      templateId: string;
      channel: Channel;
      default: boolean;
      isDefaultFor?: Record<string, boolean>;
      html?: string;
      previewText?: string;
      internal?: string;
      subject?: string;
      senderName?: string;
      senderEmail?: string;
      title?: string;
      redirectURL?: string;
      imageURL?: string;
      instant?: {
        title?: string;
        redirectURL?: string;
        imageURL: string;
      };
      batch?: {
        title: string;
        redirectURL: string;
        imageURL: string;
      };
      text?: string;
      message?: string;
      icon?: string;
      url?: string;
      blocks?: Record<string, unknown>[];
      username?: string;
    }>;
    /** Change a template's properties: `PATCH /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    update(notificationId: string, channel: string, templateId: string, body: {
      html?: string | null;
      previewText?: string | null;
      internal?: string | null;
      subject?: string | null;
      senderName?: string | null;
      senderEmail?: string | null;
      title?: string | null;
      redirectURL?: string | null;
      imageURL?: string | null;
      instant?: {
        title?: string;
        redirectURL?: string;
        imageURL: string;
      } | null;
      batch?: {
        title: string;
        redirectURL: string;
        imageURL: string;
      } | null;
      text?: string | null;
      message?: string | null;
      icon?: string | null;
      url?: string | null;
      blocks?: Record<string, unknown>[] | null;
      username?: string | null;
    }, options?: CallOptions): Promise<{
      envId: string;
      notificationId: string;
      templateId: string;
      channel: Channel;
      default: boolean;
      isDefaultFor?: Record<string, boolean>;
    }>;
    /** Delete a template: `DELETE /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    delete(notificationId: string, channel: string, templateId: string, options?: CallOptions): Promise<{
      message: string;
    }>;
  };
  types: {
    /** List all notification types of the account with their templates: `GET /types`. */
    list(options?: CallOptions): Promise<NotificationType[]>;
    /** Create a notification type: `POST /types`. */
    create(body: {
      notificationId: string;
      title: string;
      channels: Channel[];
      enabled?: boolean;
      deduplication?: {
        duration: number;
      } | null;
      throttling?: {
        max: number;
        period: number;
        unit: "seconds" | "minutes" | "hours" | "days" | "months" | "years";
        forever: boolean;
        scope: ["userId" | "notificationId", "userId" | "notificationId"];
      } | null;
      retention?: number | null;
      options?: {
        EMAIL?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        INAPP_WEB?: {
          defaultDeliveryOption: "off" | "instant";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          batching?: boolean;
          batchingKey?: string;
          batchingWindow?: number;
          hourly?: unknown;
          daily?: unknown;
          weekly?: unknown;
          monthly?: unknown;
        } | null;
        SMS?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        CALL?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        PUSH?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        WEB_PUSH?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        CHAT?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
      } | null;
    }, options?: CallOptions): Promise<NotificationType>;
    /** Get a notification type: `GET /types/{notificationId}`. */
    get(notificationId: string, options?: CallOptions): Promise<NotificationType>;
    /** Change a notification type: `PATCH /types/{notificationId}`. */
    update(notificationId: string, body: {
      notificationId?: string;
      title?: string;
      channels?: Channel[];
      enabled?: boolean;
      deduplication?: {
        duration: number;
      } | null;
      throttling?: {
        max: number;
        period: number;
        unit: "seconds" | "minutes" | "hours" | "days" | "months" | "years";
        forever: boolean;
        scope: ["userId" | "notificationId", "userId" | "notificationId"];
      } | null;
      retention?: number | null;
      options?: {
        EMAIL?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        INAPP_WEB?: {
          defaultDeliveryOption: "off" | "instant";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          batching?: boolean;
          batchingKey?: string;
          batchingWindow?: number;
          hourly?: unknown;
          daily?: unknown;
          weekly?: unknown;
          monthly?: unknown;
        } | null;
        SMS?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        CALL?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        PUSH?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        WEB_PUSH?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
        CHAT?: {
          defaultDeliveryOption: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
          off?: {
            enabled: boolean;
          };
          instant?: {
            enabled: boolean;
          };
          hourly?: {
            enabled: boolean;
          };
          daily?: {
            enabled: boolean;
            hour?: string;
          };
          weekly?: {
            enabled: boolean;
            hour?: string;
            day?: string;
          };
          monthly?: {
            enabled: boolean;
            hour?: string;
            date?: "first" | "last";
          };
          batching?: unknown;
          batchingKey?: unknown;
          batchingWindow?: unknown;
        } | null;
      } | null;
    }, options?: CallOptions): Promise<NotificationType>;
    /** Delete a notification type with its templates: `DELETE /types/{notificationId}`. */
    delete(notificationId: string, options?: CallOptions): Promise<{
      message: string;
    }>;
  };
  users: {
    /** Lift the suppression of a user's e-mail: `DELETE /user_suppression/{userId}/channel/{channel}`. */
    liftSuppression(userId: string, channel: string, options?: CallOptions): Promise<{
      message: string;
    }>;
    /** List the users of the environment, newest first: `GET /users`. */
    list(query?: { limit?: string | number; cursor?: string; nextToken?: string }, options?: CallOptions): List<{
      users: User[];
      nextToken?: string;
    }, User>;
    /** Create or update a user: `POST /users/{userId}`. */
    save(userId: string, body: {
      id?: string;
      email?: string | null;
      number?: string | null;
      pushTokens?: {
        type: "FCM" | "APN";
        token: string;
        device?: {
          app_id?: string;
          ad_id?: string;
          device_id?: string;
          platform?: string;
          manufacturer?: string;
          model?: string;
        };
        environment?: string;
      }[] | null;
      webPushTokens?: {
        sub: {
          endpoint: string;
          keys: {
            p256dh: string;
            auth: string;
          };
        };
      }[] | null;
      timezone?: string | null;
      chatChannel?: string | null;
      chatToken?: ChatToken | null;
    }, options?: CallOptions): Promise<User>;
    /** Get a user: `GET /users/{userId}`. */
    get(userId: string, options?: CallOptions): Promise<User>;
    /** Delete a user and erase them from every log: `DELETE /users/{userId}`. */
    delete(userId: string, options?: CallOptions): Promise<{
      message: string;
      erasure: {
        state: "running" | "done";
        erasedLogs: number;
      };
    }>;
    /** List the channels of a user's chat workspace: `GET /users/{userId}/chat-channels`. */
    listChatChannels(userId: string, options?: CallOptions): Promise<{
      channels: {
        id: string;
        name: string;
        isPrivate: boolean;
        isMember: boolean;
      }[];
    }>;
    /** Connect a user to the chat product: `POST /users/{userId}/chat-oauth`. */
    connectChat(userId: string, body: {
      code: string;
      redirect_uri: string;
    }, options?: CallOptions): Promise<{
      success: boolean;
      message: string;
    }>;
  };
  webhooks: {
    /** Create or change the webhook of the environment: `PUT /webhooks/events`. */
    save(body: {
      webhook: string;
      events: ("EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE")[];
      rotateSecret?: boolean;
    }, options?: CallOptions): Promise<{
      webhookId: string;
      webhook: string;
      events: ("EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE")[];
      secret: string;
    }>;
    /** Get the webhook of the environment with its last 20 attempts: `GET /webhooks/events`. */
    get(options?: CallOptions): Promise<{
      webhookId: string;
      webhook: string;
      events: ("EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE")[];
      secret: string;
      disabled: boolean;
      formerSecretUntil?: string;
      disabledReason?: "gone" | "failing";
      attempts: {
        webhookMessageId: string;
        eventType: "EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE";
        at: string;
        attempt: number;
        status: number;
        ms: number;
        error?: string;
      }[];
    }>;
    /** Delete the webhook of the environment: `DELETE /webhooks/events`. */
    delete(options?: CallOptions): Promise<undefined>;
    /** Send a sample event to the webhook: `POST /webhooks/events/test`. */
    test(body?: {
      eventType?: "EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE";
    }, options?: CallOptions): Promise<{
      webhookMessageId: string;
      eventType: "EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE";
    }>;
  };
};
