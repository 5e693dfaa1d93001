// Written by `npm run openapi` from the route table.
import type { List } from '../list.ts';
import type { CallOptions } from '../request.ts';
import type { ApiKey, Channel, ChatToken, Environment, Account, Address, Attachment, Component, Member, Organization, SenderDomain, Template, UsageItem, InboundMessage, LogRecord, NotificationType, Recipient, SendRequest, TypeOptions, User } from './types.ts';

/** One method per operation, grouped by resource. */
export type Methods = {
  /** Send one email: `POST /email`. */
  sendEmail(body: {
      /** The notification type, or the kind of the entry. */
      type: string;
      /** The recipient. */
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
      /** Addresses that replies go to, at most 50. */
      replyToAddresses?: string[];
      /** Addresses that get a copy, at most 50. */
      ccAddresses?: string[];
      /** Addresses that get a blind copy, at most 50. */
      bccAddresses?: string[];
      /** Files of the message. */
      attachments?: Attachment[];
      /** When to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead. */
      schedule?: string;
    }, query?: { dryRun?: boolean | "true" | "false"; locale?: string }, options?: CallOptions): Promise<{
      /** The ID of the notification, for its delivery log. */
      trackingId: string;
      /** Messages; of a send, the reason for every channel that will not be sent. */
      messages: string[];
      /** The topic that it is sent to; in a dry run, how many members it has. */
      topic?: {
        /** The members. */
        members: number;
        /** The member whose routing is shown. */
        sampleUserId?: string;
      };
      /** The routing decision; of a dry run, one per channel. */
      routing?: {
        /** A channel. */
        channel: Channel;
        /** The routing decision; of a dry run, one per channel. */
        routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
        /** The reason. */
        reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
        /** When it is due. */
        dueAt?: string;
        /** When quiet hours or a pause end. */
        heldUntil?: string;
        /** The content as it would be sent. */
        content?: Record<string, unknown>;
        /** Variables that the content names and nothing supplies. */
        missing?: string[];
        /** Translations that the language does not have. */
        missingTranslations?: {
          /** The text of the key. */
          key: string;
          /** The language that it was taken from instead; absent: the key is shown. */
          found?: string;
        }[];
        /** A language tag (BCP 47), such as de or pt-BR. */
        locale?: string;
      }[];
    }>;
  /** Send a notification to a user on all channels of its type: `POST /send`. */
  send(body: SendRequest, query?: { dryRun?: boolean | "true" | "false"; locale?: string }, options?: CallOptions): Promise<{
      /** The ID of the notification, for its delivery log. */
      trackingId: string;
      /** Messages; of a send, the reason for every channel that will not be sent. */
      messages: string[];
      /** The topic that it is sent to; in a dry run, how many members it has. */
      topic?: {
        /** The members. */
        members: number;
        /** The member whose routing is shown. */
        sampleUserId?: string;
      };
      /** The routing decision; of a dry run, one per channel. */
      routing?: {
        /** A channel. */
        channel: Channel;
        /** The routing decision; of a dry run, one per channel. */
        routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
        /** The reason. */
        reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
        /** When it is due. */
        dueAt?: string;
        /** When quiet hours or a pause end. */
        heldUntil?: string;
        /** The content as it would be sent. */
        content?: Record<string, unknown>;
        /** Variables that the content names and nothing supplies. */
        missing?: string[];
        /** Translations that the language does not have. */
        missingTranslations?: {
          /** The text of the key. */
          key: string;
          /** The language that it was taken from instead; absent: the key is shown. */
          found?: string;
        }[];
        /** A language tag (BCP 47), such as de or pt-BR. */
        locale?: string;
      }[];
    }>;
  /** Send up to 100 notifications: `POST /send/bulk`. */
  sendBulk(body: {
      /** The entries. */
      notifications: unknown[];
    }, query?: { dryRun?: boolean | "true" | "false"; locale?: string }, options?: CallOptions): Promise<{
      /** One result for each notification, in the order requested. */
      results: ({
        /** The ID of the notification, for its delivery log. */
        trackingId: string;
        /** Messages; of a send, the reason for every channel that will not be sent. */
        messages: string[];
        /** The topic that it is sent to; in a dry run, how many members it has. */
        topic?: {
          /** The members. */
          members: number;
          /** The member whose routing is shown. */
          sampleUserId?: string;
        };
        /** The routing decision; of a dry run, one per channel. */
        routing?: {
          /** A channel. */
          channel: Channel;
          /** The routing decision; of a dry run, one per channel. */
          routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
          /** The reason. */
          reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
          /** When it is due. */
          dueAt?: string;
          /** When quiet hours or a pause end. */
          heldUntil?: string;
          /** The content as it would be sent. */
          content?: Record<string, unknown>;
          /** Variables that the content names and nothing supplies. */
          missing?: string[];
          /** Translations that the language does not have. */
          missingTranslations?: {
            /** The text of the key. */
            key: string;
            /** The language that it was taken from instead; absent: the key is shown. */
            found?: string;
          }[];
          /** A language tag (BCP 47), such as de or pt-BR. */
          locale?: string;
        }[];
      } | {
        /** What went wrong. */
        error: {
          /** A code. */
          code: string;
          /** The text of the message. */
          message: string;
          /** What to do next. */
          fix?: string;
        };
      })[];
    }>;
  /** Change the body or the time of a scheduled notification: `PUT /sender/scheduler/{trackingId}`. */
  reschedule(trackingId: string, body: SendRequest, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
      /** The ID of the notification, for its delivery log. */
      trackingId: string;
      /** When it will be sent. */
      scheduledFor: string;
    }>;
  /** Cancel a scheduled notification, or the rest of one to a topic: `DELETE /sender/scheduler/{trackingId}`. */
  cancelScheduled(trackingId: string, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  /** Send a test email of a notification type: `POST /sender/test/email`. */
  sendTestEmail(body: {
      /** The ID of a notification type. */
      notificationId: string;
      /** The recipient. */
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
    }, query?: { dryRun?: boolean | "true" | "false"; locale?: string }, options?: CallOptions): Promise<{
      /** The ID of the notification, for its delivery log. */
      trackingId: string;
      /** Messages; of a send, the reason for every channel that will not be sent. */
      messages: string[];
      /** The topic that it is sent to; in a dry run, how many members it has. */
      topic?: {
        /** The members. */
        members: number;
        /** The member whose routing is shown. */
        sampleUserId?: string;
      };
      /** The routing decision; of a dry run, one per channel. */
      routing?: {
        /** A channel. */
        channel: Channel;
        /** The routing decision; of a dry run, one per channel. */
        routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
        /** The reason. */
        reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
        /** When it is due. */
        dueAt?: string;
        /** When quiet hours or a pause end. */
        heldUntil?: string;
        /** The content as it would be sent. */
        content?: Record<string, unknown>;
        /** Variables that the content names and nothing supplies. */
        missing?: string[];
        /** Translations that the language does not have. */
        missingTranslations?: {
          /** The text of the key. */
          key: string;
          /** The language that it was taken from instead; absent: the key is shown. */
          found?: string;
        }[];
        /** A language tag (BCP 47), such as de or pt-BR. */
        locale?: string;
      }[];
    }>;
  /** Send one text message: `POST /sms`. */
  sendSms(body: {
      /** The notification type, or the kind of the entry. */
      type: string;
      /** The recipient. */
      to: string | Recipient;
      /** The text of the message. */
      message?: string;
      /** URLs of media, at most 10. */
      mediaUrls?: string[];
      /** The sender. */
      from?: string;
      /** The automatic answer to a reply. */
      autoReply?: {
        /** The text of the message. */
        message: string;
      };
      /** When to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead. */
      schedule?: string;
    }, query?: { dryRun?: boolean | "true" | "false"; locale?: string }, options?: CallOptions): Promise<{
      /** The ID of the notification, for its delivery log. */
      trackingId: string;
      /** Messages; of a send, the reason for every channel that will not be sent. */
      messages: string[];
      /** The topic that it is sent to; in a dry run, how many members it has. */
      topic?: {
        /** The members. */
        members: number;
        /** The member whose routing is shown. */
        sampleUserId?: string;
      };
      /** The routing decision; of a dry run, one per channel. */
      routing?: {
        /** A channel. */
        channel: Channel;
        /** The routing decision; of a dry run, one per channel. */
        routing: "OFF" | "SEND" | "BATCH" | "IGNORE" | "SCHEDULE" | "THROTTLED" | "DEDUPLICATED";
        /** The reason. */
        reason?: "IGNORE_BY_PREFERENCES" | "IGNORE_BY_ENVIRONMENT" | "IGNORE_BY_DEFAULT_DELIVERY";
        /** When it is due. */
        dueAt?: string;
        /** When quiet hours or a pause end. */
        heldUntil?: string;
        /** The content as it would be sent. */
        content?: Record<string, unknown>;
        /** Variables that the content names and nothing supplies. */
        missing?: string[];
        /** Translations that the language does not have. */
        missingTranslations?: {
          /** The text of the key. */
          key: string;
          /** The language that it was taken from instead; absent: the key is shown. */
          found?: string;
        }[];
        /** A language tag (BCP 47), such as de or pt-BR. */
        locale?: string;
      }[];
    }>;
  /** Whether the service answers: `GET /status`. */
  getStatus(options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  account: {
    /** Get the settings of the account: `GET /account`. */
    get(options?: CallOptions): Promise<Account>;
    /** Change the settings of the account: `POST /account`. */
    update(body: {
      /** The name. */
      name?: string;
      /** The URL of the logo. */
      logo?: string | null;
      /** How many days delivery logs are kept. */
      retentionInDays?: number | null;
      /** An IANA timezone, such as Europe/Berlin. */
      timezone?: string | null;
      /** A language tag (BCP 47), such as de or pt-BR. */
      locale?: string | null;
      /** The sender of emails that name none. */
      defaultSender?: {
        /** An email address. */
        address: string;
        /** The name. */
        name?: string;
      } | null;
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
      } | null;
      /** App schemes that links may have, beside http and https. */
      linkSchemes?: string[] | null;
    }, options?: CallOptions): Promise<Account>;
    /** Get the billing record of the organization: `GET /account/organization`. */
    getOrganization(options?: CallOptions): Promise<Organization>;
    /** Get what a browser needs to know of the account: `GET /users/account-metadata`. */
    getMetadata(options?: CallOptions): Promise<{
      /** What a browser needs to know of the account. */
      userAccountMetadata: {
        /** The URL of the logo. */
        logo: string;
        /** The public key that browsers subscribe with. */
        environmentVapidPublicKey: string;
        /** Whether a notification type uses WEB_PUSH. */
        hasWebPushEnabled: boolean;
      };
    }>;
  };
  addresses: {
    /** List the email addresses of the account, oldest first: `GET /addresses`. */
    list(options?: CallOptions): Promise<{
      /** The email addresses. */
      addresses: Address[];
    }>;
    /** Create an email address: `POST /addresses`. */
    create(body: {
      /** The part before the @. */
      prefix: string;
      /** A sender domain. */
      domain?: string;
      /** The name that recipients see. */
      displayName?: string;
    }, options?: CallOptions): Promise<{
      /** An email address. */
      address: Address;
    }>;
    /** Set the display name of an email address: `PATCH /addresses`. */
    update(body: {
      /** The whole email address. */
      fullAddress: string;
      /** The name that recipients see. */
      displayName: string | null;
    }, options?: CallOptions): Promise<{
      /** An email address. */
      address: Address;
    }>;
  };
  backend: {
    /** Disconnect the account from the backend platform: `DELETE /account/backend`. */
    disconnect(options?: CallOptions): Promise<{
      /** Whether it is done. */
      success: boolean;
      /** The text of the message. */
      message?: string;
    }>;
    /** Send the mail of a project of the backend platform through this deployment: `POST /account/backend/configure`. */
    configure(body: {
      /** The reference of the project. */
      projectRef: string;
      /** The name of the project. */
      projectName: string;
      /** The sender's display name. */
      senderName: string;
      /** The sender's address. */
      senderEmail: string;
    }, options?: CallOptions): Promise<{
      /** Whether it is done. */
      success: boolean;
      /** The text of the message. */
      message?: string;
    }>;
    /** Connect the account to the backend platform: `POST /account/backend/oauth`. */
    connect(body: {
      /** A code. */
      code: string;
      /** The redirect URI of the authorization. */
      redirect_uri: string;
      /** The PKCE verifier of the authorization. */
      code_verifier: string;
    }, options?: CallOptions): Promise<{
      /** Whether it is done. */
      success: boolean;
      /** The text of the message. */
      message?: string;
    }>;
    /** List the projects of the connected backend platform: `GET /account/backend/projects`. */
    listProjects(options?: CallOptions): Promise<{
      /** The projects. */
      projects: {
        /** The reference of the project. */
        projectRef: string;
        /** The name of the project. */
        projectName: string;
        /** The region. */
        region?: string;
        /** The state. */
        status?: string;
      }[];
    }>;
    /** Get the state of the connection to the backend platform: `GET /account/backend/status`. */
    getStatus(options?: CallOptions): Promise<{
      /** Whether the account is connected. */
      connected: boolean;
      /** When the account was connected. */
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
        /** When the project was configured. */
        configuredAt: string;
      };
    }>;
  };
  components: {
    /** List the email components of the environment: `GET /components`. */
    list(query?: { limit?: number; cursor?: string }, options?: CallOptions): List<{
      /** Email components. */
      components: Component[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, Component>;
    /** Create an email component: `POST /components`. */
    create(body: {
      /** The ID of a component. */
      componentId?: string;
      /** The name. */
      name: string;
      /** The HTML, as Liquid. */
      html?: string;
      /** The editor's representation. */
      internal?: string;
      /** The editor's representation of the page. */
      internalPage?: string;
    }, options?: CallOptions): Promise<Component>;
    /** Get an email component: `GET /components/{componentId}`. */
    get(componentId: string, options?: CallOptions): Promise<Component>;
    /** Change an email component: `PATCH /components/{componentId}`. */
    update(componentId: string, body: {
      /** The name. */
      name?: string;
      /** The HTML, as Liquid. */
      html?: string;
      /** The editor's representation. */
      internal?: string;
      /** The editor's representation of the page. */
      internalPage?: string;
    }, options?: CallOptions): Promise<Component>;
    /** Delete an email component: `DELETE /components/{componentId}`. */
    delete(componentId: string, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  };
  domains: {
    /** List the sender domains of the account, oldest first: `GET /domains`. */
    list(options?: CallOptions): Promise<SenderDomain[]>;
    /** Add a sender domain and start its verification: `POST /domains`. */
    create(body: {
      /** The sender domain. */
      sender: string;
    }, options?: CallOptions): Promise<SenderDomain[]>;
    /** Delete a sender domain: `DELETE /domains/{sender}`. */
    delete(sender: string, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  };
  environments: {
    /** List the environments of the account, oldest first: `GET /environments`. */
    list(options?: CallOptions): Promise<{
      /** Environments. */
      environments: Environment[];
    }>;
    /** Create an environment: `POST /environments`. */
    create(body: {
      /** The title. */
      title: string;
    }, options?: CallOptions): Promise<Environment>;
    /** Change an environment: `PATCH /environments/{clientId}`. */
    update(clientId: string, body: {
      /** The title. */
      title?: string;
      /** Channels that the environment does not send on. */
      disableSending?: Channel[];
      /** Whether public keys also need the user's hash. */
      secureMode?: boolean;
      /** Whether the client secret is replaced. */
      resetSecret?: boolean;
    }, options?: CallOptions): Promise<Environment>;
  };
  inapp: {
    /** List a user's in-app notifications, newest first: `GET /user/inapp`. */
    list(query?: { before?: string; count?: number; archived?: boolean | "true" | "false" }, options?: CallOptions): Promise<{
      /** The entries. */
      notifications: {
        /** The ID. */
        id: string;
        /** The ID of the notification, for its delivery log. */
        trackingId: string;
        /** The ID of a notification type. */
        notificationId: string;
        /** Separates preferences and digests within a type. */
        subNotificationId?: string;
        /** The title. */
        title: string;
        /** Where the item leads to. */
        redirectURL?: string;
        /** The URL of the image. */
        imageURL?: string;
        /** The time of the item; of a monthly digest, the first or last day. */
        date: string;
        /** Values for the templates; any JSON. */
        parameters?: Record<string, unknown>;
        /** The delivery options of the type, for the browser. */
        deliveryOptions?: Record<string, unknown>;
        /** The template's content. */
        template?: Record<string, unknown>;
        /** When the item expires. */
        expDate?: number;
        /** When the item was opened; in a request, a time, true for now, or null to clear. */
        opened?: string;
        /** When the item was clicked; in a request, a time, true for now, or null to clear. */
        clicked?: string;
        /** When the item was archived; in a request, a time, true for now, or null to clear. */
        archived?: string;
        /** When the first action was used; in a request, a time, true for now, or null to clear. */
        actioned1?: string;
        /** When the second action was used; in a request, a time, true for now, or null to clear. */
        actioned2?: string;
        /** The user's reply. */
        reply?: {
          /** The time of the item; of a monthly digest, the first or last day. */
          date: string;
          /** The text of the message. */
          message: string;
        };
        /** Until when the item is in no list; in a request, a time within a year, or null to end it. */
        snoozedUntil?: string;
      }[];
    }>;
    /** Mark in-app notifications: `PATCH /user/inapp`. */
    mark(body: {
      /** Tracking IDs. */
      trackingIds: string[];
      /** When the item was opened; in a request, a time, true for now, or null to clear. */
      opened?: string | true | null;
      /** When the item was clicked; in a request, a time, true for now, or null to clear. */
      clicked?: string | true | null;
      /** When the item was archived; in a request, a time, true for now, or null to clear. */
      archived?: string | true | null;
      /** When the first action was used; in a request, a time, true for now, or null to clear. */
      actioned1?: string | true | null;
      /** When the second action was used; in a request, a time, true for now, or null to clear. */
      actioned2?: string | true | null;
      /** The user's reply. */
      reply?: string | {
        /** The text of the message. */
        message: string;
        /** The time of the item; of a monthly digest, the first or last day. */
        date?: string;
      } | null;
      /** Until when the item is in no list; in a request, a time within a year, or null to end it. */
      snoozedUntil?: string | null;
    }, options?: CallOptions): Promise<{
      /** The entries. */
      notifications: {
        /** The ID. */
        id: string;
        /** The ID of the notification, for its delivery log. */
        trackingId: string;
        /** The ID of a notification type. */
        notificationId: string;
        /** Separates preferences and digests within a type. */
        subNotificationId?: string;
        /** The title. */
        title: string;
        /** Where the item leads to. */
        redirectURL?: string;
        /** The URL of the image. */
        imageURL?: string;
        /** The time of the item; of a monthly digest, the first or last day. */
        date: string;
        /** Values for the templates; any JSON. */
        parameters?: Record<string, unknown>;
        /** The delivery options of the type, for the browser. */
        deliveryOptions?: Record<string, unknown>;
        /** The template's content. */
        template?: Record<string, unknown>;
        /** When the item expires. */
        expDate?: number;
        /** When the item was opened; in a request, a time, true for now, or null to clear. */
        opened?: string;
        /** When the item was clicked; in a request, a time, true for now, or null to clear. */
        clicked?: string;
        /** When the item was archived; in a request, a time, true for now, or null to clear. */
        archived?: string;
        /** When the first action was used; in a request, a time, true for now, or null to clear. */
        actioned1?: string;
        /** When the second action was used; in a request, a time, true for now, or null to clear. */
        actioned2?: string;
        /** The user's reply. */
        reply?: {
          /** The time of the item; of a monthly digest, the first or last day. */
          date: string;
          /** The text of the message. */
          message: string;
        };
        /** Until when the item is in no list; in a request, a time within a year, or null to end it. */
        snoozedUntil?: string;
      }[];
    }>;
    /** Count a user's unread in-app notifications: `GET /user/inapp/unread`. */
    countUnread(options?: CallOptions): Promise<{
      /** How many there are. */
      count: number;
    }>;
    /** Mark all of a user's in-app notifications as opened: `PATCH /user/inapp/unread`. */
    openAll(options?: CallOptions): Promise<{
      /** How many there are. */
      count: number;
    }>;
  };
  keys: {
    /** List all API keys of the account: `GET /keys`. */
    list(options?: CallOptions): Promise<{
      /** The keys. */
      keys: ApiKey[];
    }>;
    /** Create an API key: `POST /keys`. */
    create(body: {
      /** Where the key may be used: secret on servers, public in browsers and apps. */
      keyType: "secret" | "public";
      /** The environment. */
      environmentId?: string;
      /** The name. */
      name: string;
    }, options?: CallOptions): Promise<ApiKey>;
    /** Revoke an API key: `DELETE /keys/{keyId}`. */
    revoke(keyId: string, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  };
  logs: {
    /** List recent notifications and inbound messages, newest first: `GET /logs`. */
    list(query?: { limit?: number; cursor?: string; eventType?: "outbound" | "inbound" | "sms_inbound"; type?: string; from?: string; to?: string; status?: "failed" }, options?: CallOptions): List<{
      /** Messages; of a send, the reason for every channel that will not be sent. */
      messages: InboundMessage[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, InboundMessage>;
    /** Look up delivery logs by the tracking IDs in the body: `POST /logs/bulk`. */
    getBulk(body: {
      /** Tracking IDs. */
      trackingIds: string[];
    }, options?: CallOptions): Promise<{
      /** Delivery log records. */
      logs: LogRecord[];
    }>;
    /** How many days delivery logs are kept: `GET /logs/retention`. */
    getRetention(options?: CallOptions): Promise<{
      /** How many days delivery logs are kept. */
      retentionInDays: number;
    }>;
    /** Get the delivery logs of the last 100 notifications, newest first: `GET /logs/tail`. */
    tail(options?: CallOptions): Promise<{
      /** Delivery log records. */
      logs: LogRecord[];
    }>;
    /** Look up delivery logs by tracking ID: `GET /logs/{trackingIds}`. */
    get(trackingIds: string | readonly string[], options?: CallOptions): Promise<{
      /** Delivery log records. */
      logs: LogRecord[];
    }>;
  };
  members: {
    /** List the members of the account, oldest first: `GET /members`. */
    list(options?: CallOptions): Promise<{
      /** The members. */
      members: Member[];
    }>;
    /** Invite a person to the account: `POST /members`. */
    invite(body: {
      /** The user's email address; as content, inline content of EMAIL. */
      email: string;
      /** The member's role. */
      role?: "admin" | "member";
    }, options?: CallOptions): Promise<{
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
      /** The token that POST /profile/accept_invite accepts. */
      invitationToken?: string;
    }>;
    /** Change a member's role: `PATCH /members/{userId}`. */
    update(userId: string, body: {
      /** The member's role. */
      role: "admin" | "member";
      /** The environment. */
      envId?: unknown;
    }, query?: { envId?: string }, options?: CallOptions): Promise<{
      /** Whether it is done. */
      success: boolean;
    }>;
    /** Remove a member, or withdraw an invitation: `DELETE /members/{userId}`. */
    remove(userId: string, options?: CallOptions): Promise<{
      /** Whether it is done. */
      success: boolean;
    }>;
  };
  organization: {
    /** Get or create the billing record, and start a checkout when a price is named: `POST /billing`. */
    saveBilling(body: {
      /** The price to start a checkout for. */
      budgetPriceId?: string;
      /** Where the checkout page leads when it is paid. */
      successUrl: string;
      /** Where the checkout page leads when it is cancelled. */
      cancelUrl: string;
    }, options?: CallOptions): Promise<Organization>;
    /** Get the usage of this month and of the billing period, with the caps: `GET /organization/usage`. */
    getUsage(options?: CallOptions): Promise<{
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
      /** The cost of SMS and CALL in USD. */
      costUsd: number;
      /** Usage since the last monthly reset. */
      billingPeriod: {
        /** The first day, YYYY-MM-DD. */
        startDate: string;
        /** The last day, YYYY-MM-DD. */
        endDate: string;
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
        /** The cost of SMS and CALL in USD. */
        costUsd: number;
      };
      /** The limits per billing period. */
      caps: {
        /** Most messages per billing period, on all message channels. */
        messagesCap: number;
        /** Most SMS per billing period. */
        smsCap?: number;
        /** Most calls per billing period. */
        callCap?: number;
        /** Most USD spent on SMS and CALL per billing period. */
        costCap: number;
        /** Whether sending continues over the caps. */
        allowOverage: boolean;
      };
    }>;
    /** Get the usage of each month of a range: `GET /organization/usage/history`. */
    getUsageHistory(query: { startDate: string; endDate: string }, options?: CallOptions): Promise<{
      /** The entries. */
      items: UsageItem[];
    }>;
  };
  preferences: {
    /** Get a user's preferences and what can be chosen: `GET /users/{userId}/preferences`. */
    get(userId: string, options?: CallOptions): Promise<{
      /** The user's preferences. */
      preferences: {
        /** The ID of a notification type. */
        notificationId: string;
        /** Separates preferences and digests within a type. */
        subNotificationId?: string;
        /** A channel. */
        channel: Channel;
        /** The delivery option. */
        delivery: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
      }[];
      /** The entries. */
      notifications: {
        /** The ID of a notification type. */
        notificationId: string;
        /** The title. */
        title: string;
        /** Channels. */
        channels: Channel[];
        /** Delivery options by channel; of a send, options by channel. */
        options: TypeOptions;
      }[];
    }>;
    /** Set some of a user's preferences: `POST /users/{userId}/preferences`. */
    save(userId: string, body: {
      /** The ID of a notification type. */
      notificationId: string;
      /** Separates preferences and digests within a type. */
      subNotificationId?: string;
      /** A channel. */
      channel: Channel;
      /** The delivery option. */
      delivery: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
    }[], options?: CallOptions): Promise<{
      /** The user's preferences. */
      preferences: {
        /** The ID of a notification type. */
        notificationId: string;
        /** Separates preferences and digests within a type. */
        subNotificationId?: string;
        /** A channel. */
        channel: Channel;
        /** The delivery option. */
        delivery: "off" | "instant" | "hourly" | "daily" | "weekly" | "monthly";
      }[];
      /** The entries. */
      notifications: {
        /** The ID of a notification type. */
        notificationId: string;
        /** The title. */
        title: string;
        /** Channels. */
        channels: Channel[];
        /** Delivery options by channel; of a send, options by channel. */
        options: TypeOptions;
      }[];
    }>;
    /** Reset a user's preferences: `DELETE /users/{userId}/preferences`. */
    reset(userId: string, query?: { notificationId?: string; subNotificationId?: string }, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  };
  profile: {
    /** Accept an invitation: `POST /profile/accept_invite`. */
    acceptInvite(body: {
      /** The token. */
      token: string;
    }, options?: CallOptions): Promise<{
      /** Whether it is done. */
      success: boolean;
    }>;
    /** Change the email address of the member who calls: `POST /profile/change-email`. */
    changeEmail(body: {
      /** The new address, used once it is confirmed. */
      newEmail: string;
    }, options?: CallOptions): Promise<{
      /** Whether it is done. */
      success: boolean;
      /** The address that confirms the change. */
      confirmationUrl?: string;
    }>;
  };
  providers: {
    /** Set the account's own order of providers for a channel: `PUT /settings/providers/{channel}`. */
    saveProviderOrder(channel: "EMAIL" | "SMS" | "CALL", body: {
      /** Providers in the order in which they are tried. */
      order: string[];
      /** What the account's own providers are reached with, by entry. */
      credentials?: Record<string, {
        /** A URL. */
        url?: string;
        /** The provider's account. */
        accountSid?: string;
        /** The account's token; it signs callbacks too. */
        authToken?: string;
        /** Chooses the number of texts that name none. */
        messagingServiceSid?: string;
        /** The provider's key. */
        apiKey?: string;
        /** The key that the provider's callbacks are checked with. */
        publicKey?: string;
        /** The TeXML application of calls. */
        applicationId?: string;
        /** Chooses the number of texts that name none. */
        messagingProfileId?: string;
        /** The sender. */
        from?: string;
      }>;
    }, options?: CallOptions): Promise<{
      /** A channel. */
      channel: "EMAIL" | "SMS" | "CALL";
      /** Whether the order is the account's own. */
      ownOrder: boolean;
      /** Providers in the order in which they are tried. */
      order: {
        /** The external service that failed. */
        provider: string;
        /** Whether the provider is the account's own. */
        own: boolean;
      }[];
    }>;
    /** Go back to the deployment's order of providers for a channel: `DELETE /settings/providers/{channel}`. */
    deleteProviderOrder(channel: "EMAIL" | "SMS" | "CALL", options?: CallOptions): Promise<undefined>;
    /** Get the order of the account's providers and how each fares: `GET /status/providers`. */
    getProviderStatus(options?: CallOptions): Promise<{
      /** Channels. */
      channels: {
        /** A channel. */
        channel: "EMAIL" | "SMS" | "CALL";
        /** Whether the order is the account's own. */
        ownOrder: boolean;
        /** Providers in the order in which they are tried. */
        order: {
          /** The external service that failed. */
          provider: string;
          /** Whether the provider is the account's own. */
          own: boolean;
          /** The state. */
          state: "closed" | "open" | "probing";
          /** When the next message may try the provider. */
          openUntil?: string;
          /** The last message that the provider certainly did not accept. */
          lastFailure?: {
            /** When it happened. */
            at: string;
            /** The reason. */
            reason: string;
          };
        }[];
      }[];
    }>;
  };
  pushSettings: {
    /** Get the APN configuration of the account: `GET /settings/push/apn`. */
    getApnConfig(options?: CallOptions): Promise<{
      /** The ID of the APNs key. */
      KeyId: string;
      /** The text of the .p8 file. */
      Key: string;
      /** The ID of the Apple developer team. */
      TeamId: string;
      /** The bundle ID of the app. */
      Topic: string;
    }>;
    /** Create or update the APN configuration of the account: `PUT /settings/push/apn`. */
    saveApnConfig(body: {
      /** The ID of the APNs key. */
      KeyId: string;
      /** The text of the .p8 file. */
      Key: string;
      /** The ID of the Apple developer team. */
      TeamId: string;
      /** The bundle ID of the app. */
      Topic: string;
    }, options?: CallOptions): Promise<{
      /** The ID of the APNs key. */
      KeyId: string;
      /** The text of the .p8 file. */
      Key: string;
      /** The ID of the Apple developer team. */
      TeamId: string;
      /** The bundle ID of the app. */
      Topic: string;
    }>;
    /** Delete the APN configuration of the account: `DELETE /settings/push/apn`. */
    deleteApnConfig(options?: CallOptions): Promise<undefined>;
    /** Get the FCM configuration of the account: `GET /settings/push/fcm`. */
    getFcmConfig(options?: CallOptions): Promise<{
      /** The text of the service-account JSON. */
      fcmConfig: string;
    }>;
    /** Create or update the FCM configuration of the account: `PUT /settings/push/fcm`. */
    saveFcmConfig(body: {
      /** The text of the service-account JSON. */
      fcmConfig: string;
    }, options?: CallOptions): Promise<{
      /** The text of the service-account JSON. */
      fcmConfig: string;
    }>;
    /** Delete the FCM configuration of the account: `DELETE /settings/push/fcm`. */
    deleteFcmConfig(options?: CallOptions): Promise<undefined>;
  };
  templates: {
    /** List the templates of a notification type's channel: `GET /notifications/{notificationId}/{channel}/templates`. */
    list(notificationId: string, channel: string, options?: CallOptions): Promise<{
      /** Templates. */
      templates: Template[];
    }>;
    /** Create a template: `POST /notifications/{notificationId}/{channel}/templates`. */
    create(notificationId: string, channel: string, body: {
      /** The ID of a template. */
      templateId?: string;
      /** A language tag (BCP 47), such as de or pt-BR. */
      locale?: string;
      /** The HTML, as Liquid. */
      html?: string | null;
      /** The text after the subject in inboxes. */
      previewText?: string | null;
      /** The editor's representation. */
      internal?: string | null;
      /** The subject of the email. */
      subject?: string | null;
      /** The sender's display name. */
      senderName?: string | null;
      /** The sender's address. */
      senderEmail?: string | null;
      /** The title. */
      title?: string | null;
      /** Where the item leads to. */
      redirectURL?: string | null;
      /** The URL of the image. */
      imageURL?: string | null;
      /** Sends each item immediately; as content, the content of a single item. */
      instant?: {
        /** The title. */
        title?: string;
        /** Where the item leads to. */
        redirectURL?: string;
        /** The URL of the image. */
        imageURL: string;
      } | null;
      /** The content that represents several items. */
      batch?: {
        /** The title. */
        title: string;
        /** Where the item leads to. */
        redirectURL: string;
        /** The URL of the image. */
        imageURL: string;
      } | null;
      /** The text. */
      text?: string | null;
      /** The text of the message. */
      message?: string | null;
      /** The URL of the icon, or its name. */
      icon?: string | null;
      /** A URL. */
      url?: string | null;
      /** Blocks of the chat message, as the chat provider defines them, at most 50. */
      blocks?: Record<string, unknown>[] | null;
      /** The name that the message is sent under. */
      username?: string | null;
    }, options?: CallOptions): Promise<Template>;
    /** Make a template the default of delivery modes: `PATCH /notifications/{notificationId}/{channel}/templates/default-selection`. */
    selectDefault(notificationId: string, channel: string, body: {
      /** The ID of a template. */
      templateId: string;
      /** Delivery modes. */
      modes: ("instant" | "hourly" | "daily" | "weekly" | "monthly" | "batch")[];
    }, options?: CallOptions): Promise<Template>;
    /** Render a template that is not saved: `POST /notifications/{notificationId}/{channel}/templates/preview`. */
    preview(notificationId: string, channel: string, body: {
      /** The template's content. */
      template: {
        /** The HTML, as Liquid. */
        html?: string | null;
        /** The text after the subject in inboxes. */
        previewText?: string | null;
        /** The editor's representation. */
        internal?: string | null;
        /** The subject of the email. */
        subject?: string | null;
        /** The sender's display name. */
        senderName?: string | null;
        /** The sender's address. */
        senderEmail?: string | null;
        /** The title. */
        title?: string | null;
        /** Where the item leads to. */
        redirectURL?: string | null;
        /** The URL of the image. */
        imageURL?: string | null;
        /** Sends each item immediately; as content, the content of a single item. */
        instant?: {
          /** The title. */
          title?: string;
          /** Where the item leads to. */
          redirectURL?: string;
          /** The URL of the image. */
          imageURL: string;
        } | null;
        /** The content that represents several items. */
        batch?: {
          /** The title. */
          title: string;
          /** Where the item leads to. */
          redirectURL: string;
          /** The URL of the image. */
          imageURL: string;
        } | null;
        /** The text. */
        text?: string | null;
        /** The text of the message. */
        message?: string | null;
        /** The URL of the icon, or its name. */
        icon?: string | null;
        /** A URL. */
        url?: string | null;
        /** Blocks of the chat message, as the chat provider defines them, at most 50. */
        blocks?: Record<string, unknown>[] | null;
        /** The name that the message is sent under. */
        username?: string | null;
      };
      /** Values for the templates; any JSON. */
      parameters?: Record<string, unknown>;
      /** The entries. */
      items?: Record<string, unknown>[];
      /** A delivery mode. */
      mode?: "instant" | "hourly" | "daily" | "weekly" | "monthly" | "batch";
      /** A language tag (BCP 47), such as de or pt-BR. */
      locale?: string;
    }, options?: CallOptions): Promise<{
      /** The content as it would be sent. */
      content: Record<string, unknown>;
      /** Variables that the content names and nothing supplies. */
      missing: string[];
      /** Translations that the language does not have. */
      missingTranslations?: {
        /** The text of the key. */
        key: string;
        /** The language that it was taken from instead; absent: the key is shown. */
        found?: string;
      }[];
    }>;
    /** Get a template with its content: `GET /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    get(notificationId: string, channel: string, templateId: string, query?: { locale?: string }, options?: CallOptions): Promise<{
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
      /** The HTML, as Liquid. */
      html?: string;
      /** The text after the subject in inboxes. */
      previewText?: string;
      /** The editor's representation. */
      internal?: string;
      /** The subject of the email. */
      subject?: string;
      /** The sender's display name. */
      senderName?: string;
      /** The sender's address. */
      senderEmail?: string;
      /** The title. */
      title?: string;
      /** Where the item leads to. */
      redirectURL?: string;
      /** The URL of the image. */
      imageURL?: string;
      /** Sends each item immediately; as content, the content of a single item. */
      instant?: {
        /** The title. */
        title?: string;
        /** Where the item leads to. */
        redirectURL?: string;
        /** The URL of the image. */
        imageURL: string;
      };
      /** The content that represents several items. */
      batch?: {
        /** The title. */
        title: string;
        /** Where the item leads to. */
        redirectURL: string;
        /** The URL of the image. */
        imageURL: string;
      };
      /** The text. */
      text?: string;
      /** The text of the message. */
      message?: string;
      /** The URL of the icon, or its name. */
      icon?: string;
      /** A URL. */
      url?: string;
      /** Blocks of the chat message, as the chat provider defines them, at most 50. */
      blocks?: Record<string, unknown>[];
      /** The name that the message is sent under. */
      username?: string;
    }>;
    /** Change a template's properties: `PATCH /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    update(notificationId: string, channel: string, templateId: string, body: {
      /** The HTML, as Liquid. */
      html?: string | null;
      /** The text after the subject in inboxes. */
      previewText?: string | null;
      /** The editor's representation. */
      internal?: string | null;
      /** The subject of the email. */
      subject?: string | null;
      /** The sender's display name. */
      senderName?: string | null;
      /** The sender's address. */
      senderEmail?: string | null;
      /** The title. */
      title?: string | null;
      /** Where the item leads to. */
      redirectURL?: string | null;
      /** The URL of the image. */
      imageURL?: string | null;
      /** Sends each item immediately; as content, the content of a single item. */
      instant?: {
        /** The title. */
        title?: string;
        /** Where the item leads to. */
        redirectURL?: string;
        /** The URL of the image. */
        imageURL: string;
      } | null;
      /** The content that represents several items. */
      batch?: {
        /** The title. */
        title: string;
        /** Where the item leads to. */
        redirectURL: string;
        /** The URL of the image. */
        imageURL: string;
      } | null;
      /** The text. */
      text?: string | null;
      /** The text of the message. */
      message?: string | null;
      /** The URL of the icon, or its name. */
      icon?: string | null;
      /** A URL. */
      url?: string | null;
      /** Blocks of the chat message, as the chat provider defines them, at most 50. */
      blocks?: Record<string, unknown>[] | null;
      /** The name that the message is sent under. */
      username?: string | null;
    }, query?: { locale?: string }, options?: CallOptions): Promise<Template>;
    /** Delete a template: `DELETE /notifications/{notificationId}/{channel}/templates/{templateId}`. */
    delete(notificationId: string, channel: string, templateId: string, query?: { locale?: string }, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  };
  topics: {
    /** List the topics of the environment by ID: `GET /topics`. */
    list(query?: { limit?: number; cursor?: string }, options?: CallOptions): List<{
      /** Topics. */
      topics: {
        /** The ID of a topic. */
        topicId: string;
        /** The members. */
        members: number;
        /** When it was created. */
        createdAt: string;
        /** When it was last changed. */
        updatedAt: string;
      }[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, {
  /** The ID of a topic. */
  topicId: string;
  /** The members. */
  members: number;
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
}>;
    /** Add up to 100 users to a topic: `PUT /topics/{topicId}/users`. */
    addUsers(topicId: string, body: {
      /** IDs of users, at most 100. */
      userIds: string[];
    }, options?: CallOptions): Promise<{
      /** The ID of a topic. */
      topicId: string;
      /** How many were added. */
      added: number;
      /** The members. */
      members: number;
    }>;
    /** Remove up to 100 users from a topic: `DELETE /topics/{topicId}/users`. */
    removeUsers(topicId: string, body: {
      /** IDs of users, at most 100. */
      userIds: string[];
    }, options?: CallOptions): Promise<{
      /** The ID of a topic. */
      topicId: string;
      /** How many were removed. */
      removed: number;
      /** The members. */
      members: number;
    }>;
    /** List the members of a topic by ID: `GET /topics/{topicId}/users`. */
    listUsers(topicId: string, query?: { limit?: number; cursor?: string }, options?: CallOptions): List<{
      /** The users. */
      users: {
        /** The user. */
        userId: string;
        /** When the user was added. */
        addedAt: string;
      }[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, {
  /** The user. */
  userId: string;
  /** When the user was added. */
  addedAt: string;
}>;
    /** List the topics that a user is a member of, by ID: `GET /users/{userId}/topics`. */
    listUser(userId: string, query?: { limit?: number; cursor?: string }, options?: CallOptions): List<{
      /** Topics. */
      topics: {
        /** The ID of a topic. */
        topicId: string;
        /** When the user was added. */
        addedAt: string;
      }[];
      /** Send it as cursor for the next page; absent at the end. */
      nextCursor?: string;
    }, {
  /** The ID of a topic. */
  topicId: string;
  /** When the user was added. */
  addedAt: string;
}>;
  };
  translations: {
    /** List the languages that have translations: `GET /translations`. */
    list(options?: CallOptions): Promise<{
      /** Languages that have translations. */
      translations: {
        /** A language tag (BCP 47), such as de or pt-BR. */
        locale: string;
        /** How many keys there are. */
        keyCount: number;
        /** When it was last changed. */
        updatedAt: string;
      }[];
    }>;
    /** Get the translations of a language: `GET /translations/{locale}`. */
    get(locale: string, options?: CallOptions): Promise<Record<string, string>>;
    /** Save the translations of a language: `PUT /translations/{locale}`. */
    save(locale: string, body: Record<string, string>, options?: CallOptions): Promise<{
      /** A language tag (BCP 47), such as de or pt-BR. */
      locale: string;
      /** How many keys there are. */
      keyCount: number;
      /** When it was last changed. */
      updatedAt: string;
    }>;
    /** Delete the translations of a language: `DELETE /translations/{locale}`. */
    delete(locale: string, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  };
  types: {
    /** List all notification types of the account with their templates: `GET /types`. */
    list(options?: CallOptions): Promise<NotificationType[]>;
    /** Create a notification type: `POST /types`. */
    create(body: {
      /** The ID of a notification type. */
      notificationId: string;
      /** The title. */
      title: string;
      /** Channels. */
      channels: Channel[];
      /** Whether it is on. */
      enabled?: boolean;
      /** Drops repeated requests within the window. */
      deduplication?: {
        /** In seconds; 0 means indefinitely. */
        duration: number;
      } | null;
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
      } | null;
      /** How many days logs of this type are kept. */
      retention?: number | null;
      /** Delivery options by channel; of a send, options by channel. */
      options?: {
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Collects items until the full hour. */
          hourly?: unknown;
          /** Collects items until the hour, every day. */
          daily?: unknown;
          /** Collects items until the day and hour, every week. */
          weekly?: unknown;
          /** Collects items until the first or last day of the month. */
          monthly?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
      } | null;
      /** In which order channels are tried. */
      steps?: {
        /** Channels. */
        channels: Channel[];
        /** How long after the previous step it starts, as an ISO 8601 duration. */
        after?: string;
        /** The condition on which the step starts. */
        when?: "unseen" | "undelivered" | "always";
      }[] | null;
      /** Whether it ignores quiet hours and pauses. */
      urgent?: boolean | null;
    }, options?: CallOptions): Promise<NotificationType>;
    /** Get a notification type: `GET /types/{notificationId}`. */
    get(notificationId: string, options?: CallOptions): Promise<NotificationType>;
    /** Change a notification type: `PATCH /types/{notificationId}`. */
    update(notificationId: string, body: {
      /** The ID of a notification type. */
      notificationId?: string;
      /** The title. */
      title?: string;
      /** Channels. */
      channels?: Channel[];
      /** Whether it is on. */
      enabled?: boolean;
      /** Drops repeated requests within the window. */
      deduplication?: {
        /** In seconds; 0 means indefinitely. */
        duration: number;
      } | null;
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
      } | null;
      /** How many days logs of this type are kept. */
      retention?: number | null;
      /** Delivery options by channel; of a send, options by channel. */
      options?: {
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Collects items until the full hour. */
          hourly?: unknown;
          /** Collects items until the hour, every day. */
          daily?: unknown;
          /** Collects items until the day and hour, every week. */
          weekly?: unknown;
          /** Collects items until the first or last day of the month. */
          monthly?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
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
          /** Whether the browser groups items. */
          batching?: unknown;
          /** A Liquid path such as parameters.comment_id; items with the same value form a group. */
          batchingKey?: unknown;
          /** How long a group stays open, in minutes. */
          batchingWindow?: unknown;
        } | null;
      } | null;
      /** In which order channels are tried. */
      steps?: {
        /** Channels. */
        channels: Channel[];
        /** How long after the previous step it starts, as an ISO 8601 duration. */
        after?: string;
        /** The condition on which the step starts. */
        when?: "unseen" | "undelivered" | "always";
      }[] | null;
      /** Whether it ignores quiet hours and pauses. */
      urgent?: boolean | null;
    }, options?: CallOptions): Promise<NotificationType>;
    /** Delete a notification type with its templates: `DELETE /types/{notificationId}`. */
    delete(notificationId: string, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
  };
  users: {
    /** Suppress a user's email: `PUT /user_suppression/{userId}/channel/{channel}`. */
    suppress(userId: string, channel: string, body: {
      /** The reason. */
      reason?: "Bounce" | "Complaint";
      /** The provider's details. */
      details?: Record<string, unknown>;
    }, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
    /** Lift the suppression of a user's email: `DELETE /user_suppression/{userId}/channel/{channel}`. */
    liftSuppression(userId: string, channel: string, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
    }>;
    /** List the users of the environment, newest first: `GET /users`. */
    list(query?: { limit?: number; cursor?: string; nextToken?: string }, options?: CallOptions): List<{
      /** The users. */
      users: User[];
      /** Send it as nextToken for the next page; absent at the end. */
      nextToken?: string;
    }, User>;
    /** Create or update a user: `POST /users/{userId}`. */
    save(userId: string, body: {
      /** The ID. */
      id?: string;
      /** The user's email address; as content, inline content of EMAIL. */
      email?: string | null;
      /** The user's phone number, stored in E.164. */
      number?: string | null;
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
      }[] | null;
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
      }[] | null;
      /** An IANA timezone, such as Europe/Berlin. */
      timezone?: string | null;
      /** A language tag (BCP 47), such as de or pt-BR. */
      locale?: string | null;
      /** The chat channel or user that messages go to. */
      chatChannel?: string | null;
      /** The token of the chat provider, in its own shape. */
      chatToken?: ChatToken | null;
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
      } | null;
      /** Until when nothing interrupts the user. */
      pausedUntil?: string | null;
    }, options?: CallOptions): Promise<User>;
    /** Get a user: `GET /users/{userId}`. */
    get(userId: string, options?: CallOptions): Promise<User>;
    /** Delete a user and erase them from every log: `DELETE /users/{userId}`. */
    delete(userId: string, options?: CallOptions): Promise<{
      /** The text of the message. */
      message: string;
      /** The progress of the erasure. */
      erasure: {
        /** The state. */
        state: "running" | "done";
        /** How many logs have been erased so far. */
        erasedLogs: number;
      };
    }>;
    /** List the channels of a user's chat workspace: `GET /users/{userId}/chat-channels`. */
    listChatChannels(userId: string, options?: CallOptions): Promise<{
      /** Channels. */
      channels: {
        /** The ID. */
        id: string;
        /** The name. */
        name: string;
        /** Whether the channel is private. */
        isPrivate: boolean;
        /** Whether the app is a member of the channel. */
        isMember: boolean;
      }[];
    }>;
    /** Connect a user to the chat product: `POST /users/{userId}/chat-oauth`. */
    connectChat(userId: string, body: {
      /** A code. */
      code: string;
      /** The redirect URI of the authorization. */
      redirect_uri: string;
    }, options?: CallOptions): Promise<{
      /** Whether it is done. */
      success: boolean;
      /** The text of the message. */
      message: string;
    }>;
    /** List what waits for a user: scheduled notifications and digests that collect: `GET /users/{userId}/waiting`. */
    listWaiting(userId: string, options?: CallOptions): Promise<{
      /** Scheduled notifications of the user. */
      scheduled: {
        /** The ID of the notification, for its delivery log. */
        trackingId: string;
        /** The notification type, or the kind of the entry. */
        type: string;
        /** When it will be sent. */
        scheduledFor: string;
      }[];
      /** Digests that collect for the user. */
      digests: {
        /** The notification type, or the kind of the entry. */
        type: string;
        /** A channel. */
        channel: Channel;
        /** The delivery option. */
        delivery: "hourly" | "daily" | "weekly" | "monthly";
        /** When the digest is sent. */
        sendAt: string;
        /** Tracking IDs. */
        trackingIds: string[];
      }[];
    }>;
  };
  webhooks: {
    /** Create or change the webhook of the environment: `PUT /webhooks/events`. */
    save(body: {
      /** The URL that events are posted to. */
      webhook: string;
      /** The events that the webhook is called for. */
      events: ("EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE")[];
      /** Whether the webhook gets a new secret. */
      rotateSecret?: boolean;
    }, options?: CallOptions): Promise<{
      /** The ID of the webhook. */
      webhookId: string;
      /** The URL that events are posted to. */
      webhook: string;
      /** The events that the webhook is called for. */
      events: ("EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE")[];
      /** The secret that signatures are made with. */
      secret: string;
    }>;
    /** Get the webhook of the environment with its last 20 attempts: `GET /webhooks/events`. */
    get(options?: CallOptions): Promise<{
      /** The ID of the webhook. */
      webhookId: string;
      /** The URL that events are posted to. */
      webhook: string;
      /** The events that the webhook is called for. */
      events: ("EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE")[];
      /** The secret that signatures are made with. */
      secret: string;
      /** Whether it is off. */
      disabled: boolean;
      /** Until when signatures with the former secret are also sent. */
      formerSecretUntil?: string;
      /** Why it is off. */
      disabledReason?: "gone" | "failing";
      /** The last calls of the webhook, newest first. */
      attempts: {
        /** The header webhook-id, the same on every attempt. */
        webhookMessageId: string;
        /** The kind of event. */
        eventType: "EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE";
        /** When it happened. */
        at: string;
        /** Which attempt this is, from 1. */
        attempt: number;
        /** The state. */
        status: number;
        /** How long the call took, in milliseconds. */
        ms: number;
        /** What went wrong. */
        error?: string;
      }[];
    }>;
    /** Delete the webhook of the environment: `DELETE /webhooks/events`. */
    delete(options?: CallOptions): Promise<undefined>;
    /** Send a sample event to the webhook: `POST /webhooks/events/test`. */
    test(body?: {
      /** The kind of event. */
      eventType?: "EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE";
    }, options?: CallOptions): Promise<{
      /** The header webhook-id, the same on every attempt. */
      webhookMessageId: string;
      /** The kind of event. */
      eventType: "EMAIL_OPEN" | "EMAIL_CLICK" | "EMAIL_FAILED" | "EMAIL_DELIVERED" | "EMAIL_UNSUBSCRIBE" | "EMAIL_INBOUND" | "INAPP_WEB_FAILED" | "INAPP_WEB_UNSUBSCRIBE" | "SMS_DELIVERED" | "SMS_FAILED" | "SMS_UNSUBSCRIBE" | "SMS_SUBSCRIBE" | "SMS_INBOUND" | "PUSH_FAILED" | "PUSH_UNSUBSCRIBE" | "CALL_FAILED" | "CALL_UNSUBSCRIBE" | "WEB_PUSH_FAILED" | "WEB_PUSH_UNSUBSCRIBE" | "CHAT_FAILED" | "CHAT_UNSUBSCRIBE";
    }>;
  };
};
