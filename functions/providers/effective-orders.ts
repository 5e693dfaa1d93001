import type { Account } from '../../shared/database/entities/accounts.ts';
import { findOwnOrder, orderOf } from '../../shared/providers/own-order.ts';
import { deploymentOrder, type OrderedChannel } from '../../shared/providers/provider-order.ts';
import type { ProviderOrderAnswer } from '../../shared/schemas/provider-order.ts';

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
