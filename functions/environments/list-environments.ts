import { keyring } from '../../shared/database/entities/accounts/data-keys.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { environmentResponse } from './environment-response.ts';
import { listEnvironmentsRoute } from './routes.ts';

export const handler = endpoint(
  listEnvironmentsRoute,
  { environments, keyring },
  async ({ environments, keyring, caller }) => {
    const all = await environments.listAll(caller.accountId);
    const shown = all.filter(({ removedAtMs }) => removedAtMs === undefined);
    return { environments: await Promise.all(shown.map((each) => environmentResponse(keyring, each))) };
  },
);
