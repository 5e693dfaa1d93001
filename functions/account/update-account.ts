import { accounts } from '../../shared/database/entities/accounts.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accountAnswer } from './account-answer.ts';
import { updateAccountRoute } from './routes.ts';

export const handler = endpoint(updateAccountRoute, { accounts }, async ({ accounts, caller, body }) =>
  accountAnswer(await accounts.update(caller.accountId, body)),
);
