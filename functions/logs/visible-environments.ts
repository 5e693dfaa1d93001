import type { Environments } from '../../shared/database/entities/accounts/environments.ts';
import type { Caller } from '../../shared/http/access/caller.ts';

/** The environments in an account-wide list: all of the account's, or only the environment that the key is bound to. */
export async function visibleEnvironmentIds(environments: Environments, caller: Caller): Promise<string[]> {
  if (caller.boundToEnvironment) return [caller.environmentId];
  return (await environments.listAll(caller.accountId)).map((environment) => environment.environmentId);
}
