import * as v from 'valibot';
import type { Keyring } from '../../encryption/keyring.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { settingKey } from '../keys/account.ts';
import { keyring } from './data-keys.ts';
import { readStored } from './stored.ts';

const StoredProviders = v.object({ sealed: v.string() });
const Credentials = v.record(v.string(), v.record(v.string(), v.string()));

/** The credentials of an account's own providers, by entry (`twilio:mine`) and setting name. */
export type OwnCredentials = v.InferOutput<typeof Credentials>;

/** Credentials of accounts' own providers, encrypted; they leave the table for deliveries and their receipts only. */
export type OwnProviders = {
  /** By entry; empty if the account has none for the channel. */
  find(accountId: string, channel: string): Promise<OwnCredentials>;
  save(accountId: string, channel: string, credentials: OwnCredentials): Promise<void>;
  delete(accountId: string, channel: string): Promise<void>;
};

function createOwnProviders(table: Database, ring: Keyring): OwnProviders {
  const nameOf = (channel: string) => `providers-${channel.toLowerCase()}`;
  const encryptionContext = (accountId: string, id: string) => ({ accountId, kind: 'setting', id });
  return {
    async find(accountId, channel) {
      const name = nameOf(channel);
      const item = await table.get(settingKey(accountId, name), { consistent: true });
      if (!item) return {};
      const { sealed } = readStored('own providers', StoredProviders, item);
      return v.parse(Credentials, JSON.parse(await ring.decrypt(encryptionContext(accountId, name), sealed)));
    },
    async save(accountId, channel, credentials) {
      const name = nameOf(channel);
      const sealed = await ring.encrypt(encryptionContext(accountId, name), JSON.stringify(credentials));
      await table.put({ ...settingKey(accountId, name), sealed });
    },
    async delete(accountId, channel) {
      await table.delete(settingKey(accountId, nameOf(channel)));
    },
  };
}

export const ownProviders = dependency('ownProviders', () =>
  createOwnProviders(resolve(database), resolve(keyring)),
);
