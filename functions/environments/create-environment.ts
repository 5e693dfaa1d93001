import { accountCreation } from '../../shared/database/entities/accounts/account-creation.ts';
import { keyring } from '../../shared/database/entities/accounts/data-keys.ts';
import { environmentRemovals } from '../../shared/database/entities/accounts/environment-removals.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf } from '../../shared/http/problems/check.ts';
import { environmentResponse } from './environment-response.ts';
import { createEnvironmentRoute } from './routes.ts';

export const handler = endpoint(
  createEnvironmentRoute,
  { accountCreation, environmentRemovals, environments, keyring },
  async (input) => {
    const { accountCreation, environmentRemovals, environments, keyring, caller, body, request } = input;
    const creation = creationOf(createEnvironmentRoute, input);
    const environment = await accountCreation.buildEnvironment(
      caller.accountId,
      body.title,
      true,
      request.receivedAtMs,
      creation,
    );
    if (body.expiresAt === undefined)
      return environmentResponse(keyring, await environments.create(environment, creation));
    const endsAtMs = Date.parse(body.expiresAt);
    const { accountId, environmentId } = environment;
    // First its end: one whose creation is interrupted is found by nobody.
    await environmentRemovals.save({ accountId, environmentId }, endsAtMs);
    return environmentResponse(keyring, await environments.create({ ...environment, endsAtMs }, creation));
  },
  ({ body, nowMs }) => {
    const expiresAt = fieldsOf(body).expiresAt;
    const isPast = typeof expiresAt === 'string' && Date.parse(expiresAt) <= nowMs;
    return isPast ? [{ where: 'body.expiresAt', must: 'must be in the future' }] : [];
  },
);
