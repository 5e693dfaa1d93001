import { createHmac } from 'node:crypto';
import { validFormers } from '../../database/entities/access/former-secrets.ts';
import { keyring } from '../../database/entities/accounts/data-keys.ts';
import {
  clientSecretContext,
  type Environment,
  environments,
} from '../../database/entities/accounts/environments.ts';
import { clock, resolve } from '../../runtime/dependency.ts';
import { AppError } from '../../runtime/errors.ts';
import { isSameHash } from '../../tokens/api-key-text.ts';
import type { RawRequest } from '../endpoint/event.ts';
import type { Access } from '../rows/route.ts';
import type { Caller } from './caller.ts';

export function userHashOf(clientSecret: string, userId: string): string {
  return createHmac('sha256', clientSecret).update(userId).digest('base64');
}

/**
 * The caller with the user it acts for, where the route acts for one. With a public key in an environment in secure mode
 * the header `x-user-hash` must match; throws UNAUTHORIZED otherwise.
 */
export async function actingUser(access: Access, caller: Caller, request: RawRequest): Promise<Caller> {
  if (access === 'none' || access.self === undefined) return caller;
  const userId =
    access.self === 'userId'
      ? (request.query.userId ?? request.headers['x-user-id'])
      : request.pathParameters[access.self.pathParameter];
  if (userId === undefined || userId === '') return caller;
  if (caller.kind === 'public') await assertUserHash(caller, userId, request.headers['x-user-hash']);
  return { ...caller, userId };
}

async function assertUserHash(caller: Caller, userId: string, hash: string | undefined): Promise<void> {
  const environment = await resolve(environments).find(caller.accountId, caller.environmentId);
  if (!environment) throw new AppError('UNAUTHORIZED');
  if (!(await isUserAllowed(environment, userId, hash))) {
    throw new AppError('UNAUTHORIZED', {
      message: 'The environment is in secure mode and the user hash is missing or wrong.',
      fix: 'Send x-user-hash: base64 HMAC-SHA256 of the user ID with the client secret, computed on your server.',
    });
  }
}

/**
 * True if a browser may act for the user: always without secure mode, otherwise only with the user's hash.
 */
export async function isUserAllowed(
  environment: Environment,
  userId: string,
  hash: string | undefined,
): Promise<boolean> {
  if (!environment.secureMode) return true;
  if (hash === undefined) return false;
  const context = clientSecretContext(environment.accountId, environment.environmentId);
  const formers = validFormers(environment, resolve(clock).now()).map(({ sealed }) => sealed);
  for (const sealed of [environment.sealedSecret, ...formers]) {
    const secret = await resolve(keyring).decrypt(context, sealed);
    if (isSameHash(hash, userHashOf(secret, userId))) return true;
  }
  return false;
}
