import type { PushDelivery } from '../../../../shared/channels/channel.ts';

/** A push delivery without tokens and configuration. */
export function buildPush(overrides: Partial<PushDelivery> = {}): PushDelivery {
  return {
    trackingId: 'tracking-1',
    accountId: 'account-1',
    environmentId: 'environment-1',
    notificationId: 'order_shipped',
    userId: 'user-1',
    attempt: 1,
    tokens: [],
    title: 'Shipped',
    message: 'Your order is on its way',
    ...overrides,
  };
}

export function fcmToken(token: string): PushDelivery['tokens'][number] {
  return { type: 'FCM', token };
}

export function apnToken(
  token: string,
  more: Partial<PushDelivery['tokens'][number]> = {},
): PushDelivery['tokens'][number] {
  return { type: 'APN', token, ...more };
}
