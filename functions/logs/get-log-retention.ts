import { accounts, retentionDaysOf } from '../../shared/database/entities/accounts/accounts.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getLogRetentionRoute } from './routes.ts';

export const handler = endpoint(getLogRetentionRoute, { accounts }, async ({ accounts, caller }) => ({
  retentionInDays: retentionDaysOf(await accounts.get(caller.accountId)),
}));
