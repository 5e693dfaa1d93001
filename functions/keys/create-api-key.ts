import { accounts } from '../../shared/database/entities/accounts.ts';
import { apiKeys } from '../../shared/database/entities/api-keys.ts';
import { environments } from '../../shared/database/entities/environments.ts';
import { creationOf } from '../../shared/domain/creation.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { createApiKeyRoute } from './routes.ts';

export const handler = endpoint(createApiKeyRoute, { apiKeys, environments, accounts }, async (input) => {
  const { apiKeys, environments, accounts, caller, body, request } = input;
  const { accountId } = caller;
  if (body.environmentId && !(await environments.find(accountId, body.environmentId))) {
    throw new AppError('RESOURCE_NOT_FOUND', {
      message: 'The environment does not exist in this account.',
      fix: 'GET /environments lists the environments of the account.',
    });
  }
  const account = await accounts.get(accountId);
  return apiKeys.create({
    accountId,
    keyType: body.keyType,
    name: body.name,
    defaultEnvironmentId: account.defaultEnvironmentId,
    nowMs: request.receivedAtMs,
    creation: creationOf(createApiKeyRoute, input),
    ...defined({ environmentId: body.environmentId || undefined, issuedBy: caller.memberId || undefined }),
  });
});
