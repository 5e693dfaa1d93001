import { apiKeys } from '../../../shared/database/entities/access/api-keys.ts';
import { members } from '../../../shared/database/entities/access/members.ts';
import { accountCreation } from '../../../shared/database/entities/accounts/account-creation.ts';
import { accountList } from '../../../shared/database/entities/accounts/account-list.ts';
import { type Account, accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';

/** The data that a newcomer needs to call the API. */
export type LocalAccount = {
  accountId: string;
  environmentId: string;
  secretKey: string;
  publicKey: string;
  isNew: boolean;
};

/** The account of this data folder: created on the first run, found again later. Issues missing keys. */
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
