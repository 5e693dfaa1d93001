import { keyring } from '../../shared/database/entities/accounts/data-keys.ts';
import {
  clientSecretContext,
  environments,
  vapidContext,
} from '../../shared/database/entities/accounts/environments.ts';
import { connections } from '../../shared/database/entities/inapp/connections.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { generateVapidPair } from '../../shared/encryption/vapid.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { connectionEnds } from '../../shared/providers/clients/realtime.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { randomText } from '../../shared/runtime/values/ids.ts';
import { environmentNotFound, environmentResponse } from './environment-response.ts';
import { updateEnvironmentRoute } from './routes.ts';

export const handler = endpoint(
  updateEnvironmentRoute,
  { environments, keyring, connections, connectionEnds },
  async (input) => {
    const { environments, keyring, connections, connectionEnds, caller, path, body, request } = input;
    const { accountId } = caller;
    const { clientId } = path;
    const { resetSecret, resetVapidKey, ...change } = body;
    const changed = await environments.update(accountId, clientId, change);
    const secrets = async () => {
      const { publicKey, privateKey } = generateVapidPair();
      const [secret, sealed] = await Promise.all([
        keyring.encrypt(clientSecretContext(accountId, clientId), randomText(40)),
        keyring.encrypt(vapidContext(accountId, clientId), privateKey),
      ]);
      return {
        ...defined({
          secret: resetSecret ? secret : undefined,
          vapid: resetVapidKey ? { publicKey, sealed } : undefined,
        }),
        creation: creationOf(updateEnvironmentRoute, input),
        nowMs: request.receivedAtMs,
      };
    };
    const updated =
      changed && (resetSecret || resetVapidKey)
        ? await environments.resetSecrets(accountId, clientId, await secrets())
        : changed;
    if (!updated) throw environmentNotFound();
    if (change.secureMode)
      for await (const open of connections.listOfEnvironment(clientId)) await connectionEnds.end(open);
    return environmentResponse(keyring, updated);
  },
);
