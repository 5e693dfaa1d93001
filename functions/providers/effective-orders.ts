import type { Account } from '../../shared/database/entities/accounts.ts';
import { findOwnOrder, orderOf } from '../../shared/providers/own-order.ts';
import {
  type OrderedChannel,
  type ProviderOrder,
  providerOrder,
} from '../../shared/providers/provider-order.ts';
import type { ProviderOrderAnswer } from '../../shared/schemas/provider-order.ts';

/** The deployment's order of a channel. */
export function deploymentOrder(channel: OrderedChannel): ProviderOrder {
  return {
    EMAIL: () => providerOrder('EMAIL_PROVIDER'),
    SMS: () => providerOrder('SMS_PROVIDER'),
    CALL: () => providerOrder('CALL_PROVIDER'),
  }[channel]();
}

/** The order of an account, as returned. */
export function orderAnswer(account: Account, channel: OrderedChannel): ProviderOrderAnswer {
  const deployment = deploymentOrder(channel);
  const order = orderOf(account, channel, deployment);
  return {
    channel,
    ownOrder: findOwnOrder(account, channel)?.order !== undefined,
    order: order.map(({ text }) => ({
      provider: text,
      own: deployment.every((entry) => entry.text !== text),
    })),
  };
}
