import {
  clientSecretContext,
  type Environment,
} from '../../shared/database/entities/accounts/environments.ts';
import type { Keyring } from '../../shared/encryption/keyring.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { EnvironmentResponse } from '../../shared/schemas/account/environment.ts';

export async function environmentResponse(
  keyring: Keyring,
  environment: Environment,
): Promise<EnvironmentResponse> {
  const {
    accountId,
    environmentId,
    title,
    disableSending,
    secureMode,
    createTypes = true,
    onlyTo = [],
    endsAtMs,
    sealedSecret,
  } = environment;
  return {
    clientId: environmentId,
    clientSecret: await keyring.decrypt(clientSecretContext(accountId, environmentId), sealedSecret),
    title,
    disableSending,
    secureMode,
    createTypes,
    onlyTo,
    ...(endsAtMs === undefined ? {} : { expiresAt: isoOf(endsAtMs) }),
  };
}

export const environmentNotFound = () =>
  new AppError('RESOURCE_NOT_FOUND', {
    message: 'The environment does not exist in this account.',
    fix: 'GET /environments lists the environments of the account.',
  });
