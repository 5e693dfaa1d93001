import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { SCOPES } from '../../shared/schemas/account/api-key.ts';
import { environmentNotFound } from '../environments/environment-response.ts';
import { createApiKeyRoute } from './routes.ts';

export const handler = endpoint(createApiKeyRoute, { apiKeys, environments, accounts }, async (input) => {
  const { apiKeys, environments, accounts, caller, body, request } = input;
  const { accountId } = caller;
  if (body.environmentId && !(await environments.find(accountId, body.environmentId))) {
    throw environmentNotFound();
  }
  const scopes = body.scopes ? SCOPES.filter((each) => body.scopes?.includes(each)) : caller.scopes;
  const wider = scopes?.find((each) => caller.scopes && !caller.scopes.includes(each));
  if (wider !== undefined) {
    throw new AppError('FORBIDDEN_KEY_TYPE', {
      message: `A key without the scope ${wider} may not issue a key with it.`,
      fix: 'Create the key with an access token, or with a key that has the scope.',
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
    ...defined({
      environmentId: body.environmentId || undefined,
      issuedBy: caller.memberId || undefined,
      scopes: scopes && [...scopes],
    }),
  });
});
