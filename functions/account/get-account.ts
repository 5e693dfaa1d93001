import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { accountResponse } from './account-response.ts';
import { getAccountRoute } from './routes.ts';

export const handler = endpoint(getAccountRoute, { accounts }, async ({ accounts, caller }) =>
  accountResponse(await accounts.get(caller.accountId)),
);
