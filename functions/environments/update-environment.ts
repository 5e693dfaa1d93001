import { keyring } from '../../shared/database/entities/data-keys.ts';
import { clientSecretContext, environments } from '../../shared/database/entities/environments.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { randomText } from '../../shared/runtime/ids.ts';
import { environmentAnswer } from './environment-answer.ts';
import { updateEnvironmentRoute } from './routes.ts';

export const handler = endpoint(
  updateEnvironmentRoute,
  { environments, keyring },
  async ({ environments, keyring, caller, path, body }) => {
    const { accountId } = caller;
    const { title, disableSending, secureMode } = body;
    const updated = await environments.update(accountId, path.clientId, {
      ...(title === undefined ? {} : { title }),
      ...(disableSending === undefined ? {} : { disableSending }),
      ...(secureMode === undefined ? {} : { secureMode }),
      ...(body.resetSecret
        ? {
            sealedSecret: await keyring.encrypt(
              clientSecretContext(accountId, path.clientId),
              randomText(40),
            ),
          }
        : {}),
    });
    if (!updated) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The environment does not exist in this account.',
        fix: 'GET /environments lists the environments of the account.',
      });
    }
    return environmentAnswer(keyring, updated);
  },
);
