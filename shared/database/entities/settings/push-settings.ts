import * as v from 'valibot';
import type { Keyring } from '../../../encryption/keyring.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { ApnConfig } from '../../../schemas/domains/apn-config.ts';
import { type Database, database } from '../../database.ts';
import { assertExpected, noteState } from '../../items/edition.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { settingKey } from '../../keys/account.ts';
import { keyring } from '../accounts/data-keys.ts';

const StoredSetting = v.object({ sealed: v.string() });
const FCM = 'push-fcm';
const APN = 'push-apn';
type Name = typeof FCM | typeof APN;

/** Push provider configurations of accounts, encrypted. */
function createPushSettings(table: Database, ring: Keyring) {
  const encryptionContext = (accountId: string, name: string) => ({ accountId, kind: 'setting', id: name });

  async function findSealed(accountId: string, name: Name): Promise<string | undefined> {
    const item = await table.get(settingKey(accountId, name), { consistent: true });
    const sealed = item && readStored('push setting', StoredSetting, item).sealed;
    noteState(name, sealed ?? '');
    return sealed;
  }

  async function find(accountId: string, name: Name): Promise<string | undefined> {
    const sealed = await findSealed(accountId, name);
    return sealed && ring.decrypt(encryptionContext(accountId, name), sealed);
  }

  const save = (accountId: string, name: Name, text: string) =>
    untilSettled<void>(async () => {
      const before = await findSealed(accountId, name);
      const context = encryptionContext(accountId, name);
      if (before && (await ring.decrypt(context, before)) === text) return;
      assertExpected(name, before ?? '');
      const sealed = await ring.encrypt(context, text);
      const outcome = await table.put({ ...settingKey(accountId, name), sealed }, ifStill(before));
      if (!outcome.written) return AGAIN;
      noteState(name, sealed);
    });

  const remove = (accountId: string, name: Name) =>
    untilSettled<void>(async () => {
      const before = await findSealed(accountId, name);
      if (!before) return;
      assertExpected(name, before);
      const outcome = await table.delete(settingKey(accountId, name), ifStill(before));
      return outcome.written ? undefined : AGAIN;
    });

  return {
    /** The service-account JSON text; undefined when not set. */
    findFcm: (accountId: string): Promise<string | undefined> => find(accountId, FCM),
    saveFcm: (accountId: string, fcmConfig: string): Promise<void> => save(accountId, FCM, fcmConfig),
    deleteFcm: (accountId: string): Promise<void> => remove(accountId, FCM),
    async findApn(accountId: string): Promise<ApnConfig | undefined> {
      const text = await find(accountId, APN);
      return text === undefined ? undefined : v.parse(ApnConfig, JSON.parse(text));
    },
    saveApn: (accountId: string, apnConfig: ApnConfig): Promise<void> =>
      save(accountId, APN, JSON.stringify(apnConfig)),
    deleteApn: (accountId: string): Promise<void> => remove(accountId, APN),
  };
}

const ifStill = (sealed: string | undefined) =>
  sealed === undefined
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'sealed = :before', values: { ':before': sealed } };

export const pushSettings = dependency('pushSettings', () =>
  createPushSettings(resolve(database), resolve(keyring)),
);
