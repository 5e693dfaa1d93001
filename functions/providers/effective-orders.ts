import { type Account, editedParts } from '../../shared/database/entities/accounts/accounts.ts';
import { noteState } from '../../shared/database/items/edition.ts';
import {
  deploymentOrder,
  findOwnOrder,
  type OrderedChannel,
  orderOf,
} from '../../shared/providers/order/provider-order.ts';
import type { ProviderOrderResponse } from '../../shared/schemas/domains/provider-order.ts';

export function orderResponse(account: Account, channel: OrderedChannel): ProviderOrderResponse {
  noteState('providers', editedParts(account).providers);
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
