import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { accountAnswer } from './account-answer.ts';
import { getAccountRoute } from './routes.ts';

export const handler = endpoint(getAccountRoute, { accounts }, async ({ accounts, caller }) =>
  accountAnswer(await accounts.get(caller.accountId)),
);
