import { connections } from '../../shared/database/entities/connections.ts';
import { keyring } from '../../shared/database/entities/data-keys.ts';
import { clientSecretContext, environments } from '../../shared/database/entities/environments.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { connectionEnds } from '../../shared/providers/realtime.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { randomText } from '../../shared/runtime/ids.ts';
import { environmentAnswer } from './environment-answer.ts';
import { updateEnvironmentRoute } from './routes.ts';

export const handler = endpoint(
  updateEnvironmentRoute,
  { environments, keyring, connections, connectionEnds },
  async ({ environments, keyring, connections, connectionEnds, caller, path, body }) => {
    const { accountId } = caller;
    const { clientId } = path;
    const { resetSecret, ...change } = body;
    const newSecret = () => keyring.encrypt(clientSecretContext(accountId, clientId), randomText(40));
    const updated = await environments.update(accountId, clientId, {
      ...change,
      ...defined({ sealedSecret: resetSecret ? await newSecret() : undefined }),
    });
    if (!updated) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The environment does not exist in this account.',
        fix: 'GET /environments lists the environments of the account.',
      });
    }
    if (change.secureMode || resetSecret)
      for await (const open of connections.listOfEnvironment(clientId)) await connectionEnds.end(open);
    return environmentAnswer(keyring, updated);
  },
);
