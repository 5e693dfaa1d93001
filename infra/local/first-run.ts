import { accountCreation } from '../../shared/database/entities/account-creation.ts';
import { accountList } from '../../shared/database/entities/account-list.ts';
import { type Account, accounts } from '../../shared/database/entities/accounts.ts';
import { apiKeys } from '../../shared/database/entities/api-keys.ts';
import { members } from '../../shared/database/entities/members.ts';
import { clock, resolve } from '../../shared/runtime/dependency.ts';

/** The data that a newcomer needs to call the API. */
export type LocalAccount = {
  accountId: string;
  environmentId: string;
  secretKey: string;
  publicKey: string;
  isNew: boolean;
};

/**
 * The account of this data folder: created on the first run, found again on later ones. Missing keys are
 * issued.
 */
export async function openLocalAccount(): Promise<LocalAccount> {
  const nowMs = resolve(clock).now();
  const [knownId] = await resolve(accountList).listIds();
  const found = knownId === undefined ? undefined : await resolve(accounts).find(knownId);
  const account = found ?? (await createAccount(nowMs));
  const { accountId, defaultEnvironmentId: environmentId } = account;
  const [secretKey, publicKey] = [
    await createKey(account, 'secret', nowMs),
    await createKey(account, 'public', nowMs),
  ];
  return { accountId, environmentId, secretKey, publicKey, isNew: found === undefined };
}

async function createAccount(nowMs: number): Promise<Account> {
  const named = { name: 'My account', adminEmail: 'admin@example.com', environmentTitle: 'Development' };
  const account = { ...named, secureMode: false, nowMs };
  return (await resolve(accountCreation).createAccount(account)).account;
}

/** The account's first key of a type for its default environment; a new one if there is none. */
async function createKey(account: Account, keyType: 'secret' | 'public', nowMs: number): Promise<string> {
  const { accountId, defaultEnvironmentId } = account;
  const keys = await resolve(apiKeys).listAll(accountId);
  const known = keys.find((key) => key.keyType === keyType && !key.revoked && !key.environmentId);
  if (known) return known.key;
  const people = await resolve(members).listAll(accountId);
  const admin = people.find((member) => member.role === 'admin' && member.status === 'active');
  if (!admin) throw new Error('the account of the data folder has no administrator');
  const name = `first ${keyType} key`;
  const made = { accountId, keyType, name, defaultEnvironmentId, issuedBy: admin.userId, nowMs };
  return (await resolve(apiKeys).create(made)).key;
}
