import { accountCreation } from '../../shared/database/entities/account-creation.ts';
import { keyring } from '../../shared/database/entities/data-keys.ts';
import { environments } from '../../shared/database/entities/environments.ts';
import { creationOf } from '../../shared/domain/creation.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { environmentAnswer } from './environment-answer.ts';
import { createEnvironmentRoute } from './routes.ts';

export const handler = endpoint(
  createEnvironmentRoute,
  { accountCreation, environments, keyring },
  async (input) => {
    const { accountCreation, environments, keyring, caller, body, request } = input;
    const creation = creationOf(createEnvironmentRoute, input);
    const environment = await accountCreation.buildEnvironment(
      caller.accountId,
      body.title,
      true,
      request.receivedAtMs,
      creation,
    );
    return environmentAnswer(keyring, await environments.create(environment, creation));
  },
);
