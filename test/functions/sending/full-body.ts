import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';

/** What the first send of a type reports. */
export const CREATED = 'The notification type did not exist: it is created by this request.';

const RECIPIENT = {
  id: 'ada',
  email: 'ada@example.com',
  number: '+14155550123',
  pushTokens: [
    {
      type: 'APN',
      token: 'apn-token',
      device: {
        app_id: 'app',
        ad_id: 'ad',
        device_id: 'device',
        platform: 'iOS',
        manufacturer: 'Apple',
        model: 'iPhone',
      },
      environment: 'sandbox',
    },
  ],
  webPushTokens: [
    { sub: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p256dh', auth: 'auth' } } },
  ],
  timezone: 'Europe/Berlin',
  locale: 'pt-BR',
  chatChannel: '#general',
  attributes: { plan: 'attribute-secret' },
  chatToken: {
    provider: 'slack',
    webhookUrl: 'https://discord.com/api/webhooks/1/token',
    access_token: 'chat-token-secret',
    app_id: 'A1',
    authed_user: {
      access_token: 'chat-token-secret',
      expires_in: 43_200,
      id: 'U1',
      refresh_token: 'chat-token-secret',
      scope: 'chat:write',
      token_type: 'user',
    },
    bot_user_id: 'B1',
    enterprise: { id: 'E1', name: 'Enterprise' },
    error: 'none',
    expires_in: 43_200,
    incoming_webhook: {
      channel: '#general',
      channel_id: 'C1',
      configuration_url: 'https://chat.example.com/configure',
      url: 'https://chat.example.com/hook',
    },
    is_enterprise_install: false,
    needed: 'chat:write',
    ok: true,
    provided: 'chat:write',
    refresh_token: 'chat-token-secret',
    scope: 'chat:write',
    team: { id: 'T1', name: 'Team' },
    token_type: 'bot',
    warning: 'none',
    response_metadata: {
      warnings: ['w'],
      next_cursor: 'n',
      scopes: ['s'],
      acceptedScopes: ['a'],
      retryAfter: 1,
      messages: ['m'],
    },
  },
} as const;

/** A request with every field, including legacy fields. */
export const FULL_BODY = {
  notificationId: 'legacy-type',
  user: RECIPIENT,
  mergeTags: { name: 'Legacy', old: 'kept' },
  replace: { '[[name]]': 'Ada' },
  type: 'welcome',
  to: RECIPIENT,
  forceChannels: ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'CHAT'],
  parameters: { name: 'Ada', nested: { list: [1, true, null, 'x'] } },
  secondaryId: 'legacy-sub',
  templateId: 'spring',
  subNotificationId: 'order-1',
  options: {
    email: {
      replyToAddresses: ['reply@example.com'],
      ccAddresses: ['cc@example.com'],
      bccAddresses: ['bcc@example.com'],
      fromAddress: 'from@example.com',
      fromName: 'From',
      attachments: [{ filename: 'invoice.pdf', url: 'https://example.com/invoice.pdf', contentId: 'logo' }],
      condition: '{{ name }}',
      retryHours: 12,
      tracking: { opens: true, clicks: false },
      thread: 'order-1',
      headers: { 'X-Campaign': 'spring' },
    },
    sms: { validitySeconds: 300, messageType: 'transactional', maxPrice: 0.05 },
    call: { machineDetection: true, timeoutSeconds: 20, maxMinutes: 2 },
    apn: {
      expiry: 60,
      priority: 10,
      collapseId: 'collapse',
      threadId: 'thread',
      badge: 3,
      sound: 'ping',
      contentAvailable: true,
      mutableContent: true,
      category: 'orders',
      interruptionLevel: 'time-sensitive',
    },
    fcm: {
      android: {
        collapseKey: 'key',
        priority: 'high',
        ttl: 60,
        restrictedPackageName: 'com.example',
        channelId: 'orders',
        sound: 'ping',
        icon: 'order',
      },
    },
    web_push: { topic: 'orders', urgency: 'high', ttl: 60 },
    push: { customData: { one: '1', two: '2', three: '3' } },
    steps: [{ channels: ['PUSH'] }, { channels: ['SMS'], after: 'PT30M', when: 'always' }],
  },
  schedule: '2026-11-22T08:30:00Z',
  urgent: true,
  sensitive: false,
  email: {
    subject: 'Welcome {{ name }}',
    text: 'Hello {{ name }}',
    html: '<p>{{ name }}</p>',
    previewText: 'Hello',
    senderName: 'Sender',
    senderEmail: 'sender@example.com',
  },
  locale: 'en',
  metadata: { orderId: '7' },
  inapp: {
    title: 'In-app',
    url: 'https://example.com',
    image: 'https://example.com/i.png',
    body: 'More',
    actions: [{ label: 'Open', url: 'https://example.com' }],
  },
  sms: {
    message: 'Text',
    mediaUrls: ['https://example.com/m.png'],
    autoReply: { message: 'Thanks' },
    from: '+14155550199',
  },
  call: { message: 'Call', language: 'en-GB', voice: 'Polly.Amy', repeat: 2 },
  web_push: {
    title: 'Web',
    message: 'Push',
    icon: 'https://example.com/icon.png',
    url: 'https://example.com',
    image: 'https://example.com/large.png',
    badge: 'https://example.com/badge.png',
    tag: 'order',
    actions: [{ action: 'view', title: 'View', url: 'https://example.com/order' }],
  },
  mobile_push: {
    title: 'Mobile',
    message: 'Push',
    url: 'https://example.com',
    image: 'https://example.com/large.png',
  },
  chat: {
    text: 'Chat',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*hi*' } }],
    username: 'bot',
    icon: ':tada:',
    thread_ts: '1700000000.000100',
    reply_broadcast: true,
    parse: 'full',
    link_names: true,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    metadata: {
      entities: [
        {
          entity_type: 'task',
          entity_payload: { id: 1 },
          external_ref: { id: 'r', type: 't' },
          url: 'https://example.com',
          app_unfurl_url: 'https://example.com/u',
        },
      ],
      event_type: 'created',
      event_payload: { id: 1 },
    },
  },
} as const;

/** As the log keeps it: without the chat tokens, which are credentials. */
export function loggedBody(): unknown {
  const { chatToken: _user, attributes: __user, ...user } = FULL_BODY.user;
  const { chatToken: _to, attributes: __to, ...to } = FULL_BODY.to;
  return { ...FULL_BODY, user, to };
}

/** The smallest request that sends something. */
export const MINIMAL_BODY = {
  type: 'welcome',
  to: { id: 'ada', email: 'ada@example.com' },
  email: { subject: 'Hello', html: '<p>Hello</p>' },
} satisfies SendRequest;
