import { accounts } from '../../shared/database/entities/accounts.ts';
import { components } from '../../shared/database/entities/components.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { assertLayout } from '../templates/known-components.ts';
import { accountAnswer } from './account-answer.ts';
import { updateAccountRoute } from './routes.ts';

export const handler = endpoint(
  updateAccountRoute,
  { accounts, components },
  async ({ accounts, components, caller, body }) => {
    const { defaultLayout: layout } = body;
    await assertLayout(components, caller.environmentId, { layout }, { field: 'body.defaultLayout' });
    return accountAnswer(await accounts.update(caller.accountId, body));
  },
);
