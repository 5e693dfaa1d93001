import type { PushDelivery } from '../../../../shared/channels/channel.ts';
import { DELIVERY_BASE } from '../delivery-base.ts';

/** The IDs in every payload. */
export const IDS = {
  trackingId: DELIVERY_BASE.trackingId,
  notificationId: DELIVERY_BASE.notificationId,
};

/** A push delivery without tokens and configuration. */
export function buildPush(overrides: Partial<PushDelivery> = {}): PushDelivery {
  return {
    ...DELIVERY_BASE,
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
