import { connections } from '../../shared/database/entities/connections.ts';
import { keyring } from '../../shared/database/entities/data-keys.ts';
import { clientSecretContext, environments } from '../../shared/database/entities/environments.ts';
import { creationOf } from '../../shared/domain/creation.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { connectionEnds } from '../../shared/providers/realtime.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { randomText } from '../../shared/runtime/ids.ts';
import { environmentAnswer } from './environment-answer.ts';
import { updateEnvironmentRoute } from './routes.ts';

export const handler = endpoint(
  updateEnvironmentRoute,
  { environments, keyring, connections, connectionEnds },
  async (input) => {
    const { environments, keyring, connections, connectionEnds, caller, path, body, request } = input;
    const { accountId } = caller;
    const { clientId } = path;
    const { resetSecret, ...change } = body;
    const changed = await environments.update(accountId, clientId, change);
    const secret = async () => ({
      sealed: await keyring.encrypt(clientSecretContext(accountId, clientId), randomText(40)),
      creation: creationOf(updateEnvironmentRoute, input),
      nowMs: request.receivedAtMs,
    });
    const updated =
      changed && resetSecret ? await environments.resetSecret(accountId, clientId, await secret()) : changed;
    if (!updated) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The environment does not exist in this account.',
        fix: 'GET /environments lists the environments of the account.',
      });
    }
    if (change.secureMode)
      for await (const open of connections.listOfEnvironment(clientId)) await connectionEnds.end(open);
    return environmentAnswer(keyring, updated);
  },
);
