import type { Account, AccountProviders } from '../../database/entities/accounts/accounts.ts';
import { entriesOf, type OrderedChannel, type ProviderOrder } from './provider-order.ts';

export const OWN_ORDERS = {
  EMAIL: 'emailProviders',
  SMS: 'smsProviders',
  CALL: 'callProviders',
} as const satisfies Record<OrderedChannel, keyof Account>;

export function orderOf(
  account: Account | undefined,
  channel: OrderedChannel,
  deployment: ProviderOrder,
): ProviderOrder {
  const [first, ...rest] = entriesOf(findOwnOrder(account, channel)?.order ?? []);
  return first ? [first, ...rest] : deployment;
}

/** An account's stored order of a channel, including that it no longer has one. */
export function findOwnOrder(
  account: Account | undefined,
  channel: OrderedChannel,
): AccountProviders | undefined {
  return account?.[OWN_ORDERS[channel]];
}
