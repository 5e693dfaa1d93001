import type { DeliveryBase, DeliveryByChannel } from '../../../../shared/channels/channel.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';

/** The time of every delivery. */
export const NOW_MS = Date.parse('2026-11-21T08:30:00.000Z');

const baseOf = (attempt: number): DeliveryBase => ({
  trackingId: 'tracking',
  accountId: 'account',
  environmentId: 'environment',
  notificationId: 'welcome',
  userId: 'ada',
  attempt,
});

/** A delivery to each of `to`. */
export const DELIVERIES: { [C in Channel]: (to: string[], attempt: number) => DeliveryByChannel[C] } = {
  EMAIL: ([to = ''], attempt) => ({
    ...baseOf(attempt),
    to,
    from: { address: 'from@example.com' },
    subject: 's',
    html: 'h',
    text: 't',
    replyToAddresses: [],
    ccAddresses: [],
    bccAddresses: [],
    attachments: [],
    headers: [],
  }),
  INAPP_WEB: ([userId = ''], attempt) => ({
    ...baseOf(attempt),
    userId,
    title: 't',
    acceptedAtMs: NOW_MS,
    parameters: {},
    deliveryOptions: {},
    expiresAtSeconds: 0,
  }),
  SMS: ([to = ''], attempt) => ({ ...baseOf(attempt), to, message: 'm', mediaUrls: [] }),
  CALL: ([to = ''], attempt) => ({ ...baseOf(attempt), to, message: 'm' }),
  PUSH: (to, attempt) => ({
    ...baseOf(attempt),
    tokens: to.map((token) => ({
      type: token.endsWith('~APN') ? 'APN' : 'FCM',
      token: token.replace('~APN', ''),
    })),
    title: 't',
    message: 'm',
  }),
  WEB_PUSH: (to, attempt) => ({
    ...baseOf(attempt),
    subscriptions: to.map((endpoint) => ({ sub: { endpoint, keys: { p256dh: 'p', auth: 'a' } } })),
    title: 't',
    message: 'm',
    vapid: { publicKey: 'p', privateKey: 'k', subject: 'mailto:a@example.com' },
  }),
  CHAT: ([chatChannel = ''], attempt) => ({ ...baseOf(attempt), chatChannel, content: { text: 't' } }),
};
