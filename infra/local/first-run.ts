import { database } from '../../shared/database/database.ts';
import { accountCreation } from '../../shared/database/entities/account-creation.ts';
import { accounts } from '../../shared/database/entities/accounts.ts';
import { apiKeys } from '../../shared/database/entities/api-keys.ts';
import { clock, resolve } from '../../shared/deps/dependency.ts';

/** What a newcomer needs to call the API. */
export type LocalAccount = {
  accountId: string;
  environmentId: string;
  secretKey: string;
  publicKey: string;
  isNew: boolean;
};

/** The account of this data folder: made on the first run, found again on later ones. */
export async function openLocalAccount(): Promise<LocalAccount> {
  const known = await resolve(database).queryAll('DEPLOYMENT', 'ACCOUNT#', { consistent: true });
  const accountId = known[0]?.accountId;
  if (typeof accountId === 'string') {
    const found = await findAccount(accountId);
    if (found) return found;
  }
  return createAccount();
}

async function findAccount(accountId: string): Promise<LocalAccount | undefined> {
  const account = await resolve(accounts).find(accountId);
  const keys = (await resolve(apiKeys).listAll(accountId)).filter(
    (key) => !key.revoked && !key.environmentId,
  );
  const secret = keys.find((key) => key.keyType === 'secret');
  const publicKey = keys.find((key) => key.keyType === 'public');
  if (!account || !secret || !publicKey) return undefined;
  return {
    accountId,
    environmentId: account.defaultEnvironmentId,
    secretKey: secret.key,
    publicKey: publicKey.key,
    isNew: false,
  };
}

async function createAccount(): Promise<LocalAccount> {
  const nowMs = resolve(clock).now();
  const made = await resolve(accountCreation).createAccount({
    name: 'My account',
    adminEmail: 'admin@example.com',
    nowMs,
  });
  const { accountId } = made.account;
  const { environmentId } = made.environment;
  const keyOf = (keyType: 'secret' | 'public') =>
    resolve(apiKeys).create({
      accountId,
      keyType,
      name: `first ${keyType} key`,
      defaultEnvironmentId: environmentId,
      issuedBy: made.admin.userId,
      nowMs,
    });
  const [secret, publicKey] = [await keyOf('secret'), await keyOf('public')];
  return { accountId, environmentId, secretKey: secret.key, publicKey: publicKey.key, isNew: true };
}
