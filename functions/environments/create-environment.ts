import { accountCreation } from '../../shared/database/entities/account-creation.ts';
import { environments } from '../../shared/database/entities/environments.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createEnvironmentRoute } from './routes.ts';

export const handler = endpoint(
  createEnvironmentRoute,
  { accountCreation, environments },
  async ({ accountCreation, environments, caller, body, request }) => {
    const { environment, clientSecret } = await accountCreation.buildEnvironment(
      caller.accountId,
      body.title,
      true,
      request.receivedAtMs,
    );
    await environments.create(environment);
    const { environmentId, title, disableSending, secureMode } = environment;
    return { clientId: environmentId, clientSecret, title, disableSending, secureMode };
  },
);
