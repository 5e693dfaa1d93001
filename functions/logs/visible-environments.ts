import type { Environments } from '../../shared/database/entities/environments.ts';
import type { Caller } from '../../shared/http/caller.ts';

/**
 * The environments that an account-wide list shows: all of the account's, or only the one to which the key is
 * bound.
 */
export async function visibleEnvironmentIds(environments: Environments, caller: Caller): Promise<string[]> {
  if (caller.boundToEnvironment) return [caller.environmentId];
  return (await environments.listAll(caller.accountId)).map((environment) => environment.environmentId);
}
