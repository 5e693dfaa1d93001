import { clientSecretContext, type Environment } from '../../shared/database/entities/environments.ts';
import type { Keyring } from '../../shared/encryption/keyring.ts';
import type { EnvironmentAnswer } from '../../shared/schemas/environment.ts';

/** An environment as returned, with its client secret in plaintext. */
export async function environmentAnswer(
  keyring: Keyring,
  environment: Environment,
): Promise<EnvironmentAnswer> {
  const { accountId, environmentId, title, disableSending, secureMode, sealedSecret } = environment;
  return {
    clientId: environmentId,
    clientSecret: await keyring.decrypt(clientSecretContext(accountId, environmentId), sealedSecret),
    title,
    disableSending,
    secureMode,
  };
}
