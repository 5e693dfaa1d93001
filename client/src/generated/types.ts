// Written by `npm run openapi` from the route table.

import type { WithOne } from '../with-one.ts';


export type Account = {
  /** The ID of the account. */
  accountId: string;
  /** The name, shown on pages for recipients. */
  name: string;
  /** The environment of callers that specify none. */
  defaultEnvironmentId: string;
  /** The URL of the logo, shown on pages for recipients. */
  logo?: string;
  /** Number of days that delivery logs are kept. A longer one applies to notifications accepted from now on, a shorter one to all: what is past it is no longer shown, and is removed within a day. */
  retentionInDays: number;
  /** Number of days that the content in delivery logs is kept (requests, previews, inbound messages): 0 up to the retention, which is the default. It is removed once each channel has its outcome. */
  contentDays: number;
  /** The timezone of users without one (IANA, such as Europe/Berlin). */
  timezone?: string;
  /** The language of users who have none: a language tag (BCP 47), such as de or pt-BR. */
  locale?: string;
  /** The sender of emails that specify none. */
  defaultSender?: {
    /** The email address, on a verified domain. */
    address: string;
    /** The display name. */
    name?: string;
  };
  /** The component with {{ content }} that embeds emails of templates without a layout. An environment without it uses no layout. */
  defaultLayout?: string;
  /** Schemes of your apps (such as myapp) that links of in-app and web push notifications may have, in addition to http, https and relative addresses. */
  linkSchemes: string[];
  /** One window or a list of at most ten: the quiet hours of users without their own; with floor, of all users. */
  quietHours?: {
    /** Start time in the user's timezone, such as 22:00 or 10:00 pm. */
    from: string;
    /** End time in the user's timezone; a time not after from is on the next day. */
    to: string;
    /** Weekdays when quiet hours begin; every day if absent. */
    days?: string[];
    /** The channels that they apply to; without it, all but INAPP_WEB, which is never held. */
    channels?: ("EMAIL" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT")[];
    /** hold sends when they end, drop never sends. */
    mode?: "hold" | "drop";
    /** True if it overrides the user's settings, for example for hours that the law sets. */
    floor?: boolean;
    /** recipient: the timezone of the number's country for users without one; of its most westerly and easterly timezones, the stricter. Without it, the account's. */
    timezone?: "recipient";
  } | {
    /** Start time in the user's timezone, such as 22:00 or 10:00 pm. */
    from: string;
    /** End time in the user's timezone; a time not after from is on the next day. */
    to: string;
    /** Weekdays when quiet hours begin; every day if absent. */
    days?: string[];
    /** The channels that they apply to; without it, all but INAPP_WEB, which is never held. */
    channels?: ("EMAIL" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT")[];
    /** hold sends when they end, drop never sends. */
    mode?: "hold" | "drop";
    /** True if it overrides the user's settings, for example for hours that the law sets. */
    floor?: boolean;
    /** recipient: the timezone of the number's country for users without one; of its most westerly and easterly timezones, the stricter. Without it, the account's. */
    timezone?: "recipient";
  }[];
  /** Replies to STOP, START and HELP, by language tag. The name of the account is put before a text that does not contain it. */
  smsAnswers?: Record<string, {
    /** The confirmation of an opt-out; at most 320 characters. */
    stop?: string;
    /** The confirmation of an opt-in; at most 320 characters. */
    start?: string;
    /** The reply to HELP; at most 320 characters. */
    help?: string;
  }>;
  /** The sender of text messages without sms.from: the first entry for the country of the recipient. If there is none, the first entry without countries, and without that the default of the provider. At most 50 entries. */
  phoneNumbers?: {
    /** A number of the account in E.164, a short code or a sender ID. */
    number: string;
    /** The countries (ISO 3166-1 alpha-2) that it sends to; all, if absent. */
    countries?: string[];
  }[];
  /** The postal address of the sender. An email of a type with purpose marketing is sent only with it and {{ unsubscribe_url }}. */
  postalAddress?: string;
  /** True if opens and clicks of email are tracked only for users with a recorded consent to the type, or to marketing if it is that. */
  trackingNeedsConsent?: boolean;
  /** Time the account was created. */
  createdAt: string;
  /** Time of the last change of these settings. */
  updatedAt?: string;
  /** The ID of the member or key that made it. */
  updatedBy?: string;
};

export type Address = {
  /** The full email address. */
  fullAddress: string;
  /** The part before the @. */
  prefix: string;
  /** The part after the @. */
  domain: string;
  /** builtin on the service's mail domain, custom on a domain of the account. */
  type: "builtin" | "custom";
  /** Creation time. */
  createdAt: string;
  /** The name that recipients see. */
  displayName?: string;
};

export type ApiKey = {
  /** The ID of the key, as in DELETE /keys/{keyId}. */
  id: string;
  /** The key itself: treat it as a secret. */
  key: string;
  /** Kind of key: secret for servers, public for browsers and apps. */
  keyType: "secret" | "public";
  /** The environment that the key is bound to; absent if it is not bound. */
  environmentId?: string;
  /** The account. */
  accountId: string;
  /** The key's name, such as its purpose. */
  name: string;
  /** True if the key no longer works. */
  revoked: boolean;
  /** What the key may do; all three unless specified. send: endpoints that send. read: endpoints that only read. manage: all others, keys included. */
  scopes: ("send" | "read" | "manage")[];
  /** The member who issued the key. */
  issuedBy?: string;
  /** When the key was revoked. */
  revokedAt?: string;
  /** The member who revoked it. */
  revokedBy?: string;
  /** Creation time. */
  createdAt: string;
  /** Time the key was last used, to about five minutes. */
  lastUsedAt?: string;
};

export type Attachment = {
  /** The file's name, as the recipient sees it. */
  filename: string;
  /** Public https URL that the file is fetched from when the email is sent. */
  url: string;
  /** Shows the file in the HTML, as <img src="cid:…"> with this ID. */
  contentId?: string;
};

export type CallContent = {
  /** The text that is spoken, as Liquid; SSML if it is <speak>…</speak>. */
  message?: string;
  /** The language of the text, BCP 47; by default the language of the chosen text. */
  language?: string;
  /** A voice of Amazon Polly, such as Lea, or a voice in the provider's spelling; one of the language by default. */
  voice?: string;
  /** How often the text is spoken: 1, 2 or 3. One of 1, 2, 3. */
  repeat?: number;
};

/** The body of the event CALL_FAILED. Later versions may add fields. */
export type CallFailedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "CALL_FAILED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "CALL_FAILED";
  /** The channel of the message. */
  channel: "CALL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  /** The same fields again, as Standard Webhooks recommends. */
  data: CallFailedEventData;
};

/** The fields of the event CALL_FAILED. */
export type CallFailedEventData = {
  /** The event. */
  eventType: "CALL_FAILED";
  /** The channel of the message. */
  channel: "CALL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
};

/** The body of the event CALL_UNSUBSCRIBE. Later versions may add fields. */
export type CallUnsubscribeEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "CALL_UNSUBSCRIBE";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "CALL_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "CALL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: CallUnsubscribeEventData;
};

/** The fields of the event CALL_UNSUBSCRIBE. */
export type CallUnsubscribeEventData = {
  /** The event. */
  eventType: "CALL_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "CALL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

export type Channel = "EMAIL" | "INAPP_WEB" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT";

export type ChannelCounts = {
  /** Messages on EMAIL. */
  EMAIL: number;
  /** Messages on INAPP_WEB. */
  INAPP_WEB: number;
  /** Messages on SMS. */
  SMS: number;
  /** Messages on CALL. */
  CALL: number;
  /** Messages on PUSH. */
  PUSH: number;
  /** Messages on WEB_PUSH. */
  WEB_PUSH: number;
  /** Messages on CHAT. */
  CHAT: number;
};

export type ChannelOptions = {
  /** The delivery option of users without a preference. */
  defaultDeliveryOption: DeliveryOption;
  /** Sends nothing. */
  off?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** Sends each item immediately. */
  instant?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** Collects items until the full hour. */
  hourly?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** Collects items until the hour, every day. */
  daily?: {
    /** True if users may choose it. */
    enabled: boolean;
    /** A time of day such as 8, 08:00 or 8:00 am. */
    hour?: string;
  };
  /** Collects items until the day and hour, every week. */
  weekly?: {
    /** True if users may choose it. */
    enabled: boolean;
    /** A time of day such as 8, 08:00 or 8:00 am. */
    hour?: string;
    /** An English weekday, or 0 to 6 with 0 = Sunday. */
    day?: string;
  };
  /** Collects items until the first or last day of the month. */
  monthly?: {
    /** True if users may choose it. */
    enabled: boolean;
    /** A time of day such as 8, 08:00 or 8:00 am. */
    hour?: string;
    /** first or last: the day of the month. */
    date?: "first" | "last";
  };
};

export type ChannelOptionsChange = {
  /** The delivery option of users without a preference. */
  defaultDeliveryOption: DeliveryOption;
  /** Sends nothing. */
  off?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** Sends each item immediately. */
  instant?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** Collects items until the full hour. */
  hourly?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** Collects items until the hour, every day. */
  daily?: {
    /** True if users may choose it. */
    enabled: boolean;
    /** A time of day such as 8, 08:00 or 8:00 am. */
    hour?: string;
  };
  /** Collects items until the day and hour, every week. */
  weekly?: {
    /** True if users may choose it. */
    enabled: boolean;
    /** A time of day such as 8, 08:00 or 8:00 am. */
    hour?: string;
    /** An English weekday, or 0 to 6 with 0 = Sunday. */
    day?: string;
  };
  /** Collects items until the first or last day of the month. */
  monthly?: {
    /** True if users may choose it. */
    enabled: boolean;
    /** A time of day such as 8, 08:00 or 8:00 am. */
    hour?: string;
    /** first or last: the day of the month. */
    date?: "first" | "last";
  };
};

export type ChatContent = {
  /** The text; with blocks, what notifications show. */
  text?: string;
  /** Blocks of the chat message, as the chat provider defines them, at most 50. */
  blocks?: Record<string, unknown>[];
  /** The name under which the message is sent. */
  username?: string;
  /** An emoji or the URL of an image, in place of the icon of the bot. */
  icon?: string;
  /** The timestamp of the message whose thread it replies in. */
  thread_ts?: string;
  /** True if a reply in a thread is also shown in the channel. */
  reply_broadcast?: boolean;
  /** Parsing mode of the chat provider. */
  parse?: "full" | "none";
  /** True if names in the text become links. */
  link_names?: boolean;
  /** True if the text is formatted. */
  mrkdwn?: boolean;
  /** True if links get a preview. */
  unfurl_links?: boolean;
  /** True if media links get a preview. */
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
        /** Its ID there. */
        id?: string;
        /** The kind of the entity. */
        type?: string;
      };
      /** The address of the entity. */
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

/** The body of the event CHAT_FAILED. Later versions may add fields. */
export type ChatFailedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "CHAT_FAILED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "CHAT_FAILED";
  /** The channel of the message. */
  channel: "CHAT";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "CHANNEL_NOT_FOUND" | "NOT_IN_CHANNEL" | "CHANNEL_ARCHIVED" | "MESSAGE_TOO_LONG" | "NO_TEXT" | "RESTRICTED_ACTION" | "TOKEN_EXPIRED" | "INVALID_AUTH" | "UNKNOWN";
  /** The same fields again, as Standard Webhooks recommends. */
  data: ChatFailedEventData;
};

/** The fields of the event CHAT_FAILED. */
export type ChatFailedEventData = {
  /** The event. */
  eventType: "CHAT_FAILED";
  /** The channel of the message. */
  channel: "CHAT";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "CHANNEL_NOT_FOUND" | "NOT_IN_CHANNEL" | "CHANNEL_ARCHIVED" | "MESSAGE_TOO_LONG" | "NO_TEXT" | "RESTRICTED_ACTION" | "TOKEN_EXPIRED" | "INVALID_AUTH" | "UNKNOWN";
};

export type ChatToken = {
  /** The chat product: slack, discord or teams; slack if absent. */
  provider?: string | null;
  /** The incoming webhook of discord, or of a workflow of teams. */
  webhookUrl?: string | null;
  /** The access token. */
  access_token?: string | null;
  /** The ID of the app. */
  app_id?: string | null;
  /** The user who authorized the app. */
  authed_user?: {
    /** The access token. */
    access_token?: string | null;
    /** Seconds until the token expires. */
    expires_in?: number | null;
    /** Its ID at the chat provider. */
    id?: string | null;
    /** The refresh token. */
    refresh_token?: string | null;
    /** The scopes of the token, separated by commas. */
    scope?: string | null;
    /** The type of the token. */
    token_type?: string | null;
  } | null;
  /** The ID of the app's bot. */
  bot_user_id?: string | null;
  /** The enterprise of the workspace. */
  enterprise?: {
    /** Its ID at the chat provider. */
    id?: string | null;
    /** Its name at the chat provider. */
    name?: string | null;
  } | null;
  /** The chat provider's error code. */
  error?: string | null;
  /** Seconds until the token expires. */
  expires_in?: number | null;
  /** The incoming webhook of the app. */
  incoming_webhook?: {
    /** The name of the chat channel. */
    channel?: string | null;
    /** The ID of the chat channel. */
    channel_id?: string | null;
    /** The URL of the webhook's configuration page. */
    configuration_url?: string | null;
    /** The URL that messages to the webhook are posted to. */
    url?: string | null;
  } | null;
  /** True if the app is installed for the enterprise. */
  is_enterprise_install?: boolean | null;
  /** The scope that was needed. */
  needed?: string | null;
  /** True if the chat provider accepted the request. */
  ok?: boolean;
  /** The scope that was provided. */
  provided?: string | null;
  /** The refresh token. */
  refresh_token?: string | null;
  /** The scopes of the token, separated by commas. */
  scope?: string | null;
  /** The workspace. */
  team?: {
    /** Its ID at the chat provider. */
    id?: string | null;
    /** Its name at the chat provider. */
    name?: string | null;
  } | null;
  /** The type of the token. */
  token_type?: string | null;
  /** A warning of the chat provider. */
  warning?: string | null;
  /** Metadata of the chat provider's response. */
  response_metadata?: {
    /** Warnings of the chat provider. */
    warnings?: string[] | null;
    /** The chat provider's cursor. */
    next_cursor?: string | null;
    /** Scopes of the token. */
    scopes?: string[] | null;
    /** Scopes that would have been accepted. */
    acceptedScopes?: string[] | null;
    /** Seconds to wait. */
    retryAfter?: number | null;
    /** Messages of the chat provider. */
    messages?: string[] | null;
  } | null;
};

/** The body of the event CHAT_UNSUBSCRIBE. Later versions may add fields. */
export type ChatUnsubscribeEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "CHAT_UNSUBSCRIBE";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "CHAT_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "CHAT";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: ChatUnsubscribeEventData;
};

/** The fields of the event CHAT_UNSUBSCRIBE. */
export type ChatUnsubscribeEventData = {
  /** The event. */
  eventType: "CHAT_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "CHAT";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

export type Component = {
  /** The environment. */
  envId: string;
  /** The ID of the component. */
  componentId: string;
  /** The name of the component. */
  name: string;
  /** The editor's representation. */
  internal: string;
  /** The editor's representation of the page. */
  internalPage: string;
  /** The HTML, as Liquid; templates embed it with {% component %}. */
  html: string;
  /** Creation time. */
  createdAt: string;
  /** Time of the last change. */
  updatedAt?: string;
  /** The ID of the member or key that made it. */
  updatedBy?: string;
  /** Time of the last change. */
  modifiedAt: string;
  /** The templates that embed it. */
  referencedBy: {
    /** The ID of the notification type. */
    notificationId: string;
    /** Always EMAIL. */
    channel: Channel;
    /** The ID of the template. */
    templateId: string;
  }[];
  /** Always EMAIL. */
  channel: "EMAIL";
};

export type Deduplication = {
  /** The length of the window in seconds; 0 means indefinitely. */
  duration: number;
};

export type DeliveryOption = "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";

export type DnsRecord = {
  /** TXT or MX. */
  recordType: "TXT" | "MX";
  /** The record's name relative to the registrable zone, @ for the zone itself. */
  recordName: string;
  /** The full name of the DNS record. */
  host: string;
  /** The value of the DNS record. */
  recordValue: string;
  /** The priority of an MX record. */
  priority?: number;
  /** True if the record is needed to send. */
  required: boolean;
  /** What DNS had for the record at the last check; empty if it was not published. */
  found?: string[];
  /** What makes receivers reject the record, or prevents the verification, and what to do. */
  problem?: string;
};

/** The body of the event EMAIL_CLICK. Later versions may add fields. */
export type EmailClickEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "EMAIL_CLICK";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "EMAIL_CLICK";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** True if a machine did it, such as a scanner, and no person. */
  machine?: true;
  /** The URL of the clicked link. */
  clickedLink?: string;
  /** The tags of the clicked link, as JSON. */
  clickedLinkTags?: string;
  /** The same fields again, as Standard Webhooks recommends. */
  data: EmailClickEventData;
};

/** The fields of the event EMAIL_CLICK. */
export type EmailClickEventData = {
  /** The event. */
  eventType: "EMAIL_CLICK";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** True if a machine did it, such as a scanner, and no person. */
  machine?: true;
  /** The URL of the clicked link. */
  clickedLink?: string;
  /** The tags of the clicked link, as JSON. */
  clickedLinkTags?: string;
};

export type EmailContent = {
  /** The subject, as Liquid. */
  subject?: string;
  /** The HTML, as Liquid. */
  html?: string;
  /** The plain-text part, as Liquid; made from the HTML if absent. */
  text?: string;
  /** The text after the subject in inboxes. */
  previewText?: string;
  /** The sender's display name. */
  senderName?: string;
  /** The sender's address, on a verified domain of the account. */
  senderEmail?: string;
};

/** The body of the event EMAIL_DELIVERED. Later versions may add fields. */
export type EmailDeliveredEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "EMAIL_DELIVERED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "EMAIL_DELIVERED";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: EmailDeliveredEventData;
};

/** The fields of the event EMAIL_DELIVERED. */
export type EmailDeliveredEventData = {
  /** The event. */
  eventType: "EMAIL_DELIVERED";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

/** The body of the event EMAIL_FAILED. Later versions may add fields. */
export type EmailFailedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "EMAIL_FAILED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "EMAIL_FAILED";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "UNVERIFIED_SENDER" | "PERMANENT_GENERAL_BOUNCE" | "PERMANENT_NO_EMAIL_BOUNCE" | "PERMANENT_SUPPRESSED_BOUNCE" | "TRANSIENT_GENERAL_BOUNCE" | "TRANSIENT_MAILBOX_FULL_BOUNCE" | "TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE" | "TRANSIENT_CONTENT_REJECTED_BOUNCE" | "TRANSIENT_ATTACHMENT_REJECTED_BOUNCE" | "UNDETERMINED_BOUNCE" | "COMPLAINT_ABUSE" | "COMPLAINT_AUTH" | "COMPLAINT_FRAUD" | "COMPLAINT_NOT_SPAM" | "COMPLAINT_OTHER" | "COMPLAINT_VIRUS" | "SUPPRESSED_COMPLAINT" | "SUPPRESSED_BOUNCE" | "MISSING_EMAIL_RECIPIENT" | "MISSING_EMAIL_SUBJECT" | "MISSING_EMAIL_HTML";
  /** The address that the email failed for: the user's, or the address of a copy. */
  recipient?: string;
  /** The same fields again, as Standard Webhooks recommends. */
  data: EmailFailedEventData;
};

/** The fields of the event EMAIL_FAILED. */
export type EmailFailedEventData = {
  /** The event. */
  eventType: "EMAIL_FAILED";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "UNVERIFIED_SENDER" | "PERMANENT_GENERAL_BOUNCE" | "PERMANENT_NO_EMAIL_BOUNCE" | "PERMANENT_SUPPRESSED_BOUNCE" | "TRANSIENT_GENERAL_BOUNCE" | "TRANSIENT_MAILBOX_FULL_BOUNCE" | "TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE" | "TRANSIENT_CONTENT_REJECTED_BOUNCE" | "TRANSIENT_ATTACHMENT_REJECTED_BOUNCE" | "UNDETERMINED_BOUNCE" | "COMPLAINT_ABUSE" | "COMPLAINT_AUTH" | "COMPLAINT_FRAUD" | "COMPLAINT_NOT_SPAM" | "COMPLAINT_OTHER" | "COMPLAINT_VIRUS" | "SUPPRESSED_COMPLAINT" | "SUPPRESSED_BOUNCE" | "MISSING_EMAIL_RECIPIENT" | "MISSING_EMAIL_SUBJECT" | "MISSING_EMAIL_HTML";
  /** The address that the email failed for: the user's, or the address of a copy. */
  recipient?: string;
};

/** The body of the event EMAIL_INBOUND. Later versions may add fields. */
export type EmailInboundEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "EMAIL_INBOUND";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "EMAIL_INBOUND";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** The same time in milliseconds since 1970. */
  epochMs?: number;
  /** The address of the account that received the email. */
  inbox?: string;
  /** The address or number of the sender. */
  from?: string;
  /** The sender's display name. */
  fromName?: string;
  /** The subject of the email. */
  subject?: string;
  /** The addresses or numbers of the recipients. */
  to?: string[];
  /** The addresses in Cc. */
  cc?: string[];
  /** The addresses in Bcc. */
  bcc?: string[];
  /** The Reply-To of the email. */
  replyTo?: string;
  /** The text of the message. */
  bodyText?: string;
  /** What its author wrote: the text without quotes and signature. */
  strippedText?: string;
  /** The HTML of the email. */
  bodyHtml?: string;
  /** Files sent with the message. */
  attachments?: {
    /** Its place in GET /logs/{trackingId}/attachments/{index}. */
    index?: number;
    /** The file's name. */
    filename: string;
    /** The media type. */
    contentType: string;
    /** The size in bytes. */
    size: number;
    /** The Content-ID of an inline attachment. */
    contentId?: string;
  }[];
  /** Media of an MMS. */
  media?: {
    /** The URL of the file. */
    url: string;
    /** The media type. */
    contentType?: string;
  }[];
  /** The parts of the inbound message that were cut. */
  cut?: string[];
  /** True if the text or the HTML was cut; GET /logs/{trackingId}/original has the whole email. */
  truncated?: boolean;
  /** True for an automatic reply, such as an absence, and mail of lists: it raises no event. */
  automatic?: boolean;
  /** What the receiving server found out, in lower case (pass, fail, gray, …); absent where it found out nothing. */
  verdicts?: {
    /** Whether it is spam; mail that fails raises no event. */
    spam?: string;
    /** Whether it has a virus; mail that fails is dropped. */
    virus?: string;
    /** Whether the sending host may send for the domain of the return path. */
    spf?: string;
    /** Whether a signature is valid. */
    dkim?: string;
    /** Whether one of the two is of the domain in From. */
    dmarc?: string;
  };
  /** The Message-ID of the email. */
  messageId?: string;
  /** The Message-ID that the email replies to. */
  inReplyTo?: string;
  /** The References of the email. */
  references?: string;
  /** How the notification or inbox was found: reply, builtin, custom or inbound. */
  resolutionType?: "reply" | "builtin" | "custom" | "inbound";
  /** Time the message was received. */
  receivedAt: string;
  /** The same fields again, as Standard Webhooks recommends. */
  data: EmailInboundEventData;
};

/** The fields of the event EMAIL_INBOUND. */
export type EmailInboundEventData = {
  /** The event. */
  eventType: "EMAIL_INBOUND";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** The same time in milliseconds since 1970. */
  epochMs?: number;
  /** The address of the account that received the email. */
  inbox?: string;
  /** The address or number of the sender. */
  from?: string;
  /** The sender's display name. */
  fromName?: string;
  /** The subject of the email. */
  subject?: string;
  /** The addresses or numbers of the recipients. */
  to?: string[];
  /** The addresses in Cc. */
  cc?: string[];
  /** The addresses in Bcc. */
  bcc?: string[];
  /** The Reply-To of the email. */
  replyTo?: string;
  /** The text of the message. */
  bodyText?: string;
  /** What its author wrote: the text without quotes and signature. */
  strippedText?: string;
  /** The HTML of the email. */
  bodyHtml?: string;
  /** Files sent with the message. */
  attachments?: {
    /** Its place in GET /logs/{trackingId}/attachments/{index}. */
    index?: number;
    /** The file's name. */
    filename: string;
    /** The media type. */
    contentType: string;
    /** The size in bytes. */
    size: number;
    /** The Content-ID of an inline attachment. */
    contentId?: string;
  }[];
  /** Media of an MMS. */
  media?: {
    /** The URL of the file. */
    url: string;
    /** The media type. */
    contentType?: string;
  }[];
  /** The parts of the inbound message that were cut. */
  cut?: string[];
  /** True if the text or the HTML was cut; GET /logs/{trackingId}/original has the whole email. */
  truncated?: boolean;
  /** True for an automatic reply, such as an absence, and mail of lists: it raises no event. */
  automatic?: boolean;
  /** What the receiving server found out, in lower case (pass, fail, gray, …); absent where it found out nothing. */
  verdicts?: {
    /** Whether it is spam; mail that fails raises no event. */
    spam?: string;
    /** Whether it has a virus; mail that fails is dropped. */
    virus?: string;
    /** Whether the sending host may send for the domain of the return path. */
    spf?: string;
    /** Whether a signature is valid. */
    dkim?: string;
    /** Whether one of the two is of the domain in From. */
    dmarc?: string;
  };
  /** The Message-ID of the email. */
  messageId?: string;
  /** The Message-ID that the email replies to. */
  inReplyTo?: string;
  /** The References of the email. */
  references?: string;
  /** How the notification or inbox was found: reply, builtin, custom or inbound. */
  resolutionType?: "reply" | "builtin" | "custom" | "inbound";
  /** Time the message was received. */
  receivedAt: string;
};

/** The body of the event EMAIL_OPEN. Later versions may add fields. */
export type EmailOpenEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "EMAIL_OPEN";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "EMAIL_OPEN";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** True if a machine did it, such as a scanner, and no person. */
  machine?: true;
  /** The same fields again, as Standard Webhooks recommends. */
  data: EmailOpenEventData;
};

/** The fields of the event EMAIL_OPEN. */
export type EmailOpenEventData = {
  /** The event. */
  eventType: "EMAIL_OPEN";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** True if a machine did it, such as a scanner, and no person. */
  machine?: true;
};

/** The body of the event EMAIL_UNSUBSCRIBE. Later versions may add fields. */
export type EmailUnsubscribeEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "EMAIL_UNSUBSCRIBE";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "EMAIL_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: EmailUnsubscribeEventData;
};

/** The fields of the event EMAIL_UNSUBSCRIBE. */
export type EmailUnsubscribeEventData = {
  /** The event. */
  eventType: "EMAIL_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "EMAIL";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

export type Environment = {
  /** The ID of the environment. */
  clientId: string;
  /** The secret for computing user hashes. */
  clientSecret: string;
  /** The name of the environment. */
  title: string;
  /** Channels that the environment does not send on. */
  disableSending: Channel[];
  /** True if public keys also need the user's hash. */
  secureMode: boolean;
  /** False if a send with an unknown notification type is rejected instead of creating it. */
  createTypes: boolean;
  /** The only email addresses, domains and numbers that the environment sends to; empty: to everybody. */
  onlyTo: string[];
  /** Time at which the environment is removed. */
  expiresAt?: string;
};

/** The code of an error. */
export type ErrorCode = "INVALID_REQUEST" | "INVALID_JSON" | "UNAUTHORIZED" | "FORBIDDEN_KEY_TYPE" | "ADMIN_ONLY" | "RESOURCE_NOT_FOUND" | "DUPLICATE_RESOURCE" | "CHANGED_MEANWHILE" | "RESOURCE_IN_USE" | "TOO_MANY_TRACKING_IDS" | "INVALID_CURSOR" | "MISSING_NOTIFICATION_TYPE" | "MISSING_RECIPIENT" | "INVALID_CHANNEL" | "INVALID_FIELD_FOR_CHANNEL" | "INVALID_TEMPLATE" | "INVALID_SCHEDULE_FORMAT" | "SCHEDULE_RESOURCE_NOT_FOUND" | "IDEMPOTENCY_KEY_REUSED" | "UNVERIFIED_SENDER" | "PLAN_ACTIVE" | "LAST_ADMIN" | "NOT_CONNECTED" | "USAGE_LIMIT" | "RATE_LIMITED" | "PROVIDER_ERROR" | "INTERNAL";

export type ErrorResponse = {
  /** The ID of the request, also in the header x-request-id. */
  trackingId: string;
  /** The error. */
  error: {
    /** Error code, from a fixed list. */
    code: ErrorCode;
    /** A description of the error. */
    message: string;
    /** The suggested next step. */
    fix?: string;
    /** The address of the code on the page of errors, relative to the address of the API. */
    docs?: string;
    /** The problems one by one: of invalid requests and templates, and of other errors that name fields. */
    errors?: FieldError[];
    /** The external service that failed. */
    provider?: string;
    /** The external service's own code. */
    providerCode?: string;
  };
};

export type FieldError = {
  /** The field, dotted: options.email.retryHours, to.tokens[0].token; empty for the whole body. Begins with query., path. or header. for those. */
  path: string;
  /** REQUIRED, UNKNOWN_FIELD, WRONG_TYPE, UNKNOWN_VALUE, TOO_SMALL, TOO_LARGE, TOO_SHORT, TOO_LONG, NOT_ALLOWED or INVALID, or a code of the list of errors. */
  code: FieldErrorCode;
  /** The requirement, in words. */
  message: string;
  /** The line in the text of a template. */
  line?: number;
  /** The column in this line. */
  column?: number;
};

/** The code of one problem of a request. */
export type FieldErrorCode = "REQUIRED" | "UNKNOWN_FIELD" | "WRONG_TYPE" | "UNKNOWN_VALUE" | "TOO_SMALL" | "TOO_LARGE" | "TOO_SHORT" | "TOO_LONG" | "NOT_ALLOWED" | "INVALID" | "INVALID_REQUEST" | "INVALID_JSON" | "UNAUTHORIZED" | "FORBIDDEN_KEY_TYPE" | "ADMIN_ONLY" | "RESOURCE_NOT_FOUND" | "DUPLICATE_RESOURCE" | "CHANGED_MEANWHILE" | "RESOURCE_IN_USE" | "TOO_MANY_TRACKING_IDS" | "INVALID_CURSOR" | "MISSING_NOTIFICATION_TYPE" | "MISSING_RECIPIENT" | "INVALID_CHANNEL" | "INVALID_FIELD_FOR_CHANNEL" | "INVALID_TEMPLATE" | "INVALID_SCHEDULE_FORMAT" | "SCHEDULE_RESOURCE_NOT_FOUND" | "IDEMPOTENCY_KEY_REUSED" | "UNVERIFIED_SENDER" | "PLAN_ACTIVE" | "LAST_ADMIN" | "NOT_CONNECTED" | "USAGE_LIMIT" | "RATE_LIMITED" | "PROVIDER_ERROR" | "INTERNAL";

export type InappContent = {
  /** The text of the item, as Liquid. */
  title?: string;
  /** More text below the title, as Liquid; plain text. */
  body?: string;
  /** The URL that a click opens. */
  url?: string;
  /** The URL of the image. */
  image?: string;
  /** Up to two buttons; using one sets the mark actioned1 or actioned2. */
  actions?: {
    /** The text of the button, as Liquid. */
    label: string;
    /** The URL that it opens. */
    url?: string;
  }[];
};

export type InappItem = {
  /** The ID of the item. */
  id: string;
  /** The ID of the notification, for its delivery log. */
  trackingId: string;
  /** The ID of the notification type. */
  notificationId: string;
  /** Separates preferences and digests within a type. */
  subNotificationId?: string;
  /** The text of the item. */
  title: string;
  /** More text below the title; plain text. */
  body?: string;
  /** Its buttons, at most two. */
  actions?: {
    /** The text of the button. */
    label: string;
    /** The URL that it opens. */
    url?: string;
  }[];
  /** The URL that the item opens. */
  redirectURL?: string;
  /** The URL of the image. */
  imageURL?: string;
  /** Time the item was sent. */
  date: string;
  /** The parameters of the request that the content or batchingKey names. */
  parameters?: Record<string, unknown>;
  /** The delivery options of the type, for the browser. */
  deliveryOptions?: Record<string, unknown>;
  /** The ID of the template. */
  template?: Record<string, unknown>;
  /** Expiry time of the item, in seconds since 1970. */
  expDate?: number;
  /** Time the item was opened. */
  opened?: string;
  /** Time the item was clicked. */
  clicked?: string;
  /** Time the item was archived. */
  archived?: string;
  /** Time its first action was used. */
  actioned1?: string;
  /** Time its second action was used. */
  actioned2?: string;
  /** The user's reply. */
  reply?: {
    /** Time of the reply. */
    date: string;
    /** The text of the reply. */
    message: string;
  };
  /** Time until which the item is hidden. */
  snoozedUntil?: string;
  /** Grows with every change of the item: ignore a copy with a lower one. 1 if absent. */
  version?: number;
};

export type InappOptions = {
  /** The delivery option of users without a preference. */
  defaultDeliveryOption: "off" | "instant";
  /** Sends nothing. */
  off?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** Sends each item immediately. */
  instant?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** True if the browser groups items. */
  batching?: boolean;
  /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
  batchingKey?: string;
  /** Minutes that a group stays open. */
  batchingWindow?: number;
};

export type InappOptionsChange = {
  /** The delivery option of users without a preference. */
  defaultDeliveryOption: "off" | "instant";
  /** Sends nothing. */
  off?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** Sends each item immediately. */
  instant?: {
    /** True if users may choose it. */
    enabled: boolean;
  };
  /** True if the browser groups items. */
  batching?: boolean;
  /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
  batchingKey?: string;
  /** Minutes that a group stays open. */
  batchingWindow?: number;
};

/** The body of the event INAPP_WEB_FAILED. Later versions may add fields. */
export type InappWebFailedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "INAPP_WEB_FAILED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "INAPP_WEB_FAILED";
  /** The channel of the message. */
  channel: "INAPP_WEB";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "IN_APP_WEB_FAILED" | "UNKNOWN";
  /** The same fields again, as Standard Webhooks recommends. */
  data: InappWebFailedEventData;
};

/** The fields of the event INAPP_WEB_FAILED. */
export type InappWebFailedEventData = {
  /** The event. */
  eventType: "INAPP_WEB_FAILED";
  /** The channel of the message. */
  channel: "INAPP_WEB";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "IN_APP_WEB_FAILED" | "UNKNOWN";
};

/** The body of the event INAPP_WEB_UNSUBSCRIBE. Later versions may add fields. */
export type InappWebUnsubscribeEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "INAPP_WEB_UNSUBSCRIBE";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "INAPP_WEB_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "INAPP_WEB";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: InappWebUnsubscribeEventData;
};

/** The fields of the event INAPP_WEB_UNSUBSCRIBE. */
export type InappWebUnsubscribeEventData = {
  /** The event. */
  eventType: "INAPP_WEB_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "INAPP_WEB";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

export type InboundMessage = {
  /** The tracking ID; for a reply, the original notification's. */
  trackingId: string;
  /** outbound for a notification, inbound for an email, sms_inbound for a text message. */
  eventType: string;
  /** Time of the event. */
  timestamp: string;
  /** The same time in milliseconds since 1970. */
  epochMs: number;
  /** The address of the account that received the email. */
  inbox?: string;
  /** The address or number of the sender. */
  from?: string;
  /** The sender's display name. */
  fromName?: string;
  /** The subject of the email. */
  subject?: string;
  /** The addresses or numbers of the recipients. */
  to?: string[];
  /** The addresses in Cc. */
  cc?: string[];
  /** The addresses in Bcc. */
  bcc?: string[];
  /** The Reply-To of the email. */
  replyTo?: string;
  /** The text of the message. */
  bodyText?: string;
  /** What its author wrote: the text without quotes and signature. */
  strippedText?: string;
  /** The HTML of the email. */
  bodyHtml?: string;
  /** Files sent with the message. */
  attachments?: {
    /** Its place in GET /logs/{trackingId}/attachments/{index}. */
    index?: number;
    /** The file's name. */
    filename: string;
    /** The media type. */
    contentType: string;
    /** The size in bytes. */
    size: number;
    /** The Content-ID of an inline attachment. */
    contentId?: string;
  }[];
  /** Media of an MMS. */
  media?: {
    /** The URL of the file. */
    url: string;
    /** The media type. */
    contentType?: string;
  }[];
  /** The parts of the inbound message that were cut. */
  cut?: string[];
  /** True if the text or the HTML was cut; GET /logs/{trackingId}/original has the whole email. */
  truncated?: boolean;
  /** True for an automatic reply, such as an absence, and mail of lists: it raises no event. */
  automatic?: boolean;
  /** What the receiving server found out, in lower case (pass, fail, gray, …); absent where it found out nothing. */
  verdicts?: {
    /** Whether it is spam; mail that fails raises no event. */
    spam?: string;
    /** Whether it has a virus; mail that fails is dropped. */
    virus?: string;
    /** Whether the sending host may send for the domain of the return path. */
    spf?: string;
    /** Whether a signature is valid. */
    dkim?: string;
    /** Whether one of the two is of the domain in From. */
    dmarc?: string;
  };
  /** The Message-ID of the email. */
  messageId?: string;
  /** The Message-ID that the email replies to. */
  inReplyTo?: string;
  /** The References of the email. */
  references?: string;
  /** How the notification or inbox was found: reply, builtin, custom or inbound. */
  resolutionType?: "reply" | "builtin" | "custom" | "inbound";
};

export type LogRecord = {
  /** The ID of the notification. */
  trackingId: string;
  /** The account that it belongs to. */
  accountId: string;
  /** Time the request was received. */
  received_at?: string;
  /** The notification type. */
  type?: string;
  /** The environment that it belongs to. */
  envId?: string;
  /** The environment of the credential that sent it. */
  clientId?: string;
  /** The user agent of the request. */
  agent?: string;
  /** The IP address of the request. */
  ip?: string;
  /** The request's body as JSON. */
  request?: string;
  /** The metadata of the request. */
  metadata?: Record<string, string>;
  /** True if it was a test email. */
  test?: boolean;
  /** Time the schedule or the digest was due and processed. */
  processed_at?: string;
  /** Scheduled time. */
  scheduled_for?: string;
  /** The user. */
  user_id?: string;
  /** The user's email address when the notification was accepted. */
  user_email?: string;
  /** The user's phone number when the notification was accepted. */
  user_number?: string;
  /** Why the whole notification is ignored. */
  ignored?: "THROTTLING" | "DEDUPLICATION" | "DISABLED_NOTIFICATION" | "ALL_CHANNELS_IGNORED";
  /** Time the whole notification failed. */
  failed_at?: string;
  /** Why the whole notification failed. */
  failed_code?: "SPAM_CONTENT" | "INVALID_SCHEDULE_FORMAT" | "SCHEDULE_RESOURCE_NOT_FOUND" | "MISSING_NOTIFICATION_TYPE" | "UNKNOWN";
  /** Details for diagnostics. */
  failed_internal?: string;
  /** Time the schedule was changed. */
  schedule_updated_at?: string;
  /** The new time of the schedule. */
  schedule_updated_to?: string;
  /** Time the scheduled notification was cancelled. */
  schedule_deleted_at?: string;
  /** The topic that it was sent to. */
  topic?: string;
  /** The tracking ID of the topic notification that it belongs to. */
  topic_tracking_id?: string;
  /** The state of sending to the members of the topic. */
  topic_state?: "accepted" | "fanning_out" | "fanned_out" | "cancelled";
  /** The number of members of the topic. */
  topic_members?: number;
  /** The number of members for whom a notification was accepted. */
  topic_accepted?: number;
  /** The number of members for whom nothing is sent. */
  topic_ignored?: number;
  /** Time the last member was notified. */
  topic_fanned_out_at?: string;
  /** The routing decision (EMAIL). */
  email_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (EMAIL). */
  email_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE";
  /** The routing decision (INAPP_WEB). */
  inapp_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (INAPP_WEB). */
  inapp_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE";
  /** The routing decision (SMS). */
  sms_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (SMS). */
  sms_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE";
  /** The routing decision (CALL). */
  call_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (CALL). */
  call_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE";
  /** The routing decision (PUSH). */
  mobile_push_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (PUSH). */
  mobile_push_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE";
  /** The routing decision (WEB_PUSH). */
  web_push_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (WEB_PUSH). */
  web_push_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE";
  /** The routing decision (CHAT). */
  chat_routing?: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
  /** Why the channel is ignored (CHAT). */
  chat_routing_reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE";
  /** The ID of the chosen template (EMAIL). */
  email_template?: string;
  /** The language of the template's variant (EMAIL). */
  email_locale?: string;
  /** The ID of the chosen template (INAPP_WEB). */
  inapp_template?: string;
  /** The language of the template's variant (INAPP_WEB). */
  inapp_locale?: string;
  /** The ID of the chosen template (SMS). */
  sms_template?: string;
  /** The language of the template's variant (SMS). */
  sms_locale?: string;
  /** The ID of the chosen template (CALL). */
  call_template?: string;
  /** The language of the template's variant (CALL). */
  call_locale?: string;
  /** The ID of the chosen template (PUSH). */
  mobile_push_template?: string;
  /** The language of the template's variant (PUSH). */
  mobile_push_locale?: string;
  /** The ID of the chosen template (WEB_PUSH). */
  web_push_template?: string;
  /** The language of the template's variant (WEB_PUSH). */
  web_push_locale?: string;
  /** The ID of the chosen template (CHAT). */
  chat_template?: string;
  /** The language of the template's variant (CHAT). */
  chat_locale?: string;
  /** Variables of the content that had no value, of a type without a parametersSchema: at most 20 names, separated by commas (EMAIL). */
  email_missing?: string;
  /** The number of variables without a value (EMAIL). */
  email_missing_count?: number;
  /** The rendered message (EMAIL). */
  email_preview?: string;
  /** Time the provider accepted the message (EMAIL). */
  email_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to sent_at (EMAIL). */
  email_sent_after?: number;
  /** Time the message was delivered (EMAIL). */
  email_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to delivered_at (EMAIL). */
  email_delivered_after?: number;
  /** Time the message failed (EMAIL). */
  email_failed_at?: string;
  /** Details for diagnostics (EMAIL). */
  email_failed_internal?: string;
  /** The webhook's response to this event (EMAIL). */
  email_failed_webhook_res?: string;
  /** The webhook's response to this event (EMAIL). */
  email_unsubscribe_webhook_res?: string;
  /** Variables of the content that had no value, of a type without a parametersSchema: at most 20 names, separated by commas (INAPP_WEB). */
  inapp_missing?: string;
  /** The number of variables without a value (INAPP_WEB). */
  inapp_missing_count?: number;
  /** The rendered message (INAPP_WEB). */
  inapp_preview?: string;
  /** Time the provider accepted the message (INAPP_WEB). */
  inapp_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to sent_at (INAPP_WEB). */
  inapp_sent_after?: number;
  /** Time the message was delivered (INAPP_WEB). */
  inapp_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to delivered_at (INAPP_WEB). */
  inapp_delivered_after?: number;
  /** Time the message failed (INAPP_WEB). */
  inapp_failed_at?: string;
  /** Details for diagnostics (INAPP_WEB). */
  inapp_failed_internal?: string;
  /** The webhook's response to this event (INAPP_WEB). */
  inapp_failed_webhook_res?: string;
  /** The webhook's response to this event (INAPP_WEB). */
  inapp_unsubscribe_webhook_res?: string;
  /** Variables of the content that had no value, of a type without a parametersSchema: at most 20 names, separated by commas (SMS). */
  sms_missing?: string;
  /** The number of variables without a value (SMS). */
  sms_missing_count?: number;
  /** The rendered message (SMS). */
  sms_preview?: string;
  /** Time the provider accepted the message (SMS). */
  sms_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to sent_at (SMS). */
  sms_sent_after?: number;
  /** Time the message was delivered (SMS). */
  sms_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to delivered_at (SMS). */
  sms_delivered_after?: number;
  /** Time the message failed (SMS). */
  sms_failed_at?: string;
  /** Details for diagnostics (SMS). */
  sms_failed_internal?: string;
  /** The webhook's response to this event (SMS). */
  sms_failed_webhook_res?: string;
  /** The webhook's response to this event (SMS). */
  sms_unsubscribe_webhook_res?: string;
  /** Variables of the content that had no value, of a type without a parametersSchema: at most 20 names, separated by commas (CALL). */
  call_missing?: string;
  /** The number of variables without a value (CALL). */
  call_missing_count?: number;
  /** The rendered message (CALL). */
  call_preview?: string;
  /** Time the provider accepted the message (CALL). */
  call_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to sent_at (CALL). */
  call_sent_after?: number;
  /** Time the message was delivered (CALL). */
  call_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to delivered_at (CALL). */
  call_delivered_after?: number;
  /** Time the message failed (CALL). */
  call_failed_at?: string;
  /** Details for diagnostics (CALL). */
  call_failed_internal?: string;
  /** The webhook's response to this event (CALL). */
  call_failed_webhook_res?: string;
  /** The webhook's response to this event (CALL). */
  call_unsubscribe_webhook_res?: string;
  /** Variables of the content that had no value, of a type without a parametersSchema: at most 20 names, separated by commas (PUSH). */
  mobile_push_missing?: string;
  /** The number of variables without a value (PUSH). */
  mobile_push_missing_count?: number;
  /** The rendered message (PUSH). */
  mobile_push_preview?: string;
  /** Time the provider accepted the message (PUSH). */
  mobile_push_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to sent_at (PUSH). */
  mobile_push_sent_after?: number;
  /** Time the message was delivered (PUSH). */
  mobile_push_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to delivered_at (PUSH). */
  mobile_push_delivered_after?: number;
  /** Time the message failed (PUSH). */
  mobile_push_failed_at?: string;
  /** Details for diagnostics (PUSH). */
  mobile_push_failed_internal?: string;
  /** The webhook's response to this event (PUSH). */
  mobile_push_failed_webhook_res?: string;
  /** The webhook's response to this event (PUSH). */
  mobile_push_unsubscribe_webhook_res?: string;
  /** Variables of the content that had no value, of a type without a parametersSchema: at most 20 names, separated by commas (WEB_PUSH). */
  web_push_missing?: string;
  /** The number of variables without a value (WEB_PUSH). */
  web_push_missing_count?: number;
  /** The rendered message (WEB_PUSH). */
  web_push_preview?: string;
  /** Time the provider accepted the message (WEB_PUSH). */
  web_push_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to sent_at (WEB_PUSH). */
  web_push_sent_after?: number;
  /** Time the message was delivered (WEB_PUSH). */
  web_push_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to delivered_at (WEB_PUSH). */
  web_push_delivered_after?: number;
  /** Time the message failed (WEB_PUSH). */
  web_push_failed_at?: string;
  /** Details for diagnostics (WEB_PUSH). */
  web_push_failed_internal?: string;
  /** The webhook's response to this event (WEB_PUSH). */
  web_push_failed_webhook_res?: string;
  /** The webhook's response to this event (WEB_PUSH). */
  web_push_unsubscribe_webhook_res?: string;
  /** Variables of the content that had no value, of a type without a parametersSchema: at most 20 names, separated by commas (CHAT). */
  chat_missing?: string;
  /** The number of variables without a value (CHAT). */
  chat_missing_count?: number;
  /** The rendered message (CHAT). */
  chat_preview?: string;
  /** Time the provider accepted the message (CHAT). */
  chat_sent_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to sent_at (CHAT). */
  chat_sent_after?: number;
  /** Time the message was delivered (CHAT). */
  chat_delivered_at?: string;
  /** Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to delivered_at (CHAT). */
  chat_delivered_after?: number;
  /** Time the message failed (CHAT). */
  chat_failed_at?: string;
  /** Details for diagnostics (CHAT). */
  chat_failed_internal?: string;
  /** The webhook's response to this event (CHAT). */
  chat_failed_webhook_res?: string;
  /** The webhook's response to this event (CHAT). */
  chat_unsubscribe_webhook_res?: string;
  /** Due time of the step (EMAIL). */
  email_due_at?: string;
  /** Time until which quiet hours hold the message (EMAIL). */
  email_held_until?: string;
  /** Time the step was skipped (EMAIL). */
  email_skipped_at?: string;
  /** Why the step was skipped (EMAIL). */
  email_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** Due time of the step (INAPP_WEB). */
  inapp_due_at?: string;
  /** Time until which quiet hours hold the message (INAPP_WEB). */
  inapp_held_until?: string;
  /** Time the step was skipped (INAPP_WEB). */
  inapp_skipped_at?: string;
  /** Why the step was skipped (INAPP_WEB). */
  inapp_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** Due time of the step (SMS). */
  sms_due_at?: string;
  /** Time until which quiet hours hold the message (SMS). */
  sms_held_until?: string;
  /** Time the step was skipped (SMS). */
  sms_skipped_at?: string;
  /** Why the step was skipped (SMS). */
  sms_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** Due time of the step (CALL). */
  call_due_at?: string;
  /** Time until which quiet hours hold the message (CALL). */
  call_held_until?: string;
  /** Time the step was skipped (CALL). */
  call_skipped_at?: string;
  /** Why the step was skipped (CALL). */
  call_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** Due time of the step (PUSH). */
  mobile_push_due_at?: string;
  /** Time until which quiet hours hold the message (PUSH). */
  mobile_push_held_until?: string;
  /** Time the step was skipped (PUSH). */
  mobile_push_skipped_at?: string;
  /** Why the step was skipped (PUSH). */
  mobile_push_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** Due time of the step (WEB_PUSH). */
  web_push_due_at?: string;
  /** Time until which quiet hours hold the message (WEB_PUSH). */
  web_push_held_until?: string;
  /** Time the step was skipped (WEB_PUSH). */
  web_push_skipped_at?: string;
  /** Why the step was skipped (WEB_PUSH). */
  web_push_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** Due time of the step (CHAT). */
  chat_due_at?: string;
  /** Time until which quiet hours hold the message (CHAT). */
  chat_held_until?: string;
  /** Time the step was skipped (CHAT). */
  chat_skipped_at?: string;
  /** Why the step was skipped (CHAT). */
  chat_skipped_reason?: "SEEN" | "DELIVERED" | "CANCELED";
  /** The provider's ID of the message (EMAIL). */
  email_sent_message_id?: string;
  /** The provider that sent the message (EMAIL). */
  email_sent_provider?: string;
  /** The providers that did not accept the message, with their reasons, as JSON (EMAIL). */
  email_attempts?: string;
  /** Time of the next attempt, while the message waits for one (EMAIL). */
  email_next_try_at?: string;
  /** The addresses that it was delivered to, separated by commas (EMAIL). */
  email_delivered_recipients?: string;
  /** Details for diagnostics (EMAIL). */
  email_delivered_internal?: string;
  /** The webhook's response to this event (EMAIL). */
  email_delivered_webhook_res?: string;
  /** Why the message failed (EMAIL). */
  email_failed_code?: "UNVERIFIED_SENDER" | "PERMANENT_GENERAL_BOUNCE" | "PERMANENT_NO_EMAIL_BOUNCE" | "PERMANENT_SUPPRESSED_BOUNCE" | "TRANSIENT_GENERAL_BOUNCE" | "TRANSIENT_MAILBOX_FULL_BOUNCE" | "TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE" | "TRANSIENT_CONTENT_REJECTED_BOUNCE" | "TRANSIENT_ATTACHMENT_REJECTED_BOUNCE" | "UNDETERMINED_BOUNCE" | "COMPLAINT_ABUSE" | "COMPLAINT_AUTH" | "COMPLAINT_FRAUD" | "COMPLAINT_NOT_SPAM" | "COMPLAINT_OTHER" | "COMPLAINT_VIRUS" | "SUPPRESSED_COMPLAINT" | "SUPPRESSED_BOUNCE" | "MISSING_EMAIL_RECIPIENT" | "MISSING_EMAIL_SUBJECT" | "MISSING_EMAIL_HTML";
  /** The address that it failed for (EMAIL). */
  email_failed_recipient?: string;
  /** The receiving server's diagnostic text (EMAIL). */
  email_failed_diagnostic_code?: string;
  /** Time the email was first opened (EMAIL). */
  email_opened_at?: string;
  /** The user agent that opened the email (EMAIL). */
  email_opened_user_agent?: string;
  /** The IP address that opened the email (EMAIL). */
  email_opened_ip?: string;
  /** The webhook's response to this event (EMAIL). */
  email_opened_webhook_res?: string;
  /** True if a machine opened the email: a scanner, or a mail program that loads images in advance (EMAIL). */
  email_opened_machine?: boolean;
  /** Time a machine first opened the email (EMAIL). */
  email_opened_machine_at?: string;
  /** The webhook's response to this event (EMAIL). */
  email_opened_machine_webhook_res?: string;
  /** True if a machine followed a link, such as a scanner (EMAIL). */
  email_clicked_machine?: boolean;
  /** Time a machine first followed a link (EMAIL). */
  email_clicked_machine_at?: string;
  /** The webhook's response to this event (EMAIL). */
  email_clicked_machine_webhook_res?: string;
  /** Time a link was first clicked (EMAIL). */
  email_clicked_at?: string;
  /** The user agent that clicked the link (EMAIL). */
  email_clicked_user_agent?: string;
  /** The IP address that clicked the link (EMAIL). */
  email_clicked_ip?: string;
  /** The URL of the clicked link (EMAIL). */
  email_clicked_link?: string;
  /** The tags of the clicked link, as JSON (EMAIL). */
  email_clicked_link_tags?: string;
  /** The webhook's response to this event (EMAIL). */
  email_clicked_webhook_res?: string;
  /** Time the inbound message was received (EMAIL). */
  email_inbound_at?: string;
  /** The sender of the inbound message (EMAIL). */
  email_inbound_from?: string;
  /** The display name of the sender of the inbound message (EMAIL). */
  email_inbound_from_name?: string;
  /** The recipients of the inbound message, separated by commas (EMAIL). */
  email_inbound_to?: string;
  /** The addresses in Cc of the inbound message, separated by commas (EMAIL). */
  email_inbound_cc?: string;
  /** The addresses in Bcc of the inbound message, separated by commas (EMAIL). */
  email_inbound_bcc?: string;
  /** The Reply-To of the inbound message (EMAIL). */
  email_inbound_reply_to?: string;
  /** The address of the account that received the inbound message (EMAIL). */
  email_inbound_inbox?: string;
  /** The subject of the inbound message (EMAIL). */
  email_inbound_subject?: string;
  /** The text of the inbound message (EMAIL). */
  email_inbound_body_text?: string;
  /** The HTML of the inbound message (EMAIL). */
  email_inbound_body_html?: string;
  /** True if the inbound message has attachments (EMAIL). */
  email_inbound_has_attachments?: boolean;
  /** The number of attachments of the inbound message (EMAIL). */
  email_inbound_attachment_count?: number;
  /** Details for diagnostics (EMAIL). */
  email_inbound_internal?: string;
  /** The Message-ID of the inbound message (EMAIL). */
  email_inbound_message_id?: string;
  /** The Message-ID that the inbound message replies to (EMAIL). */
  email_inbound_in_reply_to?: string;
  /** The References of the inbound message (EMAIL). */
  email_inbound_references?: string;
  /** True if the webhook accepted this event (EMAIL). */
  email_inbound_webhook_delivered?: boolean;
  /** The webhook's response to this event (EMAIL). */
  email_inbound_webhook_res?: string;
  /** How the recipient of the inbound message was found (EMAIL). */
  email_inbound_resolution_type?: "reply" | "builtin" | "custom";
  /** Why the message failed (INAPP_WEB). */
  inapp_failed_code?: "IN_APP_WEB_FAILED" | "UNKNOWN";
  /** The number that the message was sent from (SMS). */
  sms_sent_from?: string;
  /** The provider that sent the message (SMS). */
  sms_sent_provider?: string;
  /** The providers that did not accept the message, with their reasons, as JSON (SMS). */
  sms_attempts?: string;
  /** The recipient's carrier (SMS). */
  sms_sent_carrier?: string;
  /** The line type of the number (SMS). */
  sms_sent_line_type?: string;
  /** The encoding of the text, GSM-7 or UCS-2 (SMS). */
  sms_sent_encoding?: string;
  /** The number of segments of the text (SMS). */
  sms_sent_segments?: number;
  /** The number of messages into which the text was split (SMS). */
  sms_sent_parts?: number;
  /** The price in USD (SMS). */
  sms_sent_cost?: number;
  /** The country of the number, ISO 3166-1 alpha-2 (SMS). */
  sms_sent_country?: string;
  /** The provider's ID of the message (SMS). */
  sms_sent_messageId?: string;
  /** True if it was sent as MMS (SMS). */
  sms_sent_mms?: boolean;
  /** A part of the price in USD, for diagnostics (SMS). */
  sms_carrier_cost_internal?: number;
  /** A part of the price in USD, for diagnostics (SMS). */
  sms_carrier_fee_internal?: number;
  /** A part of the price in USD, for diagnostics (SMS). */
  sms_rate_internal?: number;
  /** A part of the price in USD, for diagnostics (SMS). */
  sms_delivered_cost_internal?: number;
  /** Why the message failed (SMS). */
  sms_failed_code?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  /** Time the inbound message was received (SMS). */
  sms_inbound_at?: string;
  /** The sender of the inbound message (SMS). */
  sms_inbound_from?: string;
  /** The recipients of the inbound message, separated by commas (SMS). */
  sms_inbound_to?: string;
  /** The text of the inbound message (SMS). */
  sms_inbound_text?: string;
  /** True if the webhook accepted this event (SMS). */
  sms_inbound_webhook_delivered?: boolean;
  /** The webhook's response to this event (SMS). */
  sms_inbound_webhook_res?: string;
  /** The media of the inbound MMS, as JSON (SMS). */
  sms_inbound_media?: string;
  /** Time the automatic reply was sent (SMS). */
  sms_replied_at?: string;
  /** The number that the automatic reply was sent to (SMS). */
  sms_replied_to?: string;
  /** The text of the automatic reply (SMS). */
  sms_replied_text?: string;
  /** The number of segments of the automatic reply (SMS). */
  sms_replied_segments?: number;
  /** The encoding of the automatic reply (SMS). */
  sms_replied_encoding?: string;
  /** Time when the recipient opted in or out (SMS). */
  sms_unsubscribe_at?: string;
  /** The number that opted in or out (SMS). */
  sms_unsubscribe_from?: string;
  /** The keyword of the opt-in or opt-out (SMS). */
  sms_unsubscribe_keyword?: string;
  /** True if the webhook accepted this event (SMS). */
  sms_unsubscribe_webhook_delivered?: boolean;
  /** Time when the recipient opted in or out (SMS). */
  sms_subscribe_at?: string;
  /** The number that opted in or out (SMS). */
  sms_subscribe_from?: string;
  /** The keyword of the opt-in or opt-out (SMS). */
  sms_subscribe_keyword?: string;
  /** True if the webhook accepted this event (SMS). */
  sms_subscribe_webhook_delivered?: boolean;
  /** The webhook's response to this event (SMS). */
  sms_subscribe_webhook_res?: string;
  /** The number that the message was sent from (CALL). */
  call_sent_from?: string;
  /** The provider that sent the message (CALL). */
  call_sent_provider?: string;
  /** The providers that did not accept the message, with their reasons, as JSON (CALL). */
  call_attempts?: string;
  /** Who answered the call, with options.call.machineDetection (CALL). */
  call_answered_by?: "human" | "machine" | "unknown";
  /** Result of the call (CALL). */
  call_delivered_code?: "COMPLETED" | "BUSY" | "NO_ANSWER" | "UNKNOWN";
  /** A part of the price in USD, for diagnostics (CALL). */
  call_delivered_cost_internal?: number;
  /** The price in USD (CALL). */
  call_delivered_cost?: number;
  /** Why the message failed (CALL). */
  call_failed_code?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  /** The token or subscription that it was sent to (PUSH). */
  mobile_push_sent_token?: string;
  /** Time the email was first opened (PUSH). */
  mobile_push_opened_at?: string;
  /** Time a link was first clicked (PUSH). */
  mobile_push_clicked_at?: string;
  /** Why the message failed (PUSH). */
  mobile_push_failed_code?: "NO_APN_CONFIG" | "NO_FCM_CONFIG" | "INVALID_APN_TOKEN" | "INVALID_FCM_TOKEN" | "UNKNOWN";
  /** The token or subscription that it failed for (PUSH). */
  mobile_push_failed_token?: string;
  /** The token or subscription that it was sent to (WEB_PUSH). */
  web_push_sent_token?: string;
  /** The token or subscription that it was delivered to (WEB_PUSH). */
  web_push_delivered_token?: string;
  /** Details for diagnostics (WEB_PUSH). */
  web_push_delivered_internal?: string;
  /** Time the email was first opened (WEB_PUSH). */
  web_push_opened_at?: string;
  /** Time a link was first clicked (WEB_PUSH). */
  web_push_clicked_at?: string;
  /** The token or subscription that it failed for (WEB_PUSH). */
  web_push_failed_token?: string;
  /** Why the message failed (WEB_PUSH). */
  web_push_failed_code?: "UNSUBSCIRBED_OR_EXPIRED" | "UNKNOWN";
  /** Details for diagnostics (CHAT). */
  chat_delivered_internal?: string;
  /** Why the message failed (CHAT). */
  chat_failed_code?: "CHANNEL_NOT_FOUND" | "NOT_IN_CHANNEL" | "CHANNEL_ARCHIVED" | "MESSAGE_TOO_LONG" | "NO_TEXT" | "RESTRICTED_ACTION" | "TOKEN_EXPIRED" | "INVALID_AUTH" | "UNKNOWN";
  /** The webhook's response to this event (EMAIL). */
  email_copy_failed_webhook_res?: string;
  /** The webhook's response to this event (SMS). */
  sms_delivered_webhook_res?: string;
  /** The webhook's response to the event of the acceptance. */
  accepted_webhook_res?: string;
  /** The webhook's response to this event (EMAIL). */
  email_withheld_webhook_res?: string;
  /** The webhook's response to this event (INAPP_WEB). */
  inapp_withheld_webhook_res?: string;
  /** The webhook's response to this event (SMS). */
  sms_withheld_webhook_res?: string;
  /** The webhook's response to this event (CALL). */
  call_withheld_webhook_res?: string;
  /** The webhook's response to this event (PUSH). */
  mobile_push_withheld_webhook_res?: string;
  /** The webhook's response to this event (WEB_PUSH). */
  web_push_withheld_webhook_res?: string;
  /** The webhook's response to this event (CHAT). */
  chat_withheld_webhook_res?: string;
  /** Names of the fields whose text was cut to keep the response under 5 MB. */
  truncated?: string[];
};

export type Member = {
  /** The ID of the member. */
  userId: string;
  /** The member's email address. */
  email: string;
  /** admin or member. */
  role: "admin" | "member";
  /** invited until the invitation is accepted, then active. */
  status: "invited" | "active";
  /** The address that is not confirmed yet. */
  pendingEmail?: string;
  /** Creation time. */
  createdAt: string;
  /** Time of the last change. */
  updatedAt: string;
};

export type MobilePushContent = {
  /** The title, as Liquid. */
  title?: string;
  /** The text, as Liquid. */
  message?: string;
  /** The link that the app gets as `link`. */
  url?: string;
  /** The URL of an image. */
  image?: string;
};

export type NewUser = {
  /** The ID of the user. */
  id: string;
  /** The user's email address. */
  email?: string | null;
  /** The user's phone number, stored in E.164. */
  number?: string | null;
  /** Push tokens of the user's devices, at most 100; merged by token. */
  pushTokens?: PushTokenInput[] | null;
  /** The user's web push subscriptions, at most 100; merged by endpoint. */
  webPushTokens?: WebPushTokenInput[] | null;
  /** An IANA timezone, such as Europe/Berlin. */
  timezone?: string | null;
  /** The user's language: a language tag (BCP 47), such as de or pt-BR. */
  locale?: string | null;
  /** The chat channel or user that messages are sent to. */
  chatChannel?: string | null;
  /** The chat provider's token, in its own format. */
  chatToken?: {
    /** The chat product: slack, discord or teams; slack if absent. */
    provider?: string | null;
    /** The incoming webhook of discord, or of a workflow of teams. */
    webhookUrl?: string | null;
    /** The access token. */
    access_token?: string | null;
    /** The ID of the app. */
    app_id?: string | null;
    /** The user who authorized the app. */
    authed_user?: {
      /** The access token. */
      access_token?: string | null;
      /** Seconds until the token expires. */
      expires_in?: number | null;
      /** Its ID at the chat provider. */
      id?: string | null;
      /** The refresh token. */
      refresh_token?: string | null;
      /** The scopes of the token, separated by commas. */
      scope?: string | null;
      /** The type of the token. */
      token_type?: string | null;
    } | null;
    /** The ID of the app's bot. */
    bot_user_id?: string | null;
    /** The enterprise of the workspace. */
    enterprise?: {
      /** Its ID at the chat provider. */
      id?: string | null;
      /** Its name at the chat provider. */
      name?: string | null;
    } | null;
    /** The chat provider's error code. */
    error?: string | null;
    /** Seconds until the token expires. */
    expires_in?: number | null;
    /** The incoming webhook of the app. */
    incoming_webhook?: {
      /** The name of the chat channel. */
      channel?: string | null;
      /** The ID of the chat channel. */
      channel_id?: string | null;
      /** The URL of the webhook's configuration page. */
      configuration_url?: string | null;
      /** The URL that messages to the webhook are posted to. */
      url?: string | null;
    } | null;
    /** True if the app is installed for the enterprise. */
    is_enterprise_install?: boolean | null;
    /** The scope that was needed. */
    needed?: string | null;
    /** True if the chat provider accepted the request. */
    ok?: boolean;
    /** The scope that was provided. */
    provided?: string | null;
    /** The refresh token. */
    refresh_token?: string | null;
    /** The scopes of the token, separated by commas. */
    scope?: string | null;
    /** The workspace. */
    team?: {
      /** Its ID at the chat provider. */
      id?: string | null;
      /** Its name at the chat provider. */
      name?: string | null;
    } | null;
    /** The type of the token. */
    token_type?: string | null;
    /** A warning of the chat provider. */
    warning?: string | null;
    /** Metadata of the chat provider's response. */
    response_metadata?: {
      /** Warnings of the chat provider. */
      warnings?: string[] | null;
      /** The chat provider's cursor. */
      next_cursor?: string | null;
      /** Scopes of the token. */
      scopes?: string[] | null;
      /** Scopes that would have been accepted. */
      acceptedScopes?: string[] | null;
      /** Seconds to wait. */
      retryAfter?: number | null;
      /** Messages of the chat provider. */
      messages?: string[] | null;
    } | null;
  } | null;
  /** Any data about the user, at most 8 KB and 5 levels. Top-level names are merged, and null removes one. Templates and conditions read user.attributes.<name>. */
  attributes?: Record<string, unknown> | null;
  /** Hours during which notifications do not interrupt the user. */
  quietHours?: QuietHoursInput | null;
  /** The time until which no message is sent to the user. */
  pausedUntil?: string | null;
};

/** The body of the event NOTIFICATION_ACCEPTED. Later versions may add fields. */
export type NotificationAcceptedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "NOTIFICATION_ACCEPTED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "NOTIFICATION_ACCEPTED";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** The topic that it was sent to; userId is then empty. */
  topic?: string;
  /** The same fields again, as Standard Webhooks recommends. */
  data: NotificationAcceptedEventData;
};

/** The fields of the event NOTIFICATION_ACCEPTED. */
export type NotificationAcceptedEventData = {
  /** The event. */
  eventType: "NOTIFICATION_ACCEPTED";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** The topic that it was sent to; userId is then empty. */
  topic?: string;
};

/** The body of the event NOTIFICATION_NOT_SENT. Later versions may add fields. */
export type NotificationNotSentEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "NOTIFICATION_NOT_SENT";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "NOTIFICATION_NOT_SENT";
  /** The channel of the message. */
  channel: "EMAIL" | "INAPP_WEB" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the channel is not sent. */
  reason: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE" | "THROTTLED" | "DEDUPLICATED" | "UNKNOWN" | "SEEN" | "DELIVERED" | "CANCELED";
  /** The same fields again, as Standard Webhooks recommends. */
  data: NotificationNotSentEventData;
};

/** The fields of the event NOTIFICATION_NOT_SENT. */
export type NotificationNotSentEventData = {
  /** The event. */
  eventType: "NOTIFICATION_NOT_SENT";
  /** The channel of the message. */
  channel: "EMAIL" | "INAPP_WEB" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the channel is not sent. */
  reason: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE" | "THROTTLED" | "DEDUPLICATED" | "UNKNOWN" | "SEEN" | "DELIVERED" | "CANCELED";
};

export type NotificationType = {
  /** The environment. */
  envId: string;
  /** The ID of the notification type. */
  notificationId: string;
  /** The name that users see. */
  title: string;
  /** The heading under which preferences show the type. */
  category?: string;
  /** The title and category in other languages, by language tag. */
  translations?: Record<string, {
    /** The title in the language. */
    title?: string;
    /** The category in the language. */
    category?: string;
  }>;
  /** The channels that it is sent on. */
  channels: Channel[];
  /** True if notifications of the type are sent. */
  enabled: boolean;
  /** True if users cannot turn it off on any channel. It overrides off in options. */
  required?: boolean;
  /** Rejects duplicates within the window. */
  deduplication?: Deduplication;
  /** Limits how many notifications a user gets. */
  throttling?: Throttling;
  /** Number of days that logs of this type are kept. */
  retention?: number;
  /** Which delivery options each channel offers. */
  options?: TypeOptions;
  /** The order of the channels. */
  steps?: Step[];
  /** True if it ignores pauses and quiet hours without floor. */
  urgent?: boolean;
  /** True if urgent notifications of the type ignore quiet hours with floor too. */
  exemptFromFloor?: boolean;
  /** Quiet hours for users without their own, instead of the account's; those with floor apply to all users, with the account's. */
  quietHours?: {
    /** Start time in the user's timezone, such as 22:00 or 10:00 pm. */
    from: string;
    /** End time in the user's timezone; a time not after from is on the next day. */
    to: string;
    /** Weekdays when quiet hours begin; every day if absent. */
    days?: string[];
    /** The channels that they apply to; without it, all but INAPP_WEB, which is never held. */
    channels?: ("EMAIL" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT")[];
    /** hold sends when they end, drop never sends. */
    mode?: "hold" | "drop";
    /** True if it overrides the user's settings, for example for hours that the law sets. */
    floor?: boolean;
    /** recipient: the timezone of the number's country for users without one; of its most westerly and easterly timezones, the stricter. Without it, the account's. */
    timezone?: "recipient";
  } | {
    /** Start time in the user's timezone, such as 22:00 or 10:00 pm. */
    from: string;
    /** End time in the user's timezone; a time not after from is on the next day. */
    to: string;
    /** Weekdays when quiet hours begin; every day if absent. */
    days?: string[];
    /** The channels that they apply to; without it, all but INAPP_WEB, which is never held. */
    channels?: ("EMAIL" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT")[];
    /** hold sends when they end, drop never sends. */
    mode?: "hold" | "drop";
    /** True if it overrides the user's settings, for example for hours that the law sets. */
    floor?: boolean;
    /** recipient: the timezone of the number's country for users without one; of its most westerly and easterly timezones, the stricter. Without it, the account's. */
    timezone?: "recipient";
  }[];
  /** transactional (the default) or marketing, which people can always turn off. */
  purpose?: "transactional" | "marketing";
  /** True if its content, such as a login code, is shown nowhere and removed after sending. */
  sensitive?: boolean;
  /** JSON Schema (2020-12) that the parameters of each request must match; at most 16 KB, with references into itself only. */
  parametersSchema?: Record<string, unknown>;
  /** Creation time. */
  createdAt?: string;
  /** Time of the last change. */
  updatedAt?: string;
  /** The ID of the member or key that made it. */
  updatedBy?: string;
  /** The templates by channel. */
  templates?: {
    /** The channel of the templates. */
    channel: Channel;
    /** IDs of templates. */
    templateIds: string[];
  }[];
};

export type Organization = {
  /** The ID of the organization, equal to the account's ID. */
  organizationId: string;
  /** free or paid. */
  organizationType: "free" | "paid";
  /** The member who created it. */
  creator: string;
  /** The name of the organization. */
  name: string;
  /** The maximum number of messages per billing period, on all message channels. */
  messagesCap: number;
  /** The maximum amount in USD for SMS and CALL per billing period. */
  costCap: number;
  /** The maximum number of SMS per billing period. */
  smsCap?: number;
  /** The maximum number of calls per billing period. */
  callCap?: number;
  /** The version of the billing terms: 1 or 3. One of 1, 3. */
  billingVersion?: number;
  /** The day of the next monthly reset. */
  anniversaryDate: string;
  /** True if sending continues beyond the caps. */
  allowOverage: boolean;
  /** Creation time. */
  createdAt: string;
  /** Time of the last change. */
  updatedAt: string;
  /** The ID of the checkout. */
  sessionId?: string;
  /** The address of the checkout page, when one was created. */
  url?: string;
};

/** The body of the event PUSH_FAILED. Later versions may add fields. */
export type PushFailedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "PUSH_FAILED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "PUSH_FAILED";
  /** The channel of the message. */
  channel: "PUSH";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "NO_APN_CONFIG" | "NO_FCM_CONFIG" | "INVALID_APN_TOKEN" | "INVALID_FCM_TOKEN" | "UNKNOWN";
  /** The same fields again, as Standard Webhooks recommends. */
  data: PushFailedEventData;
};

/** The fields of the event PUSH_FAILED. */
export type PushFailedEventData = {
  /** The event. */
  eventType: "PUSH_FAILED";
  /** The channel of the message. */
  channel: "PUSH";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "NO_APN_CONFIG" | "NO_FCM_CONFIG" | "INVALID_APN_TOKEN" | "INVALID_FCM_TOKEN" | "UNKNOWN";
};

export type PushToken = {
  /** FCM for Firebase Cloud Messaging, APN for Apple. */
  type: "FCM" | "APN";
  /** The token of the device. */
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
  /** Of an APN token: sandbox for development builds, production for all others. */
  environment?: string;
};

export type PushTokenInput = {
  /** FCM for Firebase Cloud Messaging, APN for Apple. */
  type: "FCM" | "APN";
  /** The token of the device. */
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
  /** Of an APN token: sandbox for development builds, production for all others. */
  environment?: string;
};

/** The body of the event PUSH_UNSUBSCRIBE. Later versions may add fields. */
export type PushUnsubscribeEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "PUSH_UNSUBSCRIBE";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "PUSH_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "PUSH";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: PushUnsubscribeEventData;
};

/** The fields of the event PUSH_UNSUBSCRIBE. */
export type PushUnsubscribeEventData = {
  /** The event. */
  eventType: "PUSH_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "PUSH";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

export type QuietHours = {
  /** Start time in the user's timezone, such as 22:00 or 10:00 pm. */
  from: string;
  /** End time in the user's timezone; a time not after from is on the next day. */
  to: string;
  /** Weekdays when quiet hours begin; every day if absent. */
  days?: string[];
  /** The channels that they apply to; without it, all but INAPP_WEB, which is never held. */
  channels?: ("EMAIL" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT")[];
  /** hold sends when they end, drop never sends. */
  mode?: "hold" | "drop";
};

export type QuietHoursInput = {
  /** Start time in the user's timezone, such as 22:00 or 10:00 pm. */
  from: string;
  /** End time in the user's timezone; a time not after from is on the next day. */
  to: string;
  /** Weekdays when quiet hours begin; every day if absent. */
  days?: string[];
  /** The channels that they apply to; without it, all but INAPP_WEB, which is never held. */
  channels?: ("EMAIL" | "SMS" | "CALL" | "PUSH" | "WEB_PUSH" | "CHAT")[];
  /** hold sends when they end, drop never sends. */
  mode?: "hold" | "drop";
};

export type Recipient = {
  /** The ID of the user; without it, the email address or number is the ID. */
  id?: string;
  /** The user's email address. */
  email?: string;
  /** The user's phone number, stored in E.164. */
  number?: string;
  /** Push tokens of the user's devices, at most 100; merged by token. */
  pushTokens?: PushTokenInput[];
  /** The user's web push subscriptions, at most 100; merged by endpoint. */
  webPushTokens?: WebPushTokenInput[];
  /** An IANA timezone, such as Europe/Berlin. */
  timezone?: string;
  /** The user's language: a language tag (BCP 47), such as de or pt-BR. */
  locale?: string;
  /** The chat channel or user that messages are sent to. */
  chatChannel?: string;
  /** The chat provider's token, in its own format. */
  chatToken?: {
    /** The chat product: slack, discord or teams; slack if absent. */
    provider?: string | null;
    /** The incoming webhook of discord, or of a workflow of teams. */
    webhookUrl?: string | null;
    /** The access token. */
    access_token?: string | null;
    /** The ID of the app. */
    app_id?: string | null;
    /** The user who authorized the app. */
    authed_user?: {
      /** The access token. */
      access_token?: string | null;
      /** Seconds until the token expires. */
      expires_in?: number | null;
      /** Its ID at the chat provider. */
      id?: string | null;
      /** The refresh token. */
      refresh_token?: string | null;
      /** The scopes of the token, separated by commas. */
      scope?: string | null;
      /** The type of the token. */
      token_type?: string | null;
    } | null;
    /** The ID of the app's bot. */
    bot_user_id?: string | null;
    /** The enterprise of the workspace. */
    enterprise?: {
      /** Its ID at the chat provider. */
      id?: string | null;
      /** Its name at the chat provider. */
      name?: string | null;
    } | null;
    /** The chat provider's error code. */
    error?: string | null;
    /** Seconds until the token expires. */
    expires_in?: number | null;
    /** The incoming webhook of the app. */
    incoming_webhook?: {
      /** The name of the chat channel. */
      channel?: string | null;
      /** The ID of the chat channel. */
      channel_id?: string | null;
      /** The URL of the webhook's configuration page. */
      configuration_url?: string | null;
      /** The URL that messages to the webhook are posted to. */
      url?: string | null;
    } | null;
    /** True if the app is installed for the enterprise. */
    is_enterprise_install?: boolean | null;
    /** The scope that was needed. */
    needed?: string | null;
    /** True if the chat provider accepted the request. */
    ok?: boolean;
    /** The scope that was provided. */
    provided?: string | null;
    /** The refresh token. */
    refresh_token?: string | null;
    /** The scopes of the token, separated by commas. */
    scope?: string | null;
    /** The workspace. */
    team?: {
      /** Its ID at the chat provider. */
      id?: string | null;
      /** Its name at the chat provider. */
      name?: string | null;
    } | null;
    /** The type of the token. */
    token_type?: string | null;
    /** A warning of the chat provider. */
    warning?: string | null;
    /** Metadata of the chat provider's response. */
    response_metadata?: {
      /** Warnings of the chat provider. */
      warnings?: string[] | null;
      /** The chat provider's cursor. */
      next_cursor?: string | null;
      /** Scopes of the token. */
      scopes?: string[] | null;
      /** Scopes that would have been accepted. */
      acceptedScopes?: string[] | null;
      /** Seconds to wait. */
      retryAfter?: number | null;
      /** Messages of the chat provider. */
      messages?: string[] | null;
    } | null;
  };
  /** Any data about the user, at most 8 KB and 5 levels. Top-level names are merged, and null removes one. Templates and conditions read user.attributes.<name>. */
  attributes?: Record<string, unknown>;
};

export type SendOptions = {
  /** Options of the email. */
  email?: {
    /** Addresses that receive replies, at most 50. */
    replyToAddresses?: string[];
    /** Addresses that get a copy, at most 50. */
    ccAddresses?: string[];
    /** Addresses that get a blind copy, at most 50. */
    bccAddresses?: string[];
    /** The sender's address, on a verified domain of the account. */
    fromAddress?: string;
    /** The sender's display name. */
    fromName?: string;
    /** Files sent with the message. */
    attachments?: Attachment[];
    /** Liquid; the email is not sent if it renders as empty, false, 0 or no. */
    condition?: string;
    /** Hours of retries after temporary failures, 0 to 72; 24 unless set. Less for what is soon worthless, such as login codes. */
    retryHours?: number;
    /** Whether opens and clicks are tracked; EMAIL_TRACKING unless set, and off where the type cannot be turned off. */
    tracking?: {
      /** Adds a pixel that reports opens. */
      opens?: boolean;
      /** Rewrites links so that clicks are reported. */
      clicks?: boolean;
    };
    /** Emails to a user with the same text are one conversation in mail programs, such as an order number; at most 255 characters. */
    thread?: string;
    /** Further headers, at most ten: X-…, Importance, Priority, Sensitivity. */
    headers?: Record<string, string>;
  };
  /** Options of Apple push notifications. */
  apn?: {
    /** Expiry time of the message, in seconds since 1970. */
    expiry?: number;
    /** 10 delivers immediately, 5 saves power. One of 10, 5. */
    priority?: number;
    /** Messages with the same ID replace each other, at most 64 characters. */
    collapseId?: string;
    /** Groups notifications on the device. */
    threadId?: string;
    /** The number on the app's icon. */
    badge?: number;
    /** The sound to play. */
    sound?: string;
    /** True if the app is woken in the background; without title and message, nothing is shown. */
    contentAvailable?: boolean;
    /** True if an extension of the app changes the notification before it is shown. */
    mutableContent?: boolean;
    /** The category whose actions are shown. */
    category?: string;
    /** How much the notification interrupts: passive, active, time-sensitive or critical. */
    interruptionLevel?: "passive" | "active" | "time-sensitive" | "critical";
  };
  /** Options of Firebase Cloud Messaging. */
  fcm?: {
    /** Options for Android devices. */
    android?: {
      /** Messages with the same key replace each other. */
      collapseKey?: string;
      /** high shows the message immediately; normal saves power. */
      priority?: string;
      /** Seconds that the message is kept for the device. */
      ttl?: number;
      /** The package that may receive the message. */
      restrictedPackageName?: string;
      /** The app's notification channel. */
      channelId?: string;
      /** The sound to play. */
      sound?: string;
      /** The name of the app's icon for the notification. */
      icon?: string;
    };
  };
  /** Options of both push services. */
  push?: {
    /** At most three text key-value pairs for the app. */
    customData?: Record<string, string>;
  };
  /** Options of web push. */
  web_push?: {
    /** A message that waits for the browser is replaced by a newer one with the same topic. */
    topic?: string;
    /** very-low, low, normal or high. The default is high for urgent notifications and normal for others. */
    urgency?: "very-low" | "low" | "normal" | "high";
    /** Seconds that the message is kept for the browser; a day by default. */
    ttl?: number;
  };
  /** Options of text messages, which replace the type's options. */
  sms?: {
    /** Seconds after which the text message is no longer sent or delivered, such as 300 for a login code. */
    validitySeconds?: number;
    /** transactional or promotional; promotional on types with purpose marketing unless set. AWS only. */
    messageType?: "transactional" | "promotional";
    /** The highest price of one part, in USD: a more expensive one is not sent. AWS only. */
    maxPrice?: number;
  };
  /** Options of calls, which replace the type's options. */
  call?: {
    /** Seconds that the phone rings. Twilio and Telnyx. */
    timeoutSeconds?: number;
    /** Minutes after which the provider ends the call. Twilio and Telnyx. */
    maxMinutes?: number;
    /** Whether the provider reports that a machine answered. Then the call counts as undelivered for steps. */
    machineDetection?: boolean;
  };
  /** The order of the channels. */
  steps?: StepInput[];
};

export type SendRecipient = WithOne<{
  /** The ID of the user; without it, the email address or number is the ID. */
  id?: string;
  /** The user's email address. */
  email?: string;
  /** The user's phone number, stored in E.164. */
  number?: string;
  /** Push tokens of the user's devices, at most 100; merged by token. */
  pushTokens?: PushTokenInput[];
  /** The user's web push subscriptions, at most 100; merged by endpoint. */
  webPushTokens?: WebPushTokenInput[];
  /** An IANA timezone, such as Europe/Berlin. */
  timezone?: string;
  /** The user's language: a language tag (BCP 47), such as de or pt-BR. */
  locale?: string;
  /** The chat channel or user that messages are sent to. */
  chatChannel?: string;
  /** The chat provider's token, in its own format. */
  chatToken?: {
    /** The chat product: slack, discord or teams; slack if absent. */
    provider?: string | null;
    /** The incoming webhook of discord, or of a workflow of teams. */
    webhookUrl?: string | null;
    /** The access token. */
    access_token?: string | null;
    /** The ID of the app. */
    app_id?: string | null;
    /** The user who authorized the app. */
    authed_user?: {
      /** The access token. */
      access_token?: string | null;
      /** Seconds until the token expires. */
      expires_in?: number | null;
      /** Its ID at the chat provider. */
      id?: string | null;
      /** The refresh token. */
      refresh_token?: string | null;
      /** The scopes of the token, separated by commas. */
      scope?: string | null;
      /** The type of the token. */
      token_type?: string | null;
    } | null;
    /** The ID of the app's bot. */
    bot_user_id?: string | null;
    /** The enterprise of the workspace. */
    enterprise?: {
      /** Its ID at the chat provider. */
      id?: string | null;
      /** Its name at the chat provider. */
      name?: string | null;
    } | null;
    /** The chat provider's error code. */
    error?: string | null;
    /** Seconds until the token expires. */
    expires_in?: number | null;
    /** The incoming webhook of the app. */
    incoming_webhook?: {
      /** The name of the chat channel. */
      channel?: string | null;
      /** The ID of the chat channel. */
      channel_id?: string | null;
      /** The URL of the webhook's configuration page. */
      configuration_url?: string | null;
      /** The URL that messages to the webhook are posted to. */
      url?: string | null;
    } | null;
    /** True if the app is installed for the enterprise. */
    is_enterprise_install?: boolean | null;
    /** The scope that was needed. */
    needed?: string | null;
    /** True if the chat provider accepted the request. */
    ok?: boolean;
    /** The scope that was provided. */
    provided?: string | null;
    /** The refresh token. */
    refresh_token?: string | null;
    /** The scopes of the token, separated by commas. */
    scope?: string | null;
    /** The workspace. */
    team?: {
      /** Its ID at the chat provider. */
      id?: string | null;
      /** Its name at the chat provider. */
      name?: string | null;
    } | null;
    /** The type of the token. */
    token_type?: string | null;
    /** A warning of the chat provider. */
    warning?: string | null;
    /** Metadata of the chat provider's response. */
    response_metadata?: {
      /** Warnings of the chat provider. */
      warnings?: string[] | null;
      /** The chat provider's cursor. */
      next_cursor?: string | null;
      /** Scopes of the token. */
      scopes?: string[] | null;
      /** Scopes that would have been accepted. */
      acceptedScopes?: string[] | null;
      /** Seconds to wait. */
      retryAfter?: number | null;
      /** Messages of the chat provider. */
      messages?: string[] | null;
    } | null;
  };
  /** Any data about the user, at most 8 KB and 5 levels. Top-level names are merged, and null removes one. Templates and conditions read user.attributes.<name>. */
  attributes?: Record<string, unknown>;
  /** A topic, in place of a user: every member gets the notification. */
  topic?: string;
  /** IDs of at most 100 users who do not get it, such as the author of a comment. Only with topic. */
  exclude?: string[];
}, "id" | "email" | "number" | "topic">;

export type SendRejection = {
  /** The error. */
  error: {
    /** Error code, from a fixed list. */
    code: ErrorCode;
    /** A description of the error. */
    message: string;
    /** The suggested next step. */
    fix?: string;
    /** The address of the code on the page of errors, relative to the address of the API. */
    docs?: string;
    /** The problems one by one; their paths are within the entry. */
    errors?: FieldError[];
  };
};

export type SendRequest = WithOne<WithOne<{
  /** Earlier name of type. */
  notificationId?: string;
  /** Earlier name of to. @deprecated */
  user?: Recipient;
  /** Earlier name of parameters. @deprecated */
  mergeTags?: Record<string, unknown>;
  /** Literal replacements, applied after rendering. */
  replace?: Record<string, string>;
  /** The ID of the notification type; an unknown one is created. */
  type?: string;
  /** The recipient: id, email or number identifies the user. Contact data updates the stored user. */
  to?: SendRecipient;
  /** Channels that replace the type's; preferences still apply. An empty list counts as absent. */
  forceChannels?: Channel[];
  /** Values for the templates; any JSON. */
  parameters?: Record<string, unknown>;
  /** Earlier name of subNotificationId. @deprecated */
  secondaryId?: string;
  /** The template to use instead of the channel's default. */
  templateId?: string;
  /** Separates preferences and digests within a type. */
  subNotificationId?: string;
  /** Options of this request, by channel. */
  options?: SendOptions;
  /** Time to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead. */
  schedule?: string;
  /** True if it ignores quiet hours and pauses. */
  urgent?: boolean;
  /** True if the content, such as a login code, is shown nowhere and removed after sending. */
  sensitive?: boolean;
  /** The language of the inline content, such as de or pt-BR; without it, an email states none, and its direction follows its text. */
  locale?: string;
  /** Your own references: at most 20 pairs of strings, 1 KB. In the log and every event, never in content. */
  metadata?: Record<string, string>;
  /** Inline content of EMAIL. */
  email?: EmailContent;
  /** Inline content of INAPP_WEB. */
  inapp?: InappContent;
  /** Inline content of SMS. */
  sms?: SmsContent;
  /** Inline content of CALL. */
  call?: CallContent;
  /** Inline content of WEB_PUSH. */
  web_push?: WebPushContent;
  /** Inline content of PUSH. */
  mobile_push?: MobilePushContent;
  /** Inline content of CHAT. */
  chat?: ChatContent;
}, "type" | "notificationId">, "to" | "user">;

export type SendResult = {
  /** The ID of the notification, for its delivery log. For a topic, its log counts the notifications of the members, whose topic_tracking_id it is, and DELETE /sender/scheduler/{trackingId} stops the rest. */
  trackingId: string;
  /** The reason for every channel that will not be sent. */
  messages: string[];
  /** The channels that are accepted but not sent yet; absent if there are none. */
  waiting?: {
    /** The channel. */
    channel: Channel;
    /** SCHEDULE: the requested time. BATCH: the next digest. QUIET_HOURS, PAUSED: the user. STEP: the time of its step. */
    reason: "SCHEDULE" | "BATCH" | "QUIET_HOURS" | "PAUSED" | "STEP";
    /** The time when it is evaluated again or sent. */
    until?: string;
  }[];
  /** For a dry run to a topic: its members. */
  topic?: {
    /** Number of users in the topic. */
    members: number;
    /** The first member, whose routing is shown. */
    sampleUserId?: string;
  };
  /** The decision for each channel, unless it is sent to a topic: each member has their own. */
  routing?: {
    /** The channel. */
    channel: Channel;
    /** The decision. */
    routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
    /** Why the channel is not sent, as in the delivery log. */
    reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY" | "NO_CONSENT" | "NOT_ENABLED" | "ACCOUNT_DISABLED" | "TYPE_DISABLED" | "NO_ADDRESS" | "NO_CONTENT" | "SUPPRESSED" | "OPTED_OUT" | "CONDITION" | "OVER_CAP" | "NO_TYPE";
    /** Of a dry run: due time of a later step. */
    dueAt?: string;
    /** Of a dry run: end of the quiet hours or pause. */
    heldUntil?: string;
    /** Of a dry run: the content as it would be sent. */
    content?: Record<string, unknown>;
    /** Of a dry run: variables in the content that have no value. */
    missing?: string[];
    /** Of a dry run: keys that the language lacks, with the language that was used instead. */
    missingTranslations?: {
      /** The key of the translation. */
      key: string;
      /** The language that was used instead; absent: the key is shown. */
      found?: string;
    }[];
    /** Of a dry run: the language of the template variant. */
    locale?: string;
    /** Of a text message: GSM-7, or UCS-2 if a character is outside of it. */
    encoding?: "GSM-7" | "UCS-2";
    /** Of a text message: the number of its characters. */
    characters?: number;
    /** Of a text message: the parts that carriers bill. */
    segments?: number;
    /** Of a text message: its price in USD, at the PHONE_PRICE_ESTIMATE_CENTS of the deployment. */
    estimatedPrice?: number;
    /** Of a text message: the first character that made it UCS-2. */
    ucs2Character?: string;
  }[];
};

export type SenderDomain = {
  /** The domain. */
  sender: string;
  /** Verification status; SUCCESS means that the domain can send. */
  status: "SUCCESS" | "PENDING" | "FAILED" | "TEMPORARY_FAILURE" | "NOT_STARTED";
  /** Time of the last DNS check. */
  lastSync: string;
  /** The tokens that the DNS records contain. */
  verificationTokens?: string[];
  /** The state of the MAIL FROM subdomain. */
  mailFromDomainStatus?: "PENDING" | "SUCCESS" | "FAILED" | "TEMPORARY_FAILURE";
  /** Time the domain was added. */
  createdAt: string;
  /** Time the reminder about missing DNS records was sent. */
  reminderSentAt?: string;
  /** The DKIM selector. */
  selector: string;
  /** The DNS records to publish. */
  verificationRecords?: {
    /** The record of the DKIM key. */
    dkim: DnsRecord;
    /** The SPF record of the MAIL FROM subdomain. */
    mail_from_spf: DnsRecord;
    /** The MX record of the MAIL FROM subdomain. */
    mail_from_mx: DnsRecord;
    /** The DMARC record. */
    dmarc: DnsRecord;
    /** The MX record for inbound email, where this deployment receives email. It moves all mail of its host to this service: mailboxes on that host receive nothing more. So it is returned for a subdomain, and for a whole domain only once an address on it is created. */
    inbound_mx?: DnsRecord;
  };
};

export type SmsContent = {
  /** The text, as Liquid. */
  message?: string;
  /** https URLs of media that carriers fetch, at most 10. */
  mediaUrls?: string[];
  /** The automatic reply to the first reply; sensitive notifications send none. */
  autoReply?: {
    /** The text of the automatic reply. */
    message: string;
  };
  /** The sending number, one of the account's. */
  from?: string;
};

/** The body of the event SMS_DELIVERED. Later versions may add fields. */
export type SmsDeliveredEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "SMS_DELIVERED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "SMS_DELIVERED";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: SmsDeliveredEventData;
};

/** The fields of the event SMS_DELIVERED. */
export type SmsDeliveredEventData = {
  /** The event. */
  eventType: "SMS_DELIVERED";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

/** The body of the event SMS_FAILED. Later versions may add fields. */
export type SmsFailedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "SMS_FAILED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "SMS_FAILED";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
  /** The same fields again, as Standard Webhooks recommends. */
  data: SmsFailedEventData;
};

/** The fields of the event SMS_FAILED. */
export type SmsFailedEventData = {
  /** The event. */
  eventType: "SMS_FAILED";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "13224" | "21211" | "21215" | "21265" | "21610" | "21614" | "21612" | "30005" | "30006" | "30007" | "30008" | "30453" | "40001" | "40002" | "40010" | "40300" | "Unknown" | "MISSING_SMS_RECIPIENT" | "MISSING_SMS_MESSAGE" | "INVALID_PHONE_NUMBER";
};

/** The body of the event SMS_INBOUND. Later versions may add fields. */
export type SmsInboundEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "SMS_INBOUND";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "SMS_INBOUND";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** The same time in milliseconds since 1970. */
  epochMs?: number;
  /** The address of the account that received the email. */
  inbox?: string;
  /** The address or number of the sender. */
  from?: string;
  /** The sender's display name. */
  fromName?: string;
  /** The subject of the email. */
  subject?: string;
  /** The addresses or numbers of the recipients. */
  to?: string[];
  /** The addresses in Cc. */
  cc?: string[];
  /** The addresses in Bcc. */
  bcc?: string[];
  /** The Reply-To of the email. */
  replyTo?: string;
  /** The text of the message. */
  bodyText?: string;
  /** What its author wrote: the text without quotes and signature. */
  strippedText?: string;
  /** The HTML of the email. */
  bodyHtml?: string;
  /** Files sent with the message. */
  attachments?: {
    /** Its place in GET /logs/{trackingId}/attachments/{index}. */
    index?: number;
    /** The file's name. */
    filename: string;
    /** The media type. */
    contentType: string;
    /** The size in bytes. */
    size: number;
    /** The Content-ID of an inline attachment. */
    contentId?: string;
  }[];
  /** Media of an MMS. */
  media?: {
    /** The URL of the file. */
    url: string;
    /** The media type. */
    contentType?: string;
  }[];
  /** The parts of the inbound message that were cut. */
  cut?: string[];
  /** True if the text or the HTML was cut; GET /logs/{trackingId}/original has the whole email. */
  truncated?: boolean;
  /** True for an automatic reply, such as an absence, and mail of lists: it raises no event. */
  automatic?: boolean;
  /** What the receiving server found out, in lower case (pass, fail, gray, …); absent where it found out nothing. */
  verdicts?: {
    /** Whether it is spam; mail that fails raises no event. */
    spam?: string;
    /** Whether it has a virus; mail that fails is dropped. */
    virus?: string;
    /** Whether the sending host may send for the domain of the return path. */
    spf?: string;
    /** Whether a signature is valid. */
    dkim?: string;
    /** Whether one of the two is of the domain in From. */
    dmarc?: string;
  };
  /** The Message-ID of the email. */
  messageId?: string;
  /** The Message-ID that the email replies to. */
  inReplyTo?: string;
  /** The References of the email. */
  references?: string;
  /** How the notification or inbox was found: reply, builtin, custom or inbound. */
  resolutionType?: "reply" | "builtin" | "custom" | "inbound";
  /** Time the message was received. */
  receivedAt: string;
  /** The same fields again, as Standard Webhooks recommends. */
  data: SmsInboundEventData;
};

/** The fields of the event SMS_INBOUND. */
export type SmsInboundEventData = {
  /** The event. */
  eventType: "SMS_INBOUND";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** The same time in milliseconds since 1970. */
  epochMs?: number;
  /** The address of the account that received the email. */
  inbox?: string;
  /** The address or number of the sender. */
  from?: string;
  /** The sender's display name. */
  fromName?: string;
  /** The subject of the email. */
  subject?: string;
  /** The addresses or numbers of the recipients. */
  to?: string[];
  /** The addresses in Cc. */
  cc?: string[];
  /** The addresses in Bcc. */
  bcc?: string[];
  /** The Reply-To of the email. */
  replyTo?: string;
  /** The text of the message. */
  bodyText?: string;
  /** What its author wrote: the text without quotes and signature. */
  strippedText?: string;
  /** The HTML of the email. */
  bodyHtml?: string;
  /** Files sent with the message. */
  attachments?: {
    /** Its place in GET /logs/{trackingId}/attachments/{index}. */
    index?: number;
    /** The file's name. */
    filename: string;
    /** The media type. */
    contentType: string;
    /** The size in bytes. */
    size: number;
    /** The Content-ID of an inline attachment. */
    contentId?: string;
  }[];
  /** Media of an MMS. */
  media?: {
    /** The URL of the file. */
    url: string;
    /** The media type. */
    contentType?: string;
  }[];
  /** The parts of the inbound message that were cut. */
  cut?: string[];
  /** True if the text or the HTML was cut; GET /logs/{trackingId}/original has the whole email. */
  truncated?: boolean;
  /** True for an automatic reply, such as an absence, and mail of lists: it raises no event. */
  automatic?: boolean;
  /** What the receiving server found out, in lower case (pass, fail, gray, …); absent where it found out nothing. */
  verdicts?: {
    /** Whether it is spam; mail that fails raises no event. */
    spam?: string;
    /** Whether it has a virus; mail that fails is dropped. */
    virus?: string;
    /** Whether the sending host may send for the domain of the return path. */
    spf?: string;
    /** Whether a signature is valid. */
    dkim?: string;
    /** Whether one of the two is of the domain in From. */
    dmarc?: string;
  };
  /** The Message-ID of the email. */
  messageId?: string;
  /** The Message-ID that the email replies to. */
  inReplyTo?: string;
  /** The References of the email. */
  references?: string;
  /** How the notification or inbox was found: reply, builtin, custom or inbound. */
  resolutionType?: "reply" | "builtin" | "custom" | "inbound";
  /** Time the message was received. */
  receivedAt: string;
};

/** The body of the event SMS_SUBSCRIBE. Later versions may add fields. */
export type SmsSubscribeEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "SMS_SUBSCRIBE";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "SMS_SUBSCRIBE";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: SmsSubscribeEventData;
};

/** The fields of the event SMS_SUBSCRIBE. */
export type SmsSubscribeEventData = {
  /** The event. */
  eventType: "SMS_SUBSCRIBE";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

/** The body of the event SMS_UNSUBSCRIBE. Later versions may add fields. */
export type SmsUnsubscribeEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "SMS_UNSUBSCRIBE";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "SMS_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: SmsUnsubscribeEventData;
};

/** The fields of the event SMS_UNSUBSCRIBE. */
export type SmsUnsubscribeEventData = {
  /** The event. */
  eventType: "SMS_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "SMS";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

export type Step = {
  /** The channels of this step. */
  channels: Channel[];
  /** Delay after the previous step, as an ISO 8601 duration. */
  after?: string;
  /** What starts the step: unseen (nothing was seen, the default), undelivered (nothing was delivered), or always. */
  when?: "unseen" | "undelivered" | "always";
};

export type StepInput = {
  /** The channels of this step. */
  channels: Channel[];
  /** Delay after the previous step, as an ISO 8601 duration. */
  after?: string;
  /** What starts the step: unseen (nothing was seen, the default), undelivered (nothing was delivered), or always. */
  when?: "unseen" | "undelivered" | "always";
};

export type Template = {
  /** The environment. */
  envId: string;
  /** The ID of the notification type. */
  notificationId: string;
  /** The ID of the template. */
  templateId: string;
  /** The language of the variant; the default variant has none. */
  locale?: string;
  /** The channel of the template. */
  channel: Channel;
  /** True if it is the default for instant delivery. */
  default: boolean;
  /** The delivery modes that the template is the default for. */
  isDefaultFor?: Record<string, boolean>;
  /** Creation time. */
  createdAt?: string;
  /** Time of the last change. */
  updatedAt?: string;
  /** The ID of the member or key that made it. */
  updatedBy?: string;
};

export type TemplateChange = {
  /** Values of its variables for previews and tests, at most 32 KB. Derived from its texts when it is first saved, and again with null. _items has the items of a digest. */
  samples?: Record<string, unknown> | null;
  /** EMAIL: the HTML, as Liquid. It may embed up to 20 components. */
  html?: string | null;
  /** EMAIL, SMS, CALL and CHAT: the text, as Liquid. */
  text?: string | null;
  /** EMAIL: the component with {{ content }} that the HTML is shown in; null for none, even if the account has a default; empty for the default of the account. */
  layout?: string | "" | null | null;
  /** EMAIL: the text after the subject in inboxes. */
  previewText?: string | null;
  /** EMAIL: the editor's representation, which is not rendered. */
  internal?: string | null;
  /** EMAIL: the subject, as Liquid. */
  subject?: string | null;
  /** EMAIL: the sender's display name. */
  senderName?: string | null;
  /** EMAIL: the sender's address, on a verified domain of the account. */
  senderEmail?: string | null;
  /** INAPP_WEB, PUSH and WEB_PUSH: the title, as Liquid. */
  title?: string | null;
  /** INAPP_WEB: more text below the title, as Liquid; plain text. */
  body?: string | null;
  /** INAPP_WEB: up to two buttons. */
  actions?: {
    /** The text of the button, as Liquid. */
    label: string;
    /** The URL that it opens. */
    url?: string;
  }[] | null;
  /** The URL that a click opens. */
  redirectURL?: string | null;
  /** The URL of the image. */
  imageURL?: string | null;
  /** INAPP_WEB: the content of a single item. */
  instant?: {
    /** The title, as Liquid. */
    title?: string;
    /** The URL that a click opens. */
    redirectURL?: string;
    /** The URL of the image. */
    imageURL: string;
  } | null;
  /** INAPP_WEB: the content that represents several items. */
  batch?: {
    /** The title, as Liquid. */
    title: string;
    /** The URL that a click opens. */
    redirectURL: string;
    /** The URL of the image. */
    imageURL: string;
  } | null;
  /** PUSH and WEB_PUSH: the text, as Liquid. */
  message?: string | null;
  /** The URL that a click opens. */
  url?: string | null;
  /** The URL of a large image. */
  image?: string | null;
  /** WEB_PUSH and CHAT: the URL of an image; in chat also an emoji. */
  icon?: string | null;
  /** CHAT: blocks of the message, as the chat provider defines them, at most 50. */
  blocks?: Record<string, unknown>[] | null;
  /** CHAT: the name under which the message is sent. */
  username?: string | null;
};

export type Throttling = {
  /** The maximum number of notifications in any period, or in all without a period. */
  max: number;
  /** The length of the rolling window, in units; at most two years. */
  period: number;
  /** The unit of the period. */
  unit: "seconds" | "minutes" | "hours" | "days" | "months" | "years";
  /** True if the limit applies indefinitely. */
  forever: boolean;
  /** Fields that the limit groups by. */
  scope: ("userId" | "notificationId")[];
};

export type TypeOptions = {
  /** The delivery options on EMAIL. */
  EMAIL?: ChannelOptions;
  /** The delivery options on INAPP_WEB. */
  INAPP_WEB?: InappOptions;
  /** The delivery options on SMS. */
  SMS?: ChannelOptions;
  /** The delivery options on CALL. */
  CALL?: ChannelOptions;
  /** The delivery options on PUSH. */
  PUSH?: ChannelOptions;
  /** The delivery options on WEB_PUSH. */
  WEB_PUSH?: ChannelOptions;
  /** The delivery options on CHAT. */
  CHAT?: ChannelOptions;
  /** Settings of its emails, which a request may change. */
  email?: {
    /** Hours of retries after temporary failures, 0 to 72; 24 unless set. Less for what is soon worthless, such as login codes. */
    retryHours?: number;
    /** Whether opens and clicks are tracked; EMAIL_TRACKING unless set, and off where the type cannot be turned off. */
    tracking?: {
      /** Adds a pixel that reports opens. */
      opens?: boolean;
      /** Rewrites links so that clicks are reported. */
      clicks?: boolean;
    };
    /** Emails to a user with the same text are one conversation in mail programs, such as an order number; at most 255 characters. */
    thread?: string;
    /** Further headers, at most ten: X-…, Importance, Priority, Sensitivity. */
    headers?: Record<string, string>;
  };
  /** Settings of its text messages, which a request may change. */
  sms?: {
    /** Seconds after which the text message is no longer sent or delivered, such as 300 for a login code. */
    validitySeconds?: number;
    /** transactional or promotional; promotional on types with purpose marketing unless set. AWS only. */
    messageType?: "transactional" | "promotional";
    /** The highest price of one part, in USD: a more expensive one is not sent. AWS only. */
    maxPrice?: number;
  };
  /** Settings of its calls, which a request may change. */
  call?: {
    /** Seconds that the phone rings. Twilio and Telnyx. */
    timeoutSeconds?: number;
    /** Minutes after which the provider ends the call. Twilio and Telnyx. */
    maxMinutes?: number;
  };
};

export type TypeOptionsChange = {
  /** The delivery options on EMAIL. */
  EMAIL?: ChannelOptionsChange | null;
  /** The delivery options on INAPP_WEB. */
  INAPP_WEB?: InappOptionsChange | null;
  /** The delivery options on SMS. */
  SMS?: ChannelOptionsChange | null;
  /** The delivery options on CALL. */
  CALL?: ChannelOptionsChange | null;
  /** The delivery options on PUSH. */
  PUSH?: ChannelOptionsChange | null;
  /** The delivery options on WEB_PUSH. */
  WEB_PUSH?: ChannelOptionsChange | null;
  /** The delivery options on CHAT. */
  CHAT?: ChannelOptionsChange | null;
  /** Settings of its emails, which a request may change. */
  email?: {
    /** Hours of retries after temporary failures, 0 to 72; 24 unless set. Less for what is soon worthless, such as login codes. */
    retryHours?: number;
    /** Whether opens and clicks are tracked; EMAIL_TRACKING unless set, and off where the type cannot be turned off. */
    tracking?: {
      /** Adds a pixel that reports opens. */
      opens?: boolean;
      /** Rewrites links so that clicks are reported. */
      clicks?: boolean;
    };
    /** Emails to a user with the same text are one conversation in mail programs, such as an order number; at most 255 characters. */
    thread?: string;
    /** Further headers, at most ten: X-…, Importance, Priority, Sensitivity. */
    headers?: Record<string, string>;
  } | null;
  /** Settings of its text messages, which a request may change. */
  sms?: {
    /** Seconds after which the text message is no longer sent or delivered, such as 300 for a login code. */
    validitySeconds?: number;
    /** transactional or promotional; promotional on types with purpose marketing unless set. AWS only. */
    messageType?: "transactional" | "promotional";
    /** The highest price of one part, in USD: a more expensive one is not sent. AWS only. */
    maxPrice?: number;
  } | null;
  /** Settings of its calls, which a request may change. */
  call?: {
    /** Seconds that the phone rings. Twilio and Telnyx. */
    timeoutSeconds?: number;
    /** Minutes after which the provider ends the call. Twilio and Telnyx. */
    maxMinutes?: number;
  } | null;
};

export type UsageItem = {
  /** The month, YYYY-MM. */
  yearMonth: string;
  /** Messages by channel. */
  counts: ChannelCounts;
  /** Days of the month when messages were sent. */
  days: {
    /** The day in UTC, YYYY-MM-DD. */
    date: string;
    /** Messages by channel. */
    counts: ChannelCounts;
  }[];
};

export type User = {
  /** The ID of the user. */
  id: string;
  /** The user's email address. */
  email?: string;
  /** The user's phone number, stored in E.164. */
  number?: string;
  /** Push tokens of the user's devices, at most 100; merged by token. */
  pushTokens?: PushToken[];
  /** The user's web push subscriptions, at most 100; merged by endpoint. */
  webPushTokens?: WebPushToken[];
  /** An IANA timezone, such as Europe/Berlin. */
  timezone?: string;
  /** The user's language: a language tag (BCP 47), such as de or pt-BR. */
  locale?: string;
  /** The chat channel or user that messages are sent to. */
  chatChannel?: string;
  /** The chat provider's token, in its own format. */
  chatToken?: ChatToken;
  /** Any data about the user, at most 8 KB and 5 levels. Top-level names are merged, and null removes one. Templates and conditions read user.attributes.<name>. */
  attributes?: Record<string, unknown>;
  /** Hours during which notifications do not interrupt the user. */
  quietHours?: QuietHours;
  /** The time until which no message is sent to the user. */
  pausedUntil?: string;
  /** Time the user was last seen. */
  lastSeenTime?: string;
  /** Time of the last change. */
  updatedAt?: string;
  /** Creation time. */
  createdAt?: string;
  /** Why the user's email address is suppressed; absent when it is not. */
  emailSuppressionStatus?: {
    /** Bounce or Complaint. */
    reason: "Bounce" | "Complaint";
    /** Details reported by the provider. */
    details: Record<string, unknown>;
  };
};

/** The body of the event USER_ERASED. Later versions may add fields. */
export type UserErasedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "USER_ERASED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "USER_ERASED";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** Time of the request. */
  requestedAt: string;
  /** Time when the erasure ended. */
  finishedAt: string;
  /** Number of logs erased. */
  erasedLogs: number;
  /** The hash of the receipt in GET /erasures. */
  person: string;
  /** The same fields again, as Standard Webhooks recommends. */
  data: UserErasedEventData;
};

/** The fields of the event USER_ERASED. */
export type UserErasedEventData = {
  /** The event. */
  eventType: "USER_ERASED";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** Time of the request. */
  requestedAt: string;
  /** Time when the erasure ended. */
  finishedAt: string;
  /** Number of logs erased. */
  erasedLogs: number;
  /** The hash of the receipt in GET /erasures. */
  person: string;
};

/** The body of the event USER_EXPORTED. Later versions may add fields. */
export type UserExportedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "USER_EXPORTED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "USER_EXPORTED";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** Time of the request. */
  requestedAt: string;
  /** Time when GET /users/{userId}/export has the link. */
  readyAt: string;
  /** Time when the link ends. */
  expiresAt: string;
  /** The same fields again, as Standard Webhooks recommends. */
  data: UserExportedEventData;
};

/** The fields of the event USER_EXPORTED. */
export type UserExportedEventData = {
  /** The event. */
  eventType: "USER_EXPORTED";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** Time of the request. */
  requestedAt: string;
  /** Time when GET /users/{userId}/export has the link. */
  readyAt: string;
  /** Time when the link ends. */
  expiresAt: string;
};

export type WaitingEntry = {
  /** Names the entry in PUT and DELETE /waiting/{waitingId}. */
  waitingId: string;
  /** The notifications: one, or the items of a digest. */
  trackingIds: string[];
  /** The notification type. */
  type: string;
  /** The user; absent for a topic. */
  userId?: string;
  /** The topic. */
  topic?: string;
  /** How a digest collects. */
  delivery?: "hourly" | "daily" | "weekly" | "monthly";
  /** When the first of its channels is due. */
  until: string;
  /** The channels that wait, earliest first; empty for a topic, whose members are decided then. */
  channels: {
    /** The channel. */
    channel: Channel;
    /** SCHEDULE: the requested time. BATCH: the next digest. QUIET_HOURS, PAUSED: the user. STEP: the time of its step. RETRY: the next attempt of an email. */
    reason: "SCHEDULE" | "BATCH" | "QUIET_HOURS" | "PAUSED" | "STEP" | "RETRY";
    /** The time when it is evaluated again or sent. */
    until: string;
    /** The condition of its step. */
    when?: "unseen" | "undelivered" | "always";
  }[];
};

export type WebPushContent = {
  /** The title, as Liquid. */
  title?: string;
  /** The text, as Liquid. */
  message?: string;
  /** The URL of the icon. */
  icon?: string;
  /** The URL that a click opens. */
  url?: string;
  /** The URL of a large image. */
  image?: string;
  /** The URL of a small icon of one color. */
  badge?: string;
  /** A newer message with the same tag replaces one that is shown; the tracking ID by default. */
  tag?: string;
  /** Buttons, at most three. */
  actions?: {
    /** The ID of the action. */
    action: string;
    /** The label, as Liquid. */
    title: string;
    /** The URL that it opens. */
    url?: string;
  }[];
};

/** The body of the event WEB_PUSH_FAILED. Later versions may add fields. */
export type WebPushFailedEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "WEB_PUSH_FAILED";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "WEB_PUSH_FAILED";
  /** The channel of the message. */
  channel: "WEB_PUSH";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "UNSUBSCIRBED_OR_EXPIRED" | "UNKNOWN";
  /** The same fields again, as Standard Webhooks recommends. */
  data: WebPushFailedEventData;
};

/** The fields of the event WEB_PUSH_FAILED. */
export type WebPushFailedEventData = {
  /** The event. */
  eventType: "WEB_PUSH_FAILED";
  /** The channel of the message. */
  channel: "WEB_PUSH";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** Why the message failed. */
  failureCode?: "UNSUBSCIRBED_OR_EXPIRED" | "UNKNOWN";
};

export type WebPushToken = {
  /** The browser's push subscription, as it serializes it. */
  sub: {
    /** The push service's URL of the subscription. */
    endpoint: string;
    /** The keys that messages to it are encrypted with. */
    keys: {
      /** The public key of the subscription. */
      p256dh: string;
      /** The authentication secret of the subscription. */
      auth: string;
    };
  };
};

export type WebPushTokenInput = {
  /** The browser's push subscription, as it serializes it. */
  sub: {
    /** The push service's URL of the subscription. */
    endpoint: string;
    /** The keys that messages to it are encrypted with. */
    keys: {
      /** The public key of the subscription. */
      p256dh: string;
      /** The authentication secret of the subscription. */
      auth: string;
    };
  };
};

/** The body of the event WEB_PUSH_UNSUBSCRIBE. Later versions may add fields. */
export type WebPushUnsubscribeEvent = {
  /** The ID of the event, the same on every attempt and in the header webhook-id. */
  id: string;
  /** The event, the same as eventType. */
  type: "WEB_PUSH_UNSUBSCRIBE";
  /** Time of the event. */
  timestamp: string;
  /** The event. */
  eventType: "WEB_PUSH_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "WEB_PUSH";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
  /** The same fields again, as Standard Webhooks recommends. */
  data: WebPushUnsubscribeEventData;
};

/** The fields of the event WEB_PUSH_UNSUBSCRIBE. */
export type WebPushUnsubscribeEventData = {
  /** The event. */
  eventType: "WEB_PUSH_UNSUBSCRIBE";
  /** The channel of the message. */
  channel: "WEB_PUSH";
  /** The user. For an inbound message that is not a reply, the address of its sender. */
  userId: string;
  /** The notification type. Empty for an inbound message that is not a reply. */
  notificationId: string;
  /** The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own. */
  trackingId: string;
  /** The metadata of the request; of a digest, the pairs that all its notifications share. */
  metadata?: Record<string, string>;
  /** In an event of a digest, the tracking IDs of the notifications in it. */
  trackingIds?: string[];
};

export type WebhookAttempt = {
  /** The header webhook-id, the same on every attempt. */
  webhookMessageId: string;
  /** The event. */
  eventType: WebhookEventType;
  /** Time of the call. */
  at: string;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** The HTTP status of the response; 0 when there was none. */
  status: number;
  /** Duration of the call in milliseconds. */
  ms: number;
  /** Why there was no response. */
  error?: string;
};

export type WebhookCall = {
  /** The ID of the call, for sending it again. */
  callId: string;
  /** The header webhook-id, the same on every attempt. */
  webhookMessageId: string;
  /** The event. */
  eventType: WebhookEventType;
  /** The notification or inbound message that the event is about; absent of other events. */
  trackingId?: string;
  /** Time of the first attempt. */
  at: string;
  /** delivered after a 2xx response, waiting for another attempt, or failed. */
  outcome: "delivered" | "failed" | "waiting";
  /** The attempts, oldest first. */
  attempts: {
    /** Time of the attempt. */
    at: string;
    /** The number of this attempt, from 1; those that somebody asked for begin at 11. */
    attempt: number;
    /** The HTTP status of the response; 0 when there was none. */
    status: number;
    /** Duration of the attempt in milliseconds. */
    ms: number;
    /** Why there was no response. */
    error?: string;
  }[];
};

export type WebhookEventType = "EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE" | "NOTIFICATION_ACCEPTED" | "NOTIFICATION_NOT_SENT" | "USER_ERASED" | "USER_EXPORTED";

/** An event that the service posts to your webhook. */
export type WebhookEvent = EmailOpenEvent | EmailClickEvent | EmailFailedEvent | EmailDeliveredEvent | EmailUnsubscribeEvent | EmailInboundEvent | InappWebFailedEvent | InappWebUnsubscribeEvent | SmsDeliveredEvent | SmsFailedEvent | SmsUnsubscribeEvent | SmsSubscribeEvent | SmsInboundEvent | PushFailedEvent | PushUnsubscribeEvent | CallFailedEvent | CallUnsubscribeEvent | WebPushFailedEvent | WebPushUnsubscribeEvent | ChatFailedEvent | ChatUnsubscribeEvent | NotificationAcceptedEvent | NotificationNotSentEvent | UserErasedEvent | UserExportedEvent;
