// Written by `npm run openapi` from the route table.
import type { List } from '../list.ts';
import type { CallOptions } from '../request.ts';
import type { Result } from '../result.ts';
import type { Account, Address, ApiKey, Attachment, Channel, ChannelCounts, Component, DeliveryOption, Environment, InappItem, InboundMessage, LogRecord, Member, NewUser, NotificationType, Organization, PushTokenInput, QuietHoursInput, Recipient, SendRejection, SendRequest, SendResult, SenderDomain, StepInput, Template, TemplateChange, TypeOptions, TypeOptionsChange, UsageItem, User, WaitingEntry, WebPushTokenInput, WebhookAttempt, WebhookCall, WebhookEventType } from './types.ts';

/** The fields of a template's content, by channel. */
type TemplateFields = {
  EMAIL: 'html' | 'text' | 'layout' | 'previewText' | 'internal' | 'subject' | 'senderName' | 'senderEmail';
  INAPP_WEB: 'title' | 'body' | 'actions' | 'redirectURL' | 'imageURL' | 'instant' | 'batch';
  SMS: 'text';
  CALL: 'text';
  PUSH: 'title' | 'message' | 'url' | 'image';
  WEB_PUSH: 'title' | 'message' | 'icon' | 'url';
  CHAT: 'text' | 'blocks' | 'username' | 'icon';
};

/** The body without the content of other channels. */
type ForChannel<C extends Channel, Body> = Omit<Body, Exclude<TemplateFields[Channel], TemplateFields[C]>>;

/** One method per operation, grouped by resource. */
export type Methods = {
  /** Send one email: `POST /email`. */
  sendEmail(body: {
      /** The ID of the notification type; an unknown one is created. */
      type: string;
      /** The recipient: an address or number, or a user. */
      to: string | Recipient;
      /** The subject of the email. */
      subject: string;
      /** The HTML, as Liquid. */
      html: string;
      /** The sender's display name. */
      fromName?: string;
      /** The sender's address, on a verified domain of the account. */
      fromAddress?: string;
      /** The text after the subject in inboxes. */
      previewText?: string;
      /** Addresses that receive replies, at most 50. */
      replyToAddresses?: string[];
      /** Addresses that get a copy, at most 50. */
      ccAddresses?: string[];
      /** Addresses that get a blind copy, at most 50. */
      bccAddresses?: string[];
      /** Files sent with the message. */
      attachments?: Attachment[];
      /** Time to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead. */
      schedule?: string;
      /** Your own references, as in POST /send. */
      metadata?: Record<string, string>;
    }, query?: { dryRun?: boolean | "true" | "false"; locale?: string } & CallOptions, options?: CallOptions): Result<SendResult>;
  /** Send again what failed of a notification: `POST /logs/{trackingId}/resend`. */
  resendLog(trackingId: string, body: {
      /** Only this channel; without it, every channel that failed. */
      channel?: Channel;
    }, options?: CallOptions): Result<{
      /** What is sent again, one entry for each failed message. */
      resent: {
        /** The channel. */
        channel: Channel;
        /** The ID of the new notification. */
        trackingId: string;
        /** The reason for every channel that will not be sent. */
        messages: string[];
      }[];
    }>;
  /** Send a notification to a user on all channels of its type: `POST /send`. */
  send(body: SendRequest, query?: { dryRun?: boolean | "true" | "false"; locale?: string } & CallOptions, options?: CallOptions): Result<SendResult>;
  /** Send up to 100 notifications: `POST /send/bulk`. */
  sendBulk(body: {
      /** 1 to 100 bodies of POST /send. Each has an idempotency key of its own, from the header and its place. */
      notifications: SendRequest[];
    }, query?: { dryRun?: boolean | "true" | "false"; locale?: string } & CallOptions, options?: CallOptions): Result<{
      /** One result for each notification, in the order requested. */
      results: (SendResult | SendRejection)[];
    }>;
  /** Change the body or the time of a scheduled notification: `PUT /sender/scheduler/{trackingId}`. */
  reschedule(trackingId: string, body: SendRequest, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
      /** The ID of the notification, for its delivery log. */
      trackingId: string;
      /** Time when it will be sent. */
      scheduledFor: string;
    }>;
  /** Cancel a scheduled notification, or the rest of one to a topic: `DELETE /sender/scheduler/{trackingId}`. */
  cancelScheduled(trackingId: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
  /** Send a test email of a notification type: `POST /sender/test/email`. */
  sendTestEmail(body: {
      /** The ID of a notification type. */
      notificationId: string;
      /** The recipient: an address or number, or a user. */
      to: string;
      /** The subject of the email. */
      subject: string;
      /** The HTML, as Liquid. */
      html: string;
      /** The sender's address, on a verified domain of the account. */
      fromAddress: string;
      /** The sender's display name. */
      fromName: string;
      /** The text after the subject in inboxes. */
      previewText?: string;
      /** Values for the content; the samples of the type's default email template without it. */
      parameters?: Record<string, unknown>;
    }, query?: { dryRun?: boolean | "true" | "false"; locale?: string } & CallOptions, options?: CallOptions): Result<SendResult>;
  /** Send one text message: `POST /sms`. */
  sendSms(body: {
      /** The ID of the notification type; an unknown one is created. */
      type: string;
      /** The recipient: an address or number, or a user. */
      to: string | Recipient;
      /** The text of the message. */
      message?: string;
      /** https URLs of media that carriers fetch, at most 10. */
      mediaUrls?: string[];
      /** The sending number, one of the account's. */
      from?: string;
      /** The automatic reply to the first reply; sensitive notifications send none. */
      autoReply?: {
        /** The text of the automatic reply. */
        message: string;
      };
      /** Time to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead. */
      schedule?: string;
      /** Your own references, as in POST /send. */
      metadata?: Record<string, string>;
    }, query?: { dryRun?: boolean | "true" | "false"; locale?: string } & CallOptions, options?: CallOptions): Result<SendResult>;
  /** Check whether the service is available: `GET /status`. */
  getStatus(options?: CallOptions): Result<{
      /** Confirms that the service is running. */
      message: string;
    }>;
  account: {
    /** Get the settings of the account: `GET /account`. */
    get(options?: CallOptions): Result<Account>;
    /** Change the settings of the account: `POST /account`. */
    update(body: {
      /** The name, shown on pages for recipients. */
      name?: string;
      /** The URL of the logo, shown on pages for recipients. */
      logo?: string | null;
      /** Number of days that delivery logs are kept. A longer one applies to notifications accepted from now on, a shorter one to all: what is past it is no longer shown, and is removed within a day. */
      retentionInDays?: number | null;
      /** Number of days that the content in delivery logs is kept (requests, previews, inbound messages): 0 up to the retention, which is the default. It is removed once each channel has its outcome. */
      contentDays?: number | null;
      /** The timezone of users without one (IANA, such as Europe/Berlin). */
      timezone?: string | null;
      /** The language of users who have none: a language tag (BCP 47), such as de or pt-BR. */
      locale?: string | null;
      /** The sender of emails that specify none. */
      defaultSender?: {
        /** The email address, on a verified domain. */
        address: string;
        /** The display name. */
        name?: string;
      } | null;
      /** The component with {{ content }} that embeds emails of templates without a layout. An environment without it uses no layout. */
      defaultLayout?: string | null;
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
      }[] | null;
      /** Replies to STOP, START and HELP, by language tag. The name of the account is put before a text that does not contain it. */
      smsAnswers?: Record<string, {
        /** The confirmation of an opt-out; at most 320 characters. */
        stop?: string;
        /** The confirmation of an opt-in; at most 320 characters. */
        start?: string;
        /** The reply to HELP; at most 320 characters. */
        help?: string;
      }> | null;
      /** The sender of text messages without sms.from: the first entry for the country of the recipient. If there is none, the first entry without countries, and without that the default of the provider. At most 50 entries. */
      phoneNumbers?: {
        /** A number of the account in E.164, a short code or a sender ID. */
        number: string;
        /** The countries (ISO 3166-1 alpha-2) that it sends to; all, if absent. */
        countries?: string[];
      }[] | null;
      /** The postal address of the sender. An email of a type with purpose marketing is sent only with it and {{ unsubscribe_url }}. */
      postalAddress?: string | null;
      /** True if opens and clicks of email are tracked only for users with a recorded consent to the type, or to marketing if it is that. */
      trackingNeedsConsent?: boolean | null;
      /** Schemes of your apps (such as myapp) that links of in-app and web push notifications may have, in addition to http, https and relative addresses. */
      linkSchemes?: string[] | null;
    }, options?: CallOptions): Result<Account>;
    /** Get the billing record of the organization: `GET /account/organization`. */
    getOrganization(options?: CallOptions): Result<Organization>;
    /** Get the account data that a browser needs: `GET /users/account-metadata`. */
    getMetadata(options?: CallOptions): Result<{
      /** The account data that a browser needs. */
      userAccountMetadata: {
        /** The URL of the logo. */
        logo: string;
        /** The public key that browsers subscribe with. */
        environmentVapidPublicKey: string;
        /** True if any notification type uses WEB_PUSH. */
        hasWebPushEnabled: boolean;
      };
    }>;
  };
  addresses: {
    /** List the email addresses of the account, oldest first: `GET /addresses`. */
    list(options?: CallOptions): Result<{
      /** The inboxes of the account. */
      addresses: Address[];
    }>;
    /** Create an email address: `POST /addresses`. */
    create(body: {
      /** The part before the @. */
      prefix: string;
      /** A verified domain of the account; without it, the service's mail domain. */
      domain?: string;
      /** The name that recipients see. */
      displayName?: string;
    }, options?: CallOptions): Result<{
      /** The inbox. */
      address: Address;
    }>;
    /** Set the display name of an email address: `PATCH /addresses`. */
    update(body: {
      /** The full email address. */
      fullAddress: string;
      /** The name that recipients see. */
      displayName: string | null;
    }, options?: CallOptions): Result<{
      /** The inbox. */
      address: Address;
    }>;
  };
  backend: {
    /** Disconnect the account from the backend platform: `DELETE /account/backend`. */
    disconnect(options?: CallOptions): Result<{
      /** Always true. */
      success: boolean;
      /** A message that states the result. */
      message?: string;
    }>;
    /** Send the email of a project of the backend platform through this deployment: `POST /account/backend/configure`. */
    configure(body: {
      /** The reference of the project. */
      projectRef: string;
      /** The name of the project. */
      projectName: string;
      /** The sender's display name. */
      senderName: string;
      /** The sender's address. */
      senderEmail: string;
    }, options?: CallOptions): Result<{
      /** Always true. */
      success: boolean;
      /** A message that states the result. */
      message?: string;
    }>;
    /** Connect the account to the backend platform: `POST /account/backend/oauth`. */
    connect(body: {
      /** The authorization code. */
      code: string;
      /** The redirect URI of the authorization. */
      redirect_uri: string;
      /** The PKCE verifier of the authorization. */
      code_verifier: string;
    }, options?: CallOptions): Result<{
      /** Always true. */
      success: boolean;
      /** A message that states the result. */
      message?: string;
    }>;
    /** List the projects of the connected backend platform: `GET /account/backend/projects`. */
    listProjects(options?: CallOptions): Result<{
      /** The projects of the connected account. */
      projects: {
        /** The reference of the project. */
        projectRef: string;
        /** The name of the project. */
        projectName: string;
        /** The region of the project. */
        region?: string;
        /** The state of the project, as the platform reports it. */
        status?: string;
      }[];
    }>;
    /** Get the state of the connection to the backend platform: `GET /account/backend/status`. */
    getStatus(options?: CallOptions): Result<{
      /** True if the account is connected. */
      connected: boolean;
      /** Time the account was connected. */
      connectedAt?: string;
      /** The project that is configured. */
      project?: {
        /** The reference of the project. */
        projectRef: string;
        /** The name of the project. */
        projectName: string;
        /** The sender's display name. */
        senderName: string;
        /** The sender's address. */
        senderEmail: string;
        /** Time the project was configured. */
        configuredAt: string;
      };
    }>;
  };
  components: {
    /** List the email components of the environment: `GET /components`. */
    list(query?: { limit?: number; cursor?: string } & CallOptions, options?: CallOptions): List<{
      /** The components. */
      components: Component[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, Component>;
    /** Create an email component: `POST /components`. */
    create(body: {
      /** The ID of the component. */
      componentId?: string;
      /** The name of the component. */
      name: string;
      /** The HTML, as Liquid; templates embed it with {% component %}. */
      html?: string;
      /** The editor's representation. */
      internal?: string;
      /** The editor's representation of the page. */
      internalPage?: string;
    }, options?: CallOptions): Result<Component>;
    /** Get an email component: `GET /components/{componentId}`. */
    get(componentId: string, options?: CallOptions): Result<Component>;
    /** Change an email component: `PATCH /components/{componentId}`. */
    update(componentId: string, body: {
      /** The name of the component. */
      name?: string;
      /** The HTML, as Liquid; templates embed it with {% component %}. */
      html?: string;
      /** The editor's representation. */
      internal?: string;
      /** The editor's representation of the page. */
      internalPage?: string;
    }, options?: CallOptions): Result<Component>;
    /** Delete an email component: `DELETE /components/{componentId}`. */
    delete(componentId: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
  };
  domains: {
    /** List the sender domains of the account, oldest first: `GET /domains`. */
    list(options?: CallOptions): Result<SenderDomain[]>;
    /** Add a sender domain and start its verification: `POST /domains`. */
    create(body: {
      /** The domain only, such as example.com. */
      sender: string;
    }, options?: CallOptions): Result<SenderDomain[]>;
    /** Delete a sender domain: `DELETE /domains/{sender}`. */
    delete(sender: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
  };
  environments: {
    /** List the environments of the account, oldest first: `GET /environments`. */
    list(options?: CallOptions): Result<{
      /** The environments of the account. */
      environments: Environment[];
    }>;
    /** Create an environment: `POST /environments`. */
    create(body: {
      /** The name of the environment. */
      title: string;
      /** Time at which it is removed with everything in it; without it, it stays. */
      expiresAt?: string;
    }, options?: CallOptions): Result<Environment>;
    /** Change an environment: `PATCH /environments/{clientId}`. */
    update(clientId: string, body: {
      /** The name of the environment. */
      title?: string;
      /** All channels that the environment does not send on. */
      disableSending?: Channel[];
      /** True if public keys also need the user's hash. */
      secureMode?: boolean;
      /** false: a send with an unknown notification type is 400 MISSING_NOTIFICATION_TYPE with the nearest name, instead of creating it. */
      createTypes?: boolean;
      /** At most 100 email addresses, domains and numbers that the environment sends to. Channels to others are IGNORE with IGNORE_BY_ENVIRONMENT. Empty: to everybody. */
      onlyTo?: string[];
      /** true: the client secret is replaced; hashes made with the former one are accepted for 24 hours. */
      resetSecret?: boolean;
      /** true: the key pair of web push is replaced; subscriptions made with the former one receive for another 90 days, and the client library renews them on the next visit. */
      resetVapidKey?: boolean;
    }, options?: CallOptions): Result<Environment>;
    /** Remove an environment and everything in it: `DELETE /environments/{clientId}`. */
    delete(clientId: string, options?: CallOptions): Result<{
      /** What happens. */
      message: string;
      /** The ID of the environment. */
      clientId: string;
    }>;
  };
  inapp: {
    /** List a user's in-app notifications, newest first: `GET /user/inapp`. */
    list(query?: { before?: string; count?: number; archived?: boolean | "true" | "false"; filter?: "unread" | "archived" | "snoozed"; subNotificationId?: string } & CallOptions, options?: CallOptions): Result<{
      /** The items, newest first. */
      notifications: InappItem[];
    }>;
    /** Mark in-app notifications: `PATCH /user/inapp`. */
    mark(body: {
      /** The items to mark: up to 100 tracking IDs. */
      trackingIds: string[];
      /** Time it was opened; true for now, null to clear. */
      opened?: string | true | null;
      /** Time it was clicked; true for now, null to clear. */
      clicked?: string | true | null;
      /** Time it was archived; true for now, null to clear. */
      archived?: string | true | null;
      /** Time its first action was used; true for now, null to clear. */
      actioned1?: string | true | null;
      /** Time its second action was used; true for now, null to clear. */
      actioned2?: string | true | null;
      /** The user's reply. */
      reply?: string | {
        /** The text of the reply. */
        message: string;
        /** Time of the reply. */
        date?: string;
      } | null;
      /** Time until which the item is hidden from the list and the count, at most one year ahead. It then returns unread, at the top, with that time as its date. null returns it now, unchanged; archiving it ends the snooze. */
      snoozedUntil?: string | null;
    }, options?: CallOptions): Result<{
      /** The items as they are now. */
      notifications: InappItem[];
    }>;
    /** Count a user's unread in-app notifications: `GET /user/inapp/unread`. */
    countUnread(query?: { subNotificationId?: string } & CallOptions, options?: CallOptions): Result<{
      /** Number of unopened items. */
      count: number;
    }>;
    /** Mark all of a user's in-app notifications as opened: `PATCH /user/inapp/unread`. */
    openAll(query?: { subNotificationId?: string } & CallOptions, options?: CallOptions): Result<{
      /** Number of items marked as opened by this request. */
      count: number;
    }>;
    /** Report push notifications as opened or clicked: `PATCH /user/messages`. */
    markMessages(body: {
      /** The tracking IDs in the payloads; at most 100. */
      trackingIds: string[];
      /** The channel where the user got them. */
      channel: "PUSH" | "WEB_PUSH";
      /** True if the notification was shown to the user. */
      opened?: true;
      /** True if the user followed it. */
      clicked?: true;
    }, options?: CallOptions): Result<{
      /** Those of the user's notifications. */
      trackingIds: string[];
    }>;
  };
  keys: {
    /** List all API keys of the account: `GET /keys`. */
    list(options?: CallOptions): Result<{
      /** The keys of the account, including revoked keys. */
      keys: ApiKey[];
    }>;
    /** Create an API key: `POST /keys`. */
    create(body: {
      /** Kind of key: secret for servers, public for browsers and apps. */
      keyType: "secret" | "public";
      /** The environment to bind the key to. */
      environmentId?: string;
      /** The key's name, such as its purpose. */
      name: string;
      /** What the key may do: send, read, manage; all of them unless you say otherwise. */
      scopes?: ("send" | "read" | "manage")[];
    }, options?: CallOptions): Result<ApiKey>;
    /** Revoke an API key: `DELETE /keys/{keyId}`. */
    revoke(keyId: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
  };
  logs: {
    /** List recent notifications and inbound messages, newest first: `GET /logs`. */
    list(query?: { limit?: number; cursor?: string; eventType?: "outbound" | "inbound" | "sms_inbound"; type?: string; subNotificationId?: string; from?: string; to?: string; status?: "failed" } & CallOptions, options?: CallOptions): List<{
      /** One record for each notification and inbound message, newest first. */
      messages: InboundMessage[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, InboundMessage>;
    /** Look up delivery logs by the tracking IDs in the body: `POST /logs/bulk`. */
    getBulk(body: {
      /** At most 25 tracking IDs. */
      trackingIds: string[];
    }, options?: CallOptions): Result<{
      /** The records that were found, in the order requested. */
      logs: LogRecord[];
    }>;
    /** Get how many days delivery logs are kept: `GET /logs/retention`. */
    getRetention(options?: CallOptions): Result<{
      /** Number of days that delivery logs are kept. */
      retentionInDays: number;
    }>;
    /** Get the delivery logs of the last 100 notifications, newest first: `GET /logs/tail`. */
    tail(options?: CallOptions): Result<{
      /** Delivery log records. */
      logs: LogRecord[];
    }>;
    /** Look up delivery logs by tracking ID: `GET /logs/{trackingIds}`. */
    get(trackingIds: string | readonly string[], options?: CallOptions): Result<{
      /** The records that were found, in the order requested. */
      logs: LogRecord[];
    }>;
  };
  members: {
    /** List the members of the account, oldest first: `GET /members`. */
    list(options?: CallOptions): Result<{
      /** The members. */
      members: Member[];
    }>;
    /** Invite a person to the account: `POST /members`. */
    invite(body: {
      /** The address that the invitation is sent to. */
      email: string;
      /** admin or member; member by default. */
      role?: "admin" | "member";
    }, options?: CallOptions): Result<{
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
      /** The token that POST /profile/accept_invite accepts; with the sandbox identity provider only. */
      invitationToken?: string;
    }>;
    /** Change a member's role: `PATCH /members/{userId}`. */
    update(userId: string, body: {
      /** admin or member. */
      role: "admin" | "member";
      /** Accepted and not used: roles belong to the account. */
      envId?: unknown;
    }, query?: { envId?: string } & CallOptions, options?: CallOptions): Result<{
      /** Always true. */
      success: boolean;
    }>;
    /** Remove a member, or withdraw an invitation: `DELETE /members/{userId}`. */
    remove(userId: string, query?: { keys?: "revoke" } & CallOptions, options?: CallOptions): Result<{
      /** Always true. */
      success: boolean;
      /** The keys that the member issued and that worked until now. */
      keys: {
        /** The ID of the key, as in DELETE /keys/{keyId}. */
        id: string;
        /** The key's name. */
        name: string;
        /** secret or public. */
        keyType: "secret" | "public";
        /** True if this request revoked it. */
        revoked: boolean;
      }[];
    }>;
  };
  organization: {
    /** Get or create the billing record, and start a checkout if a price is given: `POST /billing`. */
    saveBilling(body: {
      /** The price to start a checkout for. */
      budgetPriceId?: string;
      /** The page to open after payment. */
      successUrl: string;
      /** The page to open if checkout is cancelled. */
      cancelUrl: string;
    }, options?: CallOptions): Result<Organization>;
    /** Get the usage of this month and of the billing period, with the caps: `GET /organization/usage`. */
    getUsage(options?: CallOptions): Result<{
      /** The month, YYYY-MM. */
      yearMonth: string;
      /** Messages by channel. */
      counts: ChannelCounts;
      /** The cost of SMS and CALL in USD. */
      costUsd: number;
      /** Usage since the last monthly reset. */
      billingPeriod: {
        /** The first day, YYYY-MM-DD. */
        startDate: string;
        /** The day of the next reset, YYYY-MM-DD. */
        endDate: string;
        /** Messages by channel. */
        counts: ChannelCounts;
        /** The cost of SMS and CALL in USD. */
        costUsd: number;
      };
      /** The limits per billing period. */
      caps: {
        /** The maximum number of messages per billing period, on all message channels. */
        messagesCap: number;
        /** The maximum number of SMS per billing period. */
        smsCap?: number;
        /** The maximum number of calls per billing period. */
        callCap?: number;
        /** The maximum amount in USD for SMS and CALL per billing period. */
        costCap: number;
        /** True if sending continues beyond the caps. */
        allowOverage: boolean;
      };
    }>;
    /** Get the usage of each month of a range: `GET /organization/usage/history`. */
    getUsageHistory(query: { startDate: string; endDate: string } & CallOptions, options?: CallOptions): Result<{
      /** One entry for each month of the range. */
      items: UsageItem[];
    }>;
  };
  preferences: {
    /** List the history of a user's consent, newest first: `GET /users/{userId}/consents`. */
    listConsents(userId: string, query?: { limit?: number; cursor?: string } & CallOptions, options?: CallOptions): List<{
      /** The changes, newest first. */
      consents: {
        /** The purpose: marketing, for every type of it. */
        purpose?: "marketing";
        /** The ID of the notification type. */
        notificationId?: string;
        /** The sub-notification of the type. */
        subNotificationId?: string;
        /** The channel. */
        channel: Channel;
        /** given, withdrawn, or reset to the default. */
        state: "given" | "withdrawn" | "reset";
        /** The delivery option that was chosen. */
        delivery?: DeliveryOption;
        /** How it was stated: link, email, page, complaint, api, or your name for it. */
        source: string;
        /** person, or the key or member that made the change. */
        actor: string;
        /** The time of the change. */
        createdAt: string;
      }[];
      /** Continues the list. */
      nextCursor?: string;
    }, {
  /** The purpose: marketing, for every type of it. */
  purpose?: "marketing";
  /** The ID of the notification type. */
  notificationId?: string;
  /** The sub-notification of the type. */
  subNotificationId?: string;
  /** The channel. */
  channel: Channel;
  /** given, withdrawn, or reset to the default. */
  state: "given" | "withdrawn" | "reset";
  /** The delivery option that was chosen. */
  delivery?: DeliveryOption;
  /** How it was stated: link, email, page, complaint, api, or your name for it. */
  source: string;
  /** person, or the key or member that made the change. */
  actor: string;
  /** The time of the change. */
  createdAt: string;
}>;
    /** State a user's consent, or that they withdrew it: `POST /users/{userId}/consents`. */
    saveConsent(userId: string, body: {
      /** The purpose: marketing, for every type of it. */
      purpose?: "marketing";
      /** The ID of the notification type. */
      notificationId?: string;
      /** The sub-notification of the type. */
      subNotificationId?: string;
      /** The channel. */
      channel: Channel;
      /** given or withdrawn. */
      state: "given" | "withdrawn";
      /** How it was stated: link, email, page, complaint, api, or your name for it. */
      source: string;
    }, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
    /** Get a user's preferences and options: `GET /users/{userId}/preferences`. */
    get(userId: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<{
      /** The user's preferences. */
      preferences: {
        /** The ID of the notification type. */
        notificationId: string;
        /** Separates preferences and digests within a type. */
        subNotificationId?: string;
        /** The channel. */
        channel: Channel;
        /** The delivery option. */
        delivery: DeliveryOption;
      }[];
      /** The types that the user can choose for. */
      notifications: {
        /** The ID of the notification type. */
        notificationId: string;
        /** The name that users see. */
        title: string;
        /** The heading under which the type is shown. */
        category?: string;
        /** True if users cannot turn it off on any channel. */
        required?: boolean;
        /** The channels of the type. */
        channels: Channel[];
        /** Which delivery options each channel offers. */
        options: TypeOptions;
      }[];
    }>;
    /** Set some of a user's preferences: `POST /users/{userId}/preferences`. */
    save(userId: string, body: {
      /** The ID of the notification type. */
      notificationId: string;
      /** With it, the choice is for that sub-notification, otherwise for the whole type. */
      subNotificationId?: string;
      /** The channel. */
      channel: Channel;
      /** off, instant, hourly, daily, weekly or monthly. */
      delivery: DeliveryOption;
    }[], options?: CallOptions): Result<{
      /** The user's preferences. */
      preferences: {
        /** The ID of the notification type. */
        notificationId: string;
        /** Separates preferences and digests within a type. */
        subNotificationId?: string;
        /** The channel. */
        channel: Channel;
        /** The delivery option. */
        delivery: DeliveryOption;
      }[];
      /** The types that the user can choose for. */
      notifications: {
        /** The ID of the notification type. */
        notificationId: string;
        /** The name that users see. */
        title: string;
        /** The heading under which the type is shown. */
        category?: string;
        /** True if users cannot turn it off on any channel. */
        required?: boolean;
        /** The channels of the type. */
        channels: Channel[];
        /** Which delivery options each channel offers. */
        options: TypeOptions;
      }[];
    }>;
    /** Reset a user's preferences: `DELETE /users/{userId}/preferences`. */
    reset(userId: string, query?: { notificationId?: string; subNotificationId?: string } & CallOptions, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
  };
  profile: {
    /** Accept an invitation: `POST /profile/accept_invite`. */
    acceptInvite(body: {
      /** The token of the invitation. */
      token: string;
    }, options?: CallOptions): Result<{
      /** Always true. */
      success: boolean;
    }>;
    /** Change the email address of the calling member: `POST /profile/change-email`. */
    changeEmail(body: {
      /** The new address, used once it is confirmed. */
      newEmail: string;
    }, options?: CallOptions): Result<{
      /** Always true. */
      success: boolean;
      /** The link that confirms the change; in the local run only. */
      confirmationUrl?: string;
    }>;
  };
  providers: {
    /** Set the account's own order of providers for a channel: `PUT /settings/providers/{channel}`. */
    saveProviderOrder(channel: "EMAIL" | "SMS" | "CALL", body: {
      /** The names of the providers in order of preference. */
      order: string[];
      /** The credentials of the account's own providers, by their name in the order: what smtp, twilio or telnyx need. They are stored encrypted, never returned, and deleted with their entry. An entry that has them may omit them. */
      credentials?: Record<string, {
        /** An SMTP server's address with user and password, smtps://…. */
        url?: string;
        /** The provider's account. */
        accountSid?: string;
        /** The account's token, which also signs callbacks. */
        authToken?: string;
        /** Chooses the number of text messages that specify none. */
        messagingServiceSid?: string;
        /** The provider's key. */
        apiKey?: string;
        /** The key that verifies the provider's callbacks. */
        publicKey?: string;
        /** The TeXML application of calls. */
        applicationId?: string;
        /** Chooses the number of text messages that specify none. */
        messagingProfileId?: string;
        /** The number that texts or calls come from. */
        from?: string;
      }>;
    }, options?: CallOptions): Result<{
      /** EMAIL, SMS or CALL. */
      channel: "EMAIL" | "SMS" | "CALL";
      /** True if the order is the account's own. */
      ownOrder: boolean;
      /** Providers in order of preference. */
      order: {
        /** The name of the provider. */
        provider: string;
        /** True if the provider is the account's own. */
        own: boolean;
      }[];
    }>;
    /** Restore the deployment's order of providers for a channel: `DELETE /settings/providers/{channel}`. */
    deleteProviderOrder(channel: "EMAIL" | "SMS" | "CALL", options?: CallOptions): Result<undefined>;
    /** Get the order and state of the account's providers: `GET /status/providers`. */
    getProviderStatus(options?: CallOptions): Result<{
      /** One entry for each channel that has an order. */
      channels: {
        /** EMAIL, SMS or CALL. */
        channel: "EMAIL" | "SMS" | "CALL";
        /** True if the order is the account's own. */
        ownOrder: boolean;
        /** Providers in order of preference. */
        order: {
          /** The name of the provider. */
          provider: string;
          /** True if the provider is the account's own. */
          own: boolean;
          /** closed: it gets messages. open: it is skipped after several certain failures in a row. probing: the next message tries it. */
          state: "closed" | "open" | "probing";
          /** Time when the next message may try the provider. */
          openUntil?: string;
          /** The last message within 15 days that the provider certainly did not accept. */
          lastFailure?: {
            /** Time of the event. */
            at: string;
            /** unreachable, busy, unavailable, account or sender. */
            reason: string;
          };
        }[];
      }[];
    }>;
  };
  pushSettings: {
    /** Get the APNs configuration of the account: `GET /settings/push/apn`. */
    getApnConfig(options?: CallOptions): Result<{
      /** The ID of the APNs key. */
      KeyId: string;
      /** The text of the .p8 file. */
      Key: string;
      /** The ID of the Apple developer team. */
      TeamId: string;
      /** The bundle ID of the app. */
      Topic: string;
    }>;
    /** Create or update the APNs configuration of the account: `PUT /settings/push/apn`. */
    saveApnConfig(body: {
      /** The ID of the APNs key. */
      KeyId: string;
      /** The text of the .p8 file. */
      Key: string;
      /** The ID of the Apple developer team. */
      TeamId: string;
      /** The bundle ID of the app. */
      Topic: string;
    }, options?: CallOptions): Result<{
      /** The ID of the APNs key. */
      KeyId: string;
      /** The text of the .p8 file. */
      Key: string;
      /** The ID of the Apple developer team. */
      TeamId: string;
      /** The bundle ID of the app. */
      Topic: string;
    }>;
    /** Delete the APNs configuration of the account: `DELETE /settings/push/apn`. */
    deleteApnConfig(options?: CallOptions): Result<undefined>;
    /** Get the FCM configuration of the account: `GET /settings/push/fcm`. */
    getFcmConfig(options?: CallOptions): Result<{
      /** The text of the service-account JSON. */
      fcmConfig: string;
    }>;
    /** Create or update the FCM configuration of the account: `PUT /settings/push/fcm`. */
    saveFcmConfig(body: {
      /** The text of the service-account JSON. */
      fcmConfig: string;
    }, options?: CallOptions): Result<{
      /** The text of the service-account JSON. */
      fcmConfig: string;
    }>;
    /** Delete the FCM configuration of the account: `DELETE /settings/push/fcm`. */
    deleteFcmConfig(options?: CallOptions): Result<undefined>;
  };
  templates: {
    /** List the templates of a notification type's channel: `GET /notifications/{notificationId}/{channel}/templates`. */
    list(notificationId: string, channel: Channel, options?: CallOptions): Result<{
      /** The templates of the channel, without their content. */
      templates: Template[];
    }>;
    /** Create a template: `POST /notifications/{notificationId}/{channel}/templates`. */
    create<C extends Channel>(notificationId: string, channel: C, body: ForChannel<C, {
      /** The ID of the template; generated if absent. */
      templateId?: string;
      /** The language of the variant (BCP 47), such as de, for users with that locale; the default variant has none. */
      locale?: string;
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
    }>, options?: CallOptions): Result<Template>;
    /** Make a template the default of delivery modes: `PATCH /notifications/{notificationId}/{channel}/templates/default-selection`. */
    selectDefault(notificationId: string, channel: Channel, body: {
      /** The template that becomes the default. */
      templateId: string;
      /** The delivery modes that it becomes the default of. */
      modes: ("instant" | "hourly" | "daily" | "weekly" | "monthly" | "batch")[];
    }, options?: CallOptions): Result<Template>;
    /** Render a template that is not saved: `POST /notifications/{notificationId}/{channel}/templates/preview`. */
    preview(notificationId: string, channel: Channel, body: {
      /** The content of the template, by the fields of its channel. */
      template: {
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
      /** Values for the templates; any JSON. By default the samples of the template. */
      parameters?: Record<string, unknown>;
      /** The user's attributes. */
      attributes?: Record<string, unknown>;
      /** The parameters of each item of a digest. By default _items of the samples, without parameters and unless mode is instant. */
      items?: Record<string, unknown>[];
      /** The delivery mode to render for. By default instant, or daily if there are items. */
      mode?: "instant" | "hourly" | "daily" | "weekly" | "monthly" | "batch";
      /** The language to render in, by default the account's. */
      locale?: string;
    }, options?: CallOptions): Result<{
      /** The content as it would be sent. */
      content: Record<string, unknown>;
      /** Variables in the content that have no value; _items[].name for a field that items lack. */
      missing: string[];
      /** Translations that the language lacks. */
      missingTranslations?: {
        /** The key of the translation. */
        key: string;
        /** The language that was used instead; absent: the key is shown. */
        found?: string;
      }[];
      /** Content that was omitted, such as links that the account does not allow. */
      notes?: string[];
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
    }>;
    /** Get a template with its content: `GET /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    get(notificationId: string, channel: Channel, templateId: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<{
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
      /** Values of its variables for previews and tests, at most 32 KB. Derived from its texts when it is first saved, and again with null. _items has the items of a digest. */
      samples?: Record<string, unknown>;
      /** EMAIL: the HTML, as Liquid. It may embed up to 20 components. */
      html?: string;
      /** EMAIL, SMS, CALL and CHAT: the text, as Liquid. */
      text?: string;
      /** EMAIL: the component with {{ content }} that the HTML is shown in; null for none, even if the account has a default; empty for the default of the account. */
      layout?: string | "" | null;
      /** EMAIL: the text after the subject in inboxes. */
      previewText?: string;
      /** EMAIL: the editor's representation, which is not rendered. */
      internal?: string;
      /** EMAIL: the subject, as Liquid. */
      subject?: string;
      /** EMAIL: the sender's display name. */
      senderName?: string;
      /** EMAIL: the sender's address, on a verified domain of the account. */
      senderEmail?: string;
      /** INAPP_WEB, PUSH and WEB_PUSH: the title, as Liquid. */
      title?: string;
      /** INAPP_WEB: more text below the title, as Liquid; plain text. */
      body?: string;
      /** INAPP_WEB: up to two buttons. */
      actions?: {
        /** The text of the button, as Liquid. */
        label: string;
        /** The URL that it opens. */
        url?: string;
      }[];
      /** The URL that a click opens. */
      redirectURL?: string;
      /** The URL of the image. */
      imageURL?: string;
      /** INAPP_WEB: the content of a single item. */
      instant?: {
        /** The title, as Liquid. */
        title?: string;
        /** The URL that a click opens. */
        redirectURL?: string;
        /** The URL of the image. */
        imageURL: string;
      };
      /** INAPP_WEB: the content that represents several items. */
      batch?: {
        /** The title, as Liquid. */
        title: string;
        /** The URL that a click opens. */
        redirectURL: string;
        /** The URL of the image. */
        imageURL: string;
      };
      /** PUSH and WEB_PUSH: the text, as Liquid. */
      message?: string;
      /** The URL that a click opens. */
      url?: string;
      /** The URL of a large image. */
      image?: string;
      /** WEB_PUSH and CHAT: the URL of an image; in chat also an emoji. */
      icon?: string;
      /** CHAT: blocks of the message, as the chat provider defines them, at most 50. */
      blocks?: Record<string, unknown>[];
      /** CHAT: the name under which the message is sent. */
      username?: string;
    }>;
    /** Change a template's properties: `PATCH /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    update(notificationId: string, channel: Channel, templateId: string, body: TemplateChange, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<Template>;
    /** Delete a template: `DELETE /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    delete(notificationId: string, channel: Channel, templateId: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
    /** Get a template's draft: `GET /notifications/{notificationId}/{channel}/templates/{templateId}/draft`. */
    getDraft(notificationId: string, channel: Channel, templateId: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<{
      /** The number of the version, which grows; of a draft, the version that it began with. */
      version: number;
      /** The time when it was saved. */
      createdAt?: string;
      /** The ID of the member or key that saved it. */
      by?: string;
      /** Values of its variables for previews and tests, at most 32 KB. Derived from its texts when it is first saved, and again with null. _items has the items of a digest. */
      samples?: Record<string, unknown>;
      /** EMAIL: the HTML, as Liquid. It may embed up to 20 components. */
      html?: string;
      /** EMAIL, SMS, CALL and CHAT: the text, as Liquid. */
      text?: string;
      /** EMAIL: the component with {{ content }} that the HTML is shown in; null for none, even if the account has a default; empty for the default of the account. */
      layout?: string | "" | null;
      /** EMAIL: the text after the subject in inboxes. */
      previewText?: string;
      /** EMAIL: the editor's representation, which is not rendered. */
      internal?: string;
      /** EMAIL: the subject, as Liquid. */
      subject?: string;
      /** EMAIL: the sender's display name. */
      senderName?: string;
      /** EMAIL: the sender's address, on a verified domain of the account. */
      senderEmail?: string;
      /** INAPP_WEB, PUSH and WEB_PUSH: the title, as Liquid. */
      title?: string;
      /** INAPP_WEB: more text below the title, as Liquid; plain text. */
      body?: string;
      /** INAPP_WEB: up to two buttons. */
      actions?: {
        /** The text of the button, as Liquid. */
        label: string;
        /** The URL that it opens. */
        url?: string;
      }[];
      /** The URL that a click opens. */
      redirectURL?: string;
      /** The URL of the image. */
      imageURL?: string;
      /** INAPP_WEB: the content of a single item. */
      instant?: {
        /** The title, as Liquid. */
        title?: string;
        /** The URL that a click opens. */
        redirectURL?: string;
        /** The URL of the image. */
        imageURL: string;
      };
      /** INAPP_WEB: the content that represents several items. */
      batch?: {
        /** The title, as Liquid. */
        title: string;
        /** The URL that a click opens. */
        redirectURL: string;
        /** The URL of the image. */
        imageURL: string;
      };
      /** PUSH and WEB_PUSH: the text, as Liquid. */
      message?: string;
      /** The URL that a click opens. */
      url?: string;
      /** The URL of a large image. */
      image?: string;
      /** WEB_PUSH and CHAT: the URL of an image; in chat also an emoji. */
      icon?: string;
      /** CHAT: blocks of the message, as the chat provider defines them, at most 50. */
      blocks?: Record<string, unknown>[];
      /** CHAT: the name under which the message is sent. */
      username?: string;
    }>;
    /** Save a template's draft: `PUT /notifications/{notificationId}/{channel}/templates/{templateId}/draft`. */
    saveDraft(notificationId: string, channel: Channel, templateId: string, body: TemplateChange, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<{
      /** The number of the version, which grows; of a draft, the version that it began with. */
      version: number;
      /** The time when it was saved. */
      createdAt?: string;
      /** The ID of the member or key that saved it. */
      by?: string;
    }>;
    /** Discard a template's draft: `DELETE /notifications/{notificationId}/{channel}/templates/{templateId}/draft`. */
    deleteDraft(notificationId: string, channel: Channel, templateId: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
    /** Make a template's draft the version that sends: `POST /notifications/{notificationId}/{channel}/templates/{templateId}/draft/publish`. */
    publishDraft(notificationId: string, channel: Channel, templateId: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<Template>;
    /** List a template's last ten versions: `GET /notifications/{notificationId}/{channel}/templates/{templateId}/versions`. */
    listVersions(notificationId: string, channel: Channel, templateId: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<{
      /** The version that sends, then earlier ones, newest first. */
      versions: {
        /** The number of the version, which grows; of a draft, the version that it began with. */
        version: number;
        /** The time when it was saved. */
        createdAt?: string;
        /** The ID of the member or key that saved it. */
        by?: string;
      }[];
    }>;
    /** Get a version of a template with its content: `GET /notifications/{notificationId}/{channel}/templates/{templateId}/versions/{version}`. */
    getVersion(notificationId: string, channel: Channel, templateId: string, version: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<{
      /** The number of the version, which grows; of a draft, the version that it began with. */
      version: number;
      /** The time when it was saved. */
      createdAt?: string;
      /** The ID of the member or key that saved it. */
      by?: string;
      /** Values of its variables for previews and tests, at most 32 KB. Derived from its texts when it is first saved, and again with null. _items has the items of a digest. */
      samples?: Record<string, unknown>;
      /** EMAIL: the HTML, as Liquid. It may embed up to 20 components. */
      html?: string;
      /** EMAIL, SMS, CALL and CHAT: the text, as Liquid. */
      text?: string;
      /** EMAIL: the component with {{ content }} that the HTML is shown in; null for none, even if the account has a default; empty for the default of the account. */
      layout?: string | "" | null;
      /** EMAIL: the text after the subject in inboxes. */
      previewText?: string;
      /** EMAIL: the editor's representation, which is not rendered. */
      internal?: string;
      /** EMAIL: the subject, as Liquid. */
      subject?: string;
      /** EMAIL: the sender's display name. */
      senderName?: string;
      /** EMAIL: the sender's address, on a verified domain of the account. */
      senderEmail?: string;
      /** INAPP_WEB, PUSH and WEB_PUSH: the title, as Liquid. */
      title?: string;
      /** INAPP_WEB: more text below the title, as Liquid; plain text. */
      body?: string;
      /** INAPP_WEB: up to two buttons. */
      actions?: {
        /** The text of the button, as Liquid. */
        label: string;
        /** The URL that it opens. */
        url?: string;
      }[];
      /** The URL that a click opens. */
      redirectURL?: string;
      /** The URL of the image. */
      imageURL?: string;
      /** INAPP_WEB: the content of a single item. */
      instant?: {
        /** The title, as Liquid. */
        title?: string;
        /** The URL that a click opens. */
        redirectURL?: string;
        /** The URL of the image. */
        imageURL: string;
      };
      /** INAPP_WEB: the content that represents several items. */
      batch?: {
        /** The title, as Liquid. */
        title: string;
        /** The URL that a click opens. */
        redirectURL: string;
        /** The URL of the image. */
        imageURL: string;
      };
      /** PUSH and WEB_PUSH: the text, as Liquid. */
      message?: string;
      /** The URL that a click opens. */
      url?: string;
      /** The URL of a large image. */
      image?: string;
      /** WEB_PUSH and CHAT: the URL of an image; in chat also an emoji. */
      icon?: string;
      /** CHAT: blocks of the message, as the chat provider defines them, at most 50. */
      blocks?: Record<string, unknown>[];
      /** CHAT: the name under which the message is sent. */
      username?: string;
    }>;
    /** Send the content of an earlier version again: `POST /notifications/{notificationId}/{channel}/templates/{templateId}/versions/{version}/restore`. */
    restoreVersion(notificationId: string, channel: Channel, templateId: string, version: string, query?: { locale?: string } & CallOptions, options?: CallOptions): Result<Template>;
  };
  topics: {
    /** List the topics of the environment by ID: `GET /topics`. */
    list(query?: { limit?: number; cursor?: string } & CallOptions, options?: CallOptions): List<{
      /** The topics. */
      topics: {
        /** The ID of the topic. */
        topicId: string;
        /** Number of users in the topic. */
        members: number;
        /** Creation time. */
        createdAt: string;
        /** Time of the last change. */
        updatedAt: string;
      }[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, {
  /** The ID of the topic. */
  topicId: string;
  /** Number of users in the topic. */
  members: number;
  /** Creation time. */
  createdAt: string;
  /** Time of the last change. */
  updatedAt: string;
}>;
    /** List the members of a topic by ID: `GET /topics/{topicId}/users`. */
    listUsers(topicId: string, query?: { limit?: number; cursor?: string } & CallOptions, options?: CallOptions): List<{
      /** The members. */
      users: {
        /** The ID of the user. */
        userId: string;
        /** Time the user was added. */
        addedAt: string;
      }[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, {
  /** The ID of the user. */
  userId: string;
  /** Time the user was added. */
  addedAt: string;
}>;
    /** Add up to 100 users to a topic: `PUT /topics/{topicId}/users`. */
    addUsers(topicId: string, body: {
      /** IDs of 1 to 100 users. */
      userIds: string[];
    }, options?: CallOptions): Result<{
      /** The ID of the topic. */
      topicId: string;
      /** The number of added users. */
      added: number;
      /** Number of users now in the topic. */
      members: number;
    }>;
    /** Remove up to 100 users from a topic: `DELETE /topics/{topicId}/users`. */
    removeUsers(topicId: string, body: {
      /** IDs of 1 to 100 users. */
      userIds: string[];
    }, options?: CallOptions): Result<{
      /** The ID of the topic. */
      topicId: string;
      /** The number of removed users. */
      removed: number;
      /** Number of users now in the topic. */
      members: number;
    }>;
    /** List the topics that a user is a member of, by ID: `GET /users/{userId}/topics`. */
    listUser(userId: string, query?: { limit?: number; cursor?: string } & CallOptions, options?: CallOptions): List<{
      /** The topics that the user is a member of. */
      topics: {
        /** The ID of the topic. */
        topicId: string;
        /** Time the user was added. */
        addedAt: string;
      }[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, {
  /** The ID of the topic. */
  topicId: string;
  /** Time the user was added. */
  addedAt: string;
}>;
  };
  translations: {
    /** List the languages that have translations: `GET /translations`. */
    list(options?: CallOptions): Result<{
      /** Languages that have translations. */
      translations: {
        /** A language tag (BCP 47), such as de or pt-BR. */
        locale: string;
        /** Number of texts in the language. */
        keyCount: number;
        /** Creation time. */
        createdAt?: string;
        /** Time of the last change. */
        updatedAt: string;
        /** The ID of the member or key that made it. */
        updatedBy?: string;
      }[];
    }>;
    /** Get the translations of a language: `GET /translations/{locale}`. */
    get(locale: string, options?: CallOptions): Result<Record<string, string>>;
    /** Save the translations of a language: `PUT /translations/{locale}`. */
    save(locale: string, body: Record<string, string>, options?: CallOptions): Result<{
      /** A language tag (BCP 47), such as de or pt-BR. */
      locale: string;
      /** Number of texts in the language. */
      keyCount: number;
      /** Creation time. */
      createdAt?: string;
      /** Time of the last change. */
      updatedAt: string;
      /** The ID of the member or key that made it. */
      updatedBy?: string;
    }>;
    /** Change single texts of a language: `PATCH /translations/{locale}`. */
    update(locale: string, body: Record<string, string | null>, options?: CallOptions): Result<{
      /** A language tag (BCP 47), such as de or pt-BR. */
      locale: string;
      /** Number of texts in the language. */
      keyCount: number;
      /** Creation time. */
      createdAt?: string;
      /** Time of the last change. */
      updatedAt: string;
      /** The ID of the member or key that made it. */
      updatedBy?: string;
    }>;
    /** Delete the translations of a language: `DELETE /translations/{locale}`. */
    delete(locale: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
  };
  types: {
    /** List all notification types of the account with their templates: `GET /types`. */
    list(options?: CallOptions): Result<NotificationType[]>;
    /** Create a notification type: `POST /types`. */
    create(body: {
      /** The ID of the notification type. */
      notificationId: string;
      /** The name that users see. */
      title: string;
      /** The channels that it is sent on. */
      channels: Channel[];
      /** True if notifications of the type are sent. */
      enabled?: boolean;
      /** The heading under which preferences show the type. */
      category?: string | null;
      /** The title and category in other languages, by language tag. */
      translations?: Record<string, {
        /** The title in the language. */
        title?: string;
        /** The category in the language. */
        category?: string;
      } | null> | null;
      /** True if users cannot turn it off on any channel. It overrides off in options. */
      required?: boolean | null;
      /** Rejects duplicates within the window. */
      deduplication?: {
        /** The length of the window in seconds; 0 means indefinitely. */
        duration: number;
      } | null;
      /** Limits how many notifications a user gets. */
      throttling?: {
        /** The maximum number of notifications in the window. */
        max: number;
        /** The length of the window, in units. */
        period: number;
        /** The unit of the period. */
        unit: "seconds" | "minutes" | "hours" | "days" | "months" | "years";
        /** True if the limit applies indefinitely. */
        forever: boolean;
        /** Fields that the limit groups by: userId and notificationId. */
        scope: ("userId" | "notificationId")[];
      } | null;
      /** Number of days that logs of this type are kept. */
      retention?: number | null;
      /** Which delivery options each channel offers. */
      options?: TypeOptionsChange | null;
      /** The order of the channels. */
      steps?: StepInput[] | null;
      /** True if it ignores pauses and quiet hours without floor. */
      urgent?: boolean | null;
      /** True if urgent notifications of the type ignore quiet hours with floor too. */
      exemptFromFloor?: boolean | null;
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
      }[] | null;
      /** transactional (the default) or marketing, which people can always turn off. */
      purpose?: "transactional" | "marketing" | null;
      /** True if its content, such as a login code, is shown nowhere and removed after sending. */
      sensitive?: boolean | null;
      /** JSON Schema (2020-12) that the parameters of each request must match; at most 16 KB, with references into itself only. */
      parametersSchema?: Record<string, unknown> | null;
    }, options?: CallOptions): Result<NotificationType>;
    /** Get a notification type: `GET /types/{notificationId}`. */
    get(notificationId: string, options?: CallOptions): Result<NotificationType>;
    /** Change a notification type: `PATCH /types/{notificationId}`. */
    update(notificationId: string, body: {
      /** The ID of the notification type. */
      notificationId?: string;
      /** The name that users see. */
      title?: string;
      /** The channels that it is sent on. */
      channels?: Channel[];
      /** True if notifications of the type are sent. */
      enabled?: boolean;
      /** The heading under which preferences show the type. */
      category?: string | null;
      /** The title and category in other languages, by language tag. */
      translations?: Record<string, {
        /** The title in the language. */
        title?: string;
        /** The category in the language. */
        category?: string;
      } | null> | null;
      /** True if users cannot turn it off on any channel. It overrides off in options. */
      required?: boolean | null;
      /** Rejects duplicates within the window. */
      deduplication?: {
        /** The length of the window in seconds; 0 means indefinitely. */
        duration: number;
      } | null;
      /** Limits how many notifications a user gets. */
      throttling?: {
        /** The maximum number of notifications in the window. */
        max: number;
        /** The length of the window, in units. */
        period: number;
        /** The unit of the period. */
        unit: "seconds" | "minutes" | "hours" | "days" | "months" | "years";
        /** True if the limit applies indefinitely. */
        forever: boolean;
        /** Fields that the limit groups by: userId and notificationId. */
        scope: ("userId" | "notificationId")[];
      } | null;
      /** Number of days that logs of this type are kept. */
      retention?: number | null;
      /** Which delivery options each channel offers. */
      options?: TypeOptionsChange | null;
      /** The order of the channels. */
      steps?: StepInput[] | null;
      /** True if it ignores pauses and quiet hours without floor. */
      urgent?: boolean | null;
      /** True if urgent notifications of the type ignore quiet hours with floor too. */
      exemptFromFloor?: boolean | null;
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
      }[] | null;
      /** transactional (the default) or marketing, which people can always turn off. */
      purpose?: "transactional" | "marketing" | null;
      /** True if its content, such as a login code, is shown nowhere and removed after sending. */
      sensitive?: boolean | null;
      /** JSON Schema (2020-12) that the parameters of each request must match; at most 16 KB, with references into itself only. */
      parametersSchema?: Record<string, unknown> | null;
    }, options?: CallOptions): Result<NotificationType>;
    /** Delete a notification type with its templates: `DELETE /types/{notificationId}`. */
    delete(notificationId: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
  };
  users: {
    /** List the receipts of finished erasures, newest first: `GET /erasures`. */
    listErasures(query?: { limit?: number; cursor?: string } & CallOptions, options?: CallOptions): List<{
      /** The receipts, newest first. */
      erasures: {
        /** A hash of the environment and the user, which only this deployment can compute. */
        person: string;
        /** The environment. */
        environmentId: string;
        /** The key or member that requested it. */
        askedBy: string;
        /** The time of the request. */
        requestedAt: string;
        /** The time when the last log was erased. */
        finishedAt: string;
        /** How many logs were erased. */
        erasedLogs: number;
        /** What is kept and why. */
        kept: string[];
      }[];
      /** Continues the list. */
      nextCursor?: string;
    }, {
  /** A hash of the environment and the user, which only this deployment can compute. */
  person: string;
  /** The environment. */
  environmentId: string;
  /** The key or member that requested it. */
  askedBy: string;
  /** The time of the request. */
  requestedAt: string;
  /** The time when the last log was erased. */
  finishedAt: string;
  /** How many logs were erased. */
  erasedLogs: number;
  /** What is kept and why. */
  kept: string[];
}>;
    /** Erase a person by ID, email address or number, in every environment: `POST /erasures`. */
    createErasure(body: {
      /** The ID of a user. */
      userId?: string;
      /** An email address of the person. */
      email?: string;
      /** A phone number of the person. */
      number?: string;
    }, options?: CallOptions): Result<{
      /** The erasures that were started or continued. */
      erasures: {
        /** The environment. */
        environmentId: string;
        /** The user, or the address of somebody who is no user. */
        userId: string;
        /** running or done. */
        state: "running" | "done";
        /** How many logs are erased so far. */
        erasedLogs: number;
      }[];
      /** What the erasure does not reach. */
      notCovered: string[];
    }>;
    /** List or look up the account's suppressed addresses: `GET /suppressions`. */
    listSuppressions(query?: { limit?: number; cursor?: string; channel?: "EMAIL"; reason?: "Bounce" | "Complaint"; address?: string } & CallOptions, options?: CallOptions): List<{
      /** The suppressed addresses, newest first. */
      suppressions: {
        /** The channel. */
        channel: string;
        /** The address, in lower case. */
        address: string;
        /** Bounce or Complaint. */
        reason: "Bounce" | "Complaint";
        /** Time of the bounce, the complaint or the request; absent if unknown. */
        createdAt?: string;
        /** What the server stated: bounceType, bounceSubType, complaintFeedbackType, complaintSubType, and status (RFC 3463). */
        detail: Record<string, unknown>;
      }[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, {
  /** The channel. */
  channel: string;
  /** The address, in lower case. */
  address: string;
  /** Bounce or Complaint. */
  reason: "Bounce" | "Complaint";
  /** Time of the bounce, the complaint or the request; absent if unknown. */
  createdAt?: string;
  /** What the server stated: bounceType, bounceSubType, complaintFeedbackType, complaintSubType, and status (RFC 3463). */
  detail: Record<string, unknown>;
}>;
    /** Suppress an address: `PUT /suppressions/{channel}/{address}`. */
    suppressAddress(channel: string, address: string, body: {
      /** Bounce or Complaint; Complaint by default. */
      reason?: "Bounce" | "Complaint";
    }, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
    /** Lift the suppression of an address: `DELETE /suppressions/{channel}/{address}`. */
    liftAddress(channel: string, address: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
    /** Suppress a user's email: `PUT /user_suppression/{userId}/channel/{channel}`. */
    suppress(userId: string, channel: Channel, body: {
      /** Bounce or Complaint; Complaint by default. */
      reason?: "Bounce" | "Complaint";
      /** Any data to store with the user. For the address, only bounceType, bounceSubType, complaintSubType, complaintFeedbackType, status and timestamp are kept. */
      details?: Record<string, unknown>;
    }, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
    /** Lift the suppression of a user's email: `DELETE /user_suppression/{userId}/channel/{channel}`. */
    liftSuppression(userId: string, channel: Channel, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
    /** List or look up the users of the environment: `GET /users`. */
    list(query?: { limit?: number; cursor?: string; nextToken?: string; email?: string; number?: string; prefix?: string } & CallOptions, options?: CallOptions): List<{
      /** The users, newest first. Users with an address are sorted by ID. */
      users: User[];
      /** Send it as cursor or nextToken for the next page; absent at the end. */
      nextToken?: string;
    }, User>;
    /** Create or update up to 100 users: `POST /users`. */
    saveMany(body: {
      /** 1 to 100 bodies of POST /users/{userId}, each with id. */
      users: NewUser[];
    }, options?: CallOptions): Result<{
      /** One result for each user, in the order requested. */
      results: ({
        /** The user as stored. @deprecated */
        user: User;
      } | SendRejection)[];
    }>;
    /** Get a user: `GET /users/{userId}`. */
    get(userId: string, options?: CallOptions): Result<User>;
    /** Create or update a user: `POST /users/{userId}`. */
    save(userId: string, body: {
      /** The ID of the user. */
      id?: string;
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
    }, options?: CallOptions): Result<User>;
    /** Delete a user and erase them from the logs of the environment: `DELETE /users/{userId}`. */
    delete(userId: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
      /** The progress of the erasure. */
      erasure: {
        /** running until everything is erased, then done. Logs with a delivery in progress are erased again after two minutes, and what was accepted in the two minutes before the request is searched for two minutes after it. */
        state: "running" | "done";
        /** Number of logs erased so far. */
        erasedLogs: number;
      };
    }>;
    /** List the channels of a user's chat workspace: `GET /users/{userId}/chat-channels`. */
    listChatChannels(userId: string, options?: CallOptions): Result<{
      /** The channels of the workspace. */
      channels: {
        /** The ID of the channel. */
        id: string;
        /** The name of the channel. */
        name: string;
        /** True if the channel is private. */
        isPrivate: boolean;
        /** True if the app is a member of the channel. */
        isMember: boolean;
      }[];
    }>;
    /** Connect a user to the chat provider: `POST /users/{userId}/chat-oauth`. */
    connectChat(userId: string, body: {
      /** The authorization code. */
      code: string;
      /** The redirect URI of the authorization. */
      redirect_uri: string;
    }, options?: CallOptions): Result<{
      /** Always true. */
      success: boolean;
      /** A message that states the result. */
      message: string;
    }>;
    /** Remove a device of a user: `DELETE /users/{userId}/devices/{device}`. */
    removeDevice(userId: string, device: string, options?: CallOptions): Result<undefined>;
    /** Get the state and the link of an export: `GET /users/{userId}/export`. */
    getExport(userId: string, options?: CallOptions): Result<{
      /** running until everything is read, then ready. */
      state: "running" | "ready";
      /** Time of the request. */
      requestedAt: string;
      /** Time when the file was complete. */
      readyAt?: string;
      /** Time when link and file end, after seven days. */
      expiresAt?: string;
      /** Size of the file. */
      sizeBytes?: number;
      /** The link to the file, once it is ready. It needs no credential: anybody who has it can read the file. */
      url?: string;
    }>;
    /** Export everything that is stored about a person: `POST /users/{userId}/export`. */
    createExport(userId: string, body?: Record<string, never>, options?: CallOptions): Result<{
      /** running until everything is read, then ready. */
      state: "running" | "ready";
      /** Time of the request. */
      requestedAt: string;
      /** Time when the file was complete. */
      readyAt?: string;
      /** Time when link and file end, after seven days. */
      expiresAt?: string;
      /** Size of the file. */
      sizeBytes?: number;
      /** The link to the file, once it is ready. It needs no credential: anybody who has it can read the file. */
      url?: string;
    }>;
    /** List a user's waiting messages: scheduled, collected in digests, held, and later steps: `GET /users/{userId}/waiting`. */
    listWaiting(userId: string, options?: CallOptions): Result<{
      /** Scheduled notifications of the user. */
      scheduled: {
        /** The ID of the notification, for its delivery log. */
        trackingId: string;
        /** The notification type. */
        type: string;
        /** Time when it will be sent. */
        scheduledFor: string;
      }[];
      /** Digests that are collecting for the user. */
      digests: {
        /** The notification type. */
        type: string;
        /** The channel. */
        channel: Channel;
        /** The delivery option. */
        delivery: "hourly" | "daily" | "weekly" | "monthly";
        /** Time when the digest is sent. */
        sendAt: string;
        /** The notifications that it has collected. */
        trackingIds: string[];
      }[];
      /** Channels that quiet hours or a pause hold. */
      held: {
        /** The ID of the notification, for its delivery log. */
        trackingId: string;
        /** The notification type. */
        type: string;
        /** The channel. */
        channel: Channel;
        /** QUIET_HOURS, or PAUSED for a pause of the user. */
        reason: "QUIET_HOURS" | "PAUSED";
        /** Time when it is evaluated again. */
        heldUntil: string;
      }[];
      /** Channels of later steps. */
      steps: {
        /** The ID of the notification, for its delivery log. */
        trackingId: string;
        /** The notification type. */
        type: string;
        /** The channel. */
        channel: Channel;
        /** The condition of the step. */
        when: "unseen" | "undelivered" | "always";
        /** Time when the step is due. */
        dueAt: string;
      }[];
    }>;
  };
  waiting: {
    /** List all that waits in the environment, next due first: `GET /waiting`. */
    list(query?: { limit?: number; cursor?: string } & CallOptions, options?: CallOptions): List<{
      /** What waits, next due first. */
      waiting: WaitingEntry[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, WaitingEntry>;
    /** Send something that waits now, or at another time: `PUT /waiting/{waitingId}`. */
    move(waitingId: string, body: {
      /** now, or an ISO 8601 time with Z or offset, at most one year ahead. */
      until: string;
    }, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
      /** The new time. */
      until: string;
    }>;
    /** Cancel something that waits: a notification, its later steps, a digest or a delivery: `DELETE /waiting/{waitingId}`. */
    cancel(waitingId: string, options?: CallOptions): Result<{
      /** A message that states the result. */
      message: string;
    }>;
  };
  webhooks: {
    /** List the webhook's calls of the last 30 days with their attempts: `GET /webhooks/calls`. */
    listCalls(query?: { event?: WebhookEventType; outcome?: "delivered" | "failed" | "waiting"; from?: string; to?: string; limit?: number; cursor?: string } & CallOptions, options?: CallOptions): List<{
      /** The calls, newest first. */
      calls: WebhookCall[];
      /** The cursor of the next page; absent on the last one. */
      nextCursor?: string;
    }, WebhookCall>;
    /** Send an event to the webhook again: `POST /webhooks/calls/{callId}/resend`. */
    resendCall(callId: string, options?: CallOptions): Result<{
      /** The header webhook-id, the same on every attempt. */
      webhookMessageId: string;
      /** The event that was sent. */
      eventType: WebhookEventType;
    }>;
    /** Get the webhook of the environment with its last 20 attempts: `GET /webhooks/events`. */
    get(options?: CallOptions): Result<{
      /** The ID of the webhook. */
      webhookId: string;
      /** The URL that events are posted to. */
      webhook: string;
      /** The events that the webhook receives. */
      events: WebhookEventType[];
      /** The secret that signs the calls. */
      secret: string;
      /** True if the webhook is off. */
      disabled: boolean;
      /** The time until which calls are also signed with former secrets. */
      formerSecretUntil?: string;
      /** Why it is off. */
      disabledReason?: "gone" | "failing";
      /** The last calls of the webhook, newest first. */
      attempts: WebhookAttempt[];
    }>;
    /** Create or change the webhook of the environment: `PUT /webhooks/events`. */
    save(body: {
      /** The URL that events are posted to. */
      webhook: string;
      /** The events that the webhook receives. */
      events: WebhookEventType[];
      /** true: the webhook gets a new secret, once per idempotency key. */
      rotateSecret?: boolean;
    }, options?: CallOptions): Result<{
      /** The ID of the webhook. */
      webhookId: string;
      /** The URL that events are posted to. */
      webhook: string;
      /** The events that the webhook receives. */
      events: WebhookEventType[];
      /** The secret that signs the calls. */
      secret: string;
    }>;
    /** Delete the webhook of the environment: `DELETE /webhooks/events`. */
    delete(options?: CallOptions): Result<undefined>;
    /** Send a sample event to the webhook: `POST /webhooks/events/test`. */
    test(body?: {
      /** The event to send. */
      eventType?: WebhookEventType;
    }, options?: CallOptions): Result<{
      /** The header webhook-id, the same on every attempt. */
      webhookMessageId: string;
      /** The event that was sent. */
      eventType: WebhookEventType;
    }>;
  };
};
