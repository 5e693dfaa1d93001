import * as v from 'valibot';
import type { Keyring } from '../../encryption/keyring.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { ApnConfig } from '../../schemas/apn-config.ts';
import { type Database, database } from '../database.ts';
import { settingKey } from '../keys/account.ts';
import { keyring } from './data-keys.ts';
import { readStored } from './stored.ts';

const StoredSetting = v.object({ sealed: v.string() });
const FCM = 'push-fcm';
const APN = 'push-apn';

/** Push provider configurations of accounts, encrypted. */
export type PushSettings = {
  /** The service-account JSON text; undefined when not set. */
  findFcm(accountId: string): Promise<string | undefined>;
  saveFcm(accountId: string, fcmConfig: string): Promise<void>;
  deleteFcm(accountId: string): Promise<void>;
  findApn(accountId: string): Promise<ApnConfig | undefined>;
  saveApn(accountId: string, apnConfig: ApnConfig): Promise<void>;
  deleteApn(accountId: string): Promise<void>;
};

function createPushSettings(table: Database, ring: Keyring): PushSettings {
  const encryptionContext = (accountId: string, name: string) => ({ accountId, kind: 'setting', id: name });

  async function find(accountId: string, name: string): Promise<string | undefined> {
    const item = await table.get(settingKey(accountId, name), { consistent: true });
    return (
      item &&
      ring.decrypt(encryptionContext(accountId, name), readStored('push setting', StoredSetting, item).sealed)
    );
  }

  async function save(accountId: string, name: string, text: string): Promise<void> {
    await table.put({
      ...settingKey(accountId, name),
      sealed: await ring.encrypt(encryptionContext(accountId, name), text),
    });
  }

  async function remove(accountId: string, name: string): Promise<void> {
    await table.delete(settingKey(accountId, name));
  }

  return {
    findFcm: (accountId) => find(accountId, FCM),
    saveFcm: (accountId, fcmConfig) => save(accountId, FCM, fcmConfig),
    deleteFcm: (accountId) => remove(accountId, FCM),
    async findApn(accountId) {
      const text = await find(accountId, APN);
      return text === undefined ? undefined : v.parse(ApnConfig, JSON.parse(text));
    },
    saveApn: (accountId, apnConfig) => save(accountId, APN, JSON.stringify(apnConfig)),
    deleteApn: (accountId) => remove(accountId, APN),
  };
}

export const pushSettings = dependency('pushSettings', () =>
  createPushSettings(resolve(database), resolve(keyring)),
);
