import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { CallDelivery, SmsDelivery } from '../../../../shared/channels/channel.ts';

const BASE = {
  trackingId: '01939c5e-0000-7000-8000-000000000001',
  accountId: 'acc0123456789abc',
  environmentId: 'env0123456789abc',
  notificationId: 'order_shipped',
  userId: 'user-1',
  attempt: 1,
  to: '+14155552671',
};

/** The tags that callbacks and events of a delivery return. */
export const TAGS = {
  trackingId: BASE.trackingId,
  accountId: BASE.accountId,
  environmentId: BASE.environmentId,
};

/** The query that a callback URL of a delivery carries. */
export const TAGS_QUERY = `trackingId=${TAGS.trackingId}&accountId=${TAGS.accountId}&envId=${TAGS.environmentId}`;

export function smsDelivery(overrides: Partial<SmsDelivery> = {}): SmsDelivery {
  return { ...BASE, message: 'Your order is on its way.', mediaUrls: [], from: '+15005550006', ...overrides };
}

export function callDelivery(overrides: Partial<CallDelivery> = {}): CallDelivery {
  return { ...BASE, message: 'Your order is on its way.', from: '+15005550006', ...overrides };
}

/** `delivery` without a number to send from. */
export function withoutFrom<T extends { from?: string }>(delivery: T): Omit<T, 'from'> {
  const { from: _, ...rest } = delivery;
  return rest;
}

/** Starts a fake that ends with the test. */
export async function started<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const fake = await starting;
  onTestFinished(() => fake.close());
  return fake;
}

/** A port of this machine where nobody listens. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
