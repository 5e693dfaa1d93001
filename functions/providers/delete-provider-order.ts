import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { ownProviders } from '../../shared/database/entities/settings/own-providers.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { findOwnOrder, OWN_ORDERS } from '../../shared/providers/order/provider-order.ts';
import { deleteProviderOrderRoute } from './routes.ts';

export const handler = endpoint(
  deleteProviderOrderRoute,
  { accounts, ownProviders },
  async ({ accounts, ownProviders, caller: { accountId }, path: { channel }, request }) => {
    const own = findOwnOrder(await accounts.get(accountId), channel);
    const [formerFirst] = own?.order ?? [];
    if (formerFirst) {
      const changed = { changedAtMs: request.receivedAtMs, formerFirst };
      await accounts.update(accountId, { [OWN_ORDERS[channel]]: changed });
    }
    await ownProviders.delete(accountId, channel);
    return undefined;
  },
);
