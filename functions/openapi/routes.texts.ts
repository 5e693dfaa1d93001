import type { FieldTexts } from '../../shared/schemas/fields/field-texts.ts';
import { TEXT_FACTS_TEXTS } from '../../shared/schemas/sending/sending.texts.ts';

const FILE = {
  messageId: 'The Message-ID of one of several messages in the log; the newest unless set.',
  offset: 'The first byte of the response, for a file that does not fit into one.',
};

const TRACKING_ID = 'The tracking ID of the inbound email.';

const CONSENT_TEXTS = {
  purpose: 'The purpose: marketing, for every type of it.',
  notificationId: 'The ID of the notification type.',
  subNotificationId: 'The sub-notification of the type.',
  channel: 'The channel.',
  source: 'How it was stated: link, email, page, complaint, api, or your name for it.',
};

/** The parts of a row whose fields have texts. */
type RouteTexts = { readonly [part in 'path' | 'query' | 'body' | 'response']?: FieldTexts };

/** The texts of parameters and fields that only one operation has, by its ID. A test names those without one. */
export const ROUTE_TEXTS: Readonly<Record<string, RouteTexts>> = {
  getAccountMetadata: { response: { userAccountMetadata: 'The account data that a browser needs.' } },
  listAddresses: { response: { addresses: 'The inboxes of the account.' } },
  createAddress: {
    body: {
      prefix: 'The part before the @.',
      domain: "A verified domain of the account; without it, the service's mail domain.",
      displayName: 'The name that recipients see.',
    },
    response: { address: 'The inbox.' },
  },
  updateAddress: {
    body: { fullAddress: 'The full email address.', displayName: 'The name that recipients see.' },
  },
  connectBackend: {
    body: {
      code: 'The authorization code.',
      redirect_uri: 'The redirect URI of the authorization.',
      code_verifier: 'The PKCE verifier of the authorization.',
    },
  },
  configureBackend: { body: { senderEmail: "The sender's address." } },
  getBackendStatus: {
    response: {
      connected: 'True if the account is connected.',
      connectedAt: 'Time the account was connected.',
      project: [
        'The project that is configured.',
        { senderEmail: "The sender's address.", configuredAt: 'Time the project was configured.' },
      ],
    },
  },
  listBackendProjects: {
    response: {
      projects: [
        'The projects of the connected account.',
        {
          region: 'The region of the project.',
          status: 'The state of the project, as the platform reports it.',
        },
      ],
    },
  },
  receiveTelnyxCallback: { response: { received: 'true: the event was received.' } },
  listComponents: { response: { components: 'The components.' } },
  getComponent: { path: { componentId: 'The ID of the component.' } },
  createDomain: { body: { sender: 'The domain only, such as example.com.' } },
  deleteDomain: { path: { sender: 'The domain.' } },
  listEnvironments: { response: { environments: 'The environments of the account.' } },
  createEnvironment: {
    body: {
      title: 'The name of the environment.',
      expiresAt: 'Time at which it is removed with everything in it; without it, it stays.',
    },
  },
  deleteEnvironment: { response: { message: 'What happens.' } },
  updateEnvironment: {
    body: {
      title: 'The name of the environment.',
      disableSending: 'All channels that the environment does not send on.',
      secureMode: "True if public keys also need the user's hash.",
      onlyTo:
        'At most 100 email addresses, domains and numbers that the environment sends to. Channels to others are IGNORE with IGNORE_BY_ENVIRONMENT. Empty: to everybody.',
      createTypes:
        'false: a send with an unknown notification type is 400 MISSING_NOTIFICATION_TYPE with the nearest name, instead of creating it.',
      resetSecret:
        'true: the client secret is replaced; hashes made with the former one are accepted for 24 hours.',
      resetVapidKey:
        'true: the key pair of web push is replaced; subscriptions made with the former one receive for another 90 days, and the client library renews them on the next visit.',
    },
  },
  getStatus: { response: { message: 'Confirms that the service is running.' } },
  listInapp: {
    query: {
      userId: 'The user; instead of the header x-user-id.',
      before: 'Only items before this time: milliseconds since 1970, or ISO 8601.',
      count: 'The maximum number of items, at most 100; 50 by default.',
      archived: 'false omits archived items.',
      filter: 'Only items that are unread, archived or snoozed; takes precedence over archived.',
      subNotificationId: 'Only items of this sub-notification.',
    },
    response: {
      notifications: [
        'The items, newest first.',
        {
          id: 'The ID of the item.',
          title: 'The text of the item.',
          body: 'More text below the title; plain text.',
          actions: [
            'Its buttons, at most two.',
            { label: 'The text of the button.', url: 'The URL that it opens.' },
          ],
          redirectURL: 'The URL that the item opens.',
          date: 'Time the item was sent.',
          parameters: 'The parameters of the request that the content or batchingKey names.',
          deliveryOptions: 'The delivery options of the type, for the browser.',
          template: 'The ID of the template.',
          expDate: 'Expiry time of the item, in seconds since 1970.',
          opened: 'Time the item was opened.',
          clicked: 'Time the item was clicked.',
          archived: 'Time the item was archived.',
          actioned1: 'Time its first action was used.',
          actioned2: 'Time its second action was used.',
          reply: ["The user's reply.", { date: 'Time of the reply.', message: 'The text of the reply.' }],
          snoozedUntil: 'Time until which the item is hidden.',
          version: 'Grows with every change of the item: ignore a copy with a lower one. 1 if absent.',
        },
      ],
    },
  },
  markInapp: {
    query: { userId: 'The user; instead of the header x-user-id.' },
    response: { notifications: 'The items as they are now.' },
  },
  countUnreadInapp: {
    query: {
      userId: 'The user; instead of the header x-user-id.',
      subNotificationId: 'Only notifications of this sub-notification.',
    },
    response: { count: 'Number of unopened items.' },
  },
  openAllInapp: { response: { count: 'Number of items marked as opened by this request.' } },
  markMessages: {
    query: { userId: 'The user; instead of the header x-user-id.' },
    body: {
      trackingIds: 'The tracking IDs in the payloads; at most 100.',
      channel: 'The channel where the user got them.',
      opened: 'True if the notification was shown to the user.',
      clicked: 'True if the user followed it.',
    },
    response: { trackingIds: "Those of the user's notifications." },
  },
  listApiKeys: { response: { keys: 'The keys of the account, including revoked keys.' } },
  createApiKey: {
    body: {
      keyType: 'Kind of key: secret for servers, public for browsers and apps.',
      environmentId: 'The environment to bind the key to.',
      name: "The key's name, such as its purpose.",
      scopes: 'What the key may do: send, read, manage; all of them unless you say otherwise.',
    },
  },
  revokeApiKey: { path: { keyId: 'The ID of the key.' } },
  getLogs: {
    path: { trackingIds: 'At most 25 tracking IDs, separated by commas.' },
    response: { logs: 'The records that were found, in the order requested.' },
  },
  getLogsBulk: {
    body: { trackingIds: 'At most 25 tracking IDs.' },
    response: { logs: 'The records that were found, in the order requested.' },
  },
  listLogs: {
    query: {
      eventType: 'Only outbound, inbound or sms_inbound.',
      userId: 'Only notifications to this user.',
      type: 'Only notifications of this type.',
      subNotificationId: 'Only notifications of this sub-notification, without inbound messages.',
      from: 'Only from this time on, ISO 8601.',
      to: 'Only before this time, ISO 8601.',
      status:
        'failed: only notifications with a failed channel; from and to are then the time of the failure.',
    },
    response: { messages: 'One record for each notification and inbound message, newest first.' },
  },
  tailLogs: { response: { logs: 'Delivery log records.' } },
  getLogRetention: { response: { retentionInDays: 'Number of days that delivery logs are kept.' } },
  getOriginal: { path: { trackingId: TRACKING_ID }, query: FILE },
  getAttachment: {
    path: { trackingId: TRACKING_ID, index: 'The position of the attachment in the record, from 0.' },
    query: FILE,
  },
  listMembers: { response: { members: 'The members.' } },
  inviteMember: {
    body: {
      email: 'The address that the invitation is sent to.',
      role: 'admin or member; member by default.',
    },
    response: {
      userId: 'The ID of the member.',
      email: "The member's email address.",
      role: 'admin or member.',
      status: 'invited until the invitation is accepted, then active.',
      pendingEmail: 'The address that is not confirmed yet.',
      invitationToken:
        'The token that POST /profile/accept_invite accepts; with the sandbox identity provider only.',
    },
  },
  updateMember: {
    path: { userId: 'The ID of the member.' },
    query: { envId: 'Accepted and not used: roles belong to the account.' },
    body: { role: 'admin or member.', envId: 'Accepted and not used: roles belong to the account.' },
  },
  removeMember: {
    path: { userId: 'The ID of the member.' },
    query: { keys: 'revoke also revokes the keys that the member issued.' },
    response: {
      keys: [
        'The keys that the member issued and that worked until now.',
        {
          id: 'The ID of the key, as in DELETE /keys/{keyId}.',
          name: "The key's name.",
          keyType: 'secret or public.',
          revoked: 'True if this request revoked it.',
        },
      ],
    },
  },
  getUsageHistory: {
    query: { startDate: 'The first day, YYYY-MM-DD.', endDate: 'The last day, YYYY-MM-DD.' },
    response: { items: 'One entry for each month of the range.' },
  },
  receivePaymentEvent: { response: { received: 'true: the event was received.' } },
  getPreferences: {
    query: { locale: 'The language of titles and categories, such as de or pt-BR.' },
    response: {
      preferences: ["The user's preferences.", { delivery: 'The delivery option.' }],
      notifications: [
        'The types that the user can choose for.',
        {
          title: 'The name that users see.',
          category: 'The heading under which the type is shown.',
          required: 'True if users cannot turn it off on any channel.',
          channels: 'The channels of the type.',
          options: 'Which delivery options each channel offers.',
        },
      ],
    },
  },
  savePreferences: {
    body: {
      subNotificationId: 'With it, the choice is for that sub-notification, otherwise for the whole type.',
      delivery: 'off, instant, hourly, daily, weekly or monthly.',
    },
  },
  listConsents: {
    query: { limit: 'The maximum number of requests per page, 1 to 100.' },
    response: {
      consents: [
        'The changes, newest first.',
        {
          ...CONSENT_TEXTS,
          state: 'given, withdrawn, or reset to the default.',
          delivery: 'The delivery option that was chosen.',
          actor: 'person, or the key or member that made the change.',
          createdAt: 'The time of the change.',
        },
      ],
      nextCursor: 'Continues the list.',
    },
  },
  saveConsent: { body: { ...CONSENT_TEXTS, state: 'given or withdrawn.' } },
  acceptInvite: { body: { token: 'The token of the invitation.' } },
  changeEmail: {
    body: { newEmail: 'The new address, used once it is confirmed.' },
    response: { confirmationUrl: 'The link that confirms the change; in the local run only.' },
  },
  showConfirmEmail: { path: { token: 'The signed token of the link.' } },
  confirmEmail: { path: { token: 'The signed token of the link.' } },
  getFcmConfig: { response: { fcmConfig: 'The text of the service-account JSON.' } },
  saveFcmConfig: { body: { fcmConfig: 'The text of the service-account JSON.' } },
  getApnConfig: {
    response: {
      KeyId: 'The ID of the APNs key.',
      Key: 'The text of the .p8 file.',
      TeamId: 'The ID of the Apple developer team.',
      Topic: 'The bundle ID of the app.',
    },
  },
  saveApnConfig: {
    body: {
      KeyId: 'The ID of the APNs key.',
      Key: 'The text of the .p8 file.',
      TeamId: 'The ID of the Apple developer team.',
      Topic: 'The bundle ID of the app.',
    },
  },
  send: {
    query: {
      dryRun: 'true: nothing is stored or sent.',
      locale: 'For a dry run: the language to render in, as if the user had it.',
    },
    response: {
      trackingId:
        'The ID of the notification, for its delivery log. For a topic, its log counts the notifications of the members, whose topic_tracking_id it is, and DELETE /sender/scheduler/{trackingId} stops the rest.',
      messages: 'The reason for every channel that will not be sent.',
      waiting: 'The channels that are accepted but not sent yet; absent if there are none.',
      topic: [
        'For a dry run to a topic: its members.',
        {
          members: 'Number of users in the topic.',
          sampleUserId: 'The first member, whose routing is shown.',
        },
      ],
      routing: [
        'The decision for each channel, unless it is sent to a topic: each member has their own.',
        {
          routing: 'The decision.',
          reason: 'Why the channel is not sent, as in the delivery log.',
          dueAt: 'Of a dry run: due time of a later step.',
          heldUntil: 'Of a dry run: end of the quiet hours or pause.',
          content: 'Of a dry run: the content as it would be sent.',
          missing: 'Of a dry run: variables in the content that have no value.',
          missingTranslations:
            'Of a dry run: keys that the language lacks, with the language that was used instead.',
          locale: 'Of a dry run: the language of the template variant.',
          ...TEXT_FACTS_TEXTS,
        },
      ],
    },
  },
  resendLog: {
    path: { trackingId: 'The tracking ID of the notification.' },
    body: { channel: 'Only this channel; without it, every channel that failed.' },
    response: {
      resent: [
        'What is sent again, one entry for each failed message.',
        {
          trackingId: 'The ID of the new notification.',
          messages: 'The reason for every channel that will not be sent.',
        },
      ],
    },
  },
  sendBulk: {
    body: {
      notifications:
        '1 to 100 bodies of POST /send. Each has an idempotency key of its own, from the header and its place.',
    },
    response: {
      results: [
        'One result for each notification, in the order requested.',
        {
          error: [
            'The error.',
            {
              code: 'Error code, from a fixed list.',
              message: 'A description of the error.',
              fix: 'The suggested next step.',
              docs: 'The address of the code on the page of errors, relative to the address of the API.',
              errors: 'The problems one by one; their paths are within the entry.',
            },
          ],
        },
      ],
    },
  },
  reschedule: { response: { scheduledFor: 'Time when it will be sent.' } },
  listTemplates: { response: { templates: 'The templates of the channel, without their content.' } },
  previewTemplate: {
    response: {
      content: 'The content as it would be sent.',
      missing: 'Variables in the content that have no value; _items[].name for a field that items lack.',
      missingTranslations: 'Translations that the language lacks.',
      ...TEXT_FACTS_TEXTS,
      notes: 'Content that was omitted, such as links that the account does not allow.',
    },
  },
  listTemplateVersions: {
    response: { versions: 'The version that sends, then earlier ones, newest first.' },
  },
  getTemplateVersion: { path: { version: 'The number of the version.' } },
  addTopicUsers: {
    body: { userIds: 'IDs of 1 to 100 users.' },
    response: { added: 'The number of added users.', members: 'Number of users now in the topic.' },
  },
  removeTopicUsers: {
    response: { removed: 'The number of removed users.', members: 'Number of users now in the topic.' },
  },
  listTopics: { response: { topics: 'The topics.' } },
  listTopicUsers: { response: { users: 'The members.' } },
  listUserTopics: { response: { topics: 'The topics that the user is a member of.' } },
  trackOpen: { path: { token: 'The signed token of the link.' } },
  listTranslations: { response: { translations: 'Languages that have translations.' } },
  getTranslations: { path: { locale: 'The language: a language tag (BCP 47), such as de or pt-BR.' } },
  showUnsubscribe: { path: { token: 'The signed token of the link.' } },
  unsubscribe: {
    query: {
      undo: "true restores the recipient's choice from before they unsubscribed, if the type still offers it.",
      all: 'true for all marketing on the channel of the message, if the type has that purpose.',
    },
  },
  savePreferencesPage: {
    query: { renew: "true emails a new link to the user's present address instead, at most once a day." },
  },
  listUsers: {
    query: {
      cursor: 'nextToken of the previous page.',
      nextToken: 'Another name of cursor.',
      email: 'Finds the users who have this email address now, in any spelling of case.',
      number: 'Finds the users who have this phone number now.',
      prefix:
        'Finds the users whose ID starts with this text, in any case. A page may be empty and still have a nextToken.',
    },
    response: {
      users: 'The users, newest first. Users with an address are sorted by ID.',
      nextToken: 'Send it as cursor or nextToken for the next page; absent at the end.',
    },
  },
  deleteUser: {
    response: {
      erasure: [
        'The progress of the erasure.',
        {
          state:
            'running until everything is erased, then done. Logs with a delivery in progress are erased again after two minutes, and what was accepted in the two minutes before the request is searched for two minutes after it.',
          erasedLogs: 'Number of logs erased so far.',
        },
      ],
    },
  },
  suppressUser: {
    body: {
      reason: 'Bounce or Complaint; Complaint by default.',
      details:
        'Any data to store with the user. For the address, only bounceType, bounceSubType, complaintSubType, complaintFeedbackType, status and timestamp are kept.',
    },
  },
  listSuppressions: {
    query: {
      channel: 'EMAIL, the only channel with suppressions.',
      reason: 'Returns only suppressions for this reason.',
      address: 'Looks up one address, in any spelling of case.',
    },
    response: {
      suppressions: [
        'The suppressed addresses, newest first.',
        {
          address: 'The address, in lower case.',
          reason: 'Bounce or Complaint.',
          createdAt: 'Time of the bounce, the complaint or the request; absent if unknown.',
          detail:
            'What the server stated: bounceType, bounceSubType, complaintFeedbackType, complaintSubType, and status (RFC 3463).',
        },
      ],
    },
  },
  suppressAddress: {
    path: { channel: 'EMAIL, the only channel with suppressions.', address: 'The address.' },
    body: { reason: 'Bounce or Complaint; Complaint by default.' },
  },
  liftAddress: { path: { channel: 'EMAIL, the only channel with suppressions.', address: 'The address.' } },
  connectChat: {
    body: { code: 'The authorization code.', redirect_uri: 'The redirect URI of the authorization.' },
  },
  listChatChannels: {
    response: {
      channels: [
        'The channels of the workspace.',
        {
          id: 'The ID of the channel.',
          name: 'The name of the channel.',
          isPrivate: 'True if the channel is private.',
          isMember: 'True if the app is a member of the channel.',
        },
      ],
    },
  },
  listWaiting: {
    response: {
      scheduled: [
        'Scheduled notifications of the user.',
        { type: 'The notification type.', scheduledFor: 'Time when it will be sent.' },
      ],
      digests: [
        'Digests that are collecting for the user.',
        {
          type: 'The notification type.',
          delivery: 'The delivery option.',
          sendAt: 'Time when the digest is sent.',
          trackingIds: 'The notifications that it has collected.',
        },
      ],
      held: [
        'Channels that quiet hours or a pause hold.',
        {
          type: 'The notification type.',
          reason: 'QUIET_HOURS, or PAUSED for a pause of the user.',
          heldUntil: 'Time when it is evaluated again.',
        },
      ],
      steps: [
        'Channels of later steps.',
        {
          type: 'The notification type.',
          when: 'The condition of the step.',
          dueAt: 'Time when the step is due.',
        },
      ],
    },
  },
  createErasure: {
    body: {
      userId: 'The ID of a user.',
      email: 'An email address of the person.',
      number: 'A phone number of the person.',
    },
    response: {
      erasures: [
        'The erasures that were started or continued.',
        {
          environmentId: 'The environment.',
          userId: 'The user, or the address of somebody who is no user.',
          state: 'running or done.',
          erasedLogs: 'How many logs are erased so far.',
        },
      ],
      notCovered: 'What the erasure does not reach.',
    },
  },
  listErasures: {
    query: { limit: 'The maximum number of receipts per page, 1 to 100.' },
    response: {
      erasures: [
        'The receipts, newest first.',
        {
          person: 'A hash of the environment and the user, which only this deployment can compute.',
          environmentId: 'The environment.',
          askedBy: 'The key or member that requested it.',
          requestedAt: 'The time of the request.',
          finishedAt: 'The time when the last log was erased.',
          erasedLogs: 'How many logs were erased.',
          kept: 'What is kept and why.',
        },
      ],
      nextCursor: 'Continues the list.',
    },
  },
  removeDevice: { path: { device: 'The push token, or the endpoint of the web push subscription.' } },
  createExport: {
    path: { userId: 'The ID of the user, an email address or a phone number.' },
    response: {
      state: 'running until everything is read, then ready.',
      requestedAt: 'Time of the request.',
      readyAt: 'Time when the file was complete.',
      expiresAt: 'Time when link and file end, after seven days.',
      sizeBytes: 'Size of the file.',
      url: 'The link to the file, once it is ready. It needs no credential: anybody who has it can read the file.',
    },
  },
  getExport: { path: { userId: 'The ID of the user, an email address or a phone number.' } },
  downloadExport: {
    path: { token: 'The signed token of the link.' },
    query: { offset: 'Bytes to skip, to continue a large file.' },
  },
  saveManyUsers: {
    body: { users: '1 to 100 bodies of POST /users/{userId}, each with id.' },
    response: {
      results: ['One result for each user, in the order requested.', { user: 'The user as stored.' }],
    },
  },
  listAllWaiting: { response: { waiting: 'What waits, next due first.' } },
  moveWaiting: {
    path: { waitingId: 'The waitingId of the entry.' },
    body: { until: 'now, or an ISO 8601 time with Z or offset, at most one year ahead.' },
    response: { until: 'The new time.' },
  },
  cancelWaiting: { path: { waitingId: 'The waitingId of the entry.' } },
  saveEventWebhook: {
    body: {
      webhook: 'The URL that events are posted to.',
      events: 'The events that the webhook receives.',
      rotateSecret: 'true: the webhook gets a new secret, once per idempotency key.',
    },
    response: {
      webhookId: 'The ID of the webhook.',
      webhook: 'The URL that events are posted to.',
      events: 'The events that the webhook receives.',
      secret: 'The secret that signs the calls.',
    },
  },
  getEventWebhook: {
    response: {
      webhookId: 'The ID of the webhook.',
      webhook: 'The URL that events are posted to.',
      events: 'The events that the webhook receives.',
      secret: 'The secret that signs the calls.',
      disabled: 'True if the webhook is off.',
      formerSecretUntil: 'The time until which calls are also signed with former secrets.',
      disabledReason: 'Why it is off.',
      attempts: 'The last calls of the webhook, newest first.',
    },
  },
  listWebhookCalls: {
    query: {
      event: 'Only calls for this event.',
      outcome: 'Only calls with this outcome.',
      from: 'Only calls whose first attempt was at this time or later.',
      to: 'Only calls whose first attempt was until this time.',
      limit: 'The maximum number of entries.',
    },
    response: {
      calls: 'The calls, newest first.',
      nextCursor: 'The cursor of the next page; absent on the last one.',
    },
  },
  resendWebhookCall: { path: { callId: 'The ID of the call, from the list of calls.' } },
  testEventWebhook: {
    body: { eventType: 'The event to send.' },
    response: { eventType: 'The event that was sent.' },
  },
};
