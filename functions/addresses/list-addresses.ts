import { addresses } from '../../shared/database/entities/settings/addresses.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listAddressesRoute } from './routes.ts';

export const handler = endpoint(listAddressesRoute, { addresses }, async ({ addresses, caller }) => ({
  addresses: await addresses.listAll(caller.accountId),
}));
