import * as v from 'valibot';
import type { Keyring } from '../../../encryption/keyring.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { settingKey } from '../../keys/account.ts';
import { keyring } from '../accounts/data-keys.ts';

const StoredProviders = v.object({ sealed: v.string() });
const Credentials = v.record(v.string(), v.record(v.string(), v.string()));

export type OwnCredentials = v.InferOutput<typeof Credentials>;

/** Credentials of accounts' own providers, encrypted; they leave the table for deliveries and their receipts only. */
export type OwnProviders = ReturnType<typeof createOwnProviders>;

function createOwnProviders(table: Database, ring: Keyring) {
  const nameOf = (channel: string) => `providers-${channel.toLowerCase()}`;
  const encryptionContext = (accountId: string, id: string) => ({ accountId, kind: 'setting', id });
  return {
    /** By entry; empty if the account has none for the channel. */
    async find(accountId: string, channel: string): Promise<OwnCredentials> {
      const name = nameOf(channel);
      const item = await table.get(settingKey(accountId, name), { consistent: true });
      if (!item) return {};
      const { sealed } = readStored('own providers', StoredProviders, item);
      return v.parse(Credentials, JSON.parse(await ring.decrypt(encryptionContext(accountId, name), sealed)));
    },
    async save(accountId: string, channel: string, credentials: OwnCredentials): Promise<void> {
      const name = nameOf(channel);
      const sealed = await ring.encrypt(encryptionContext(accountId, name), JSON.stringify(credentials));
      await table.put({ ...settingKey(accountId, name), sealed });
    },
    async delete(accountId: string, channel: string): Promise<void> {
      await table.delete(settingKey(accountId, nameOf(channel)));
    },
  };
}

export const ownProviders = dependency('ownProviders', () =>
  createOwnProviders(resolve(database), resolve(keyring)),
);
