import { createKeyring, type DataKeys, type Keyring, keyWrapper } from '../../../encryption/keyring.ts';
import { type Dependency, dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { dataKeyKey } from '../../keys/account.ts';

function createDataKeys(table: Database): DataKeys {
  return {
    async find(accountId) {
      const item = await table.get(dataKeyKey(accountId), { consistent: true });
      return item && wrappedOf(item.wrapped);
    },
    async create(accountId, wrapped) {
      const outcome = await table.put(
        { ...dataKeyKey(accountId), wrapped },
        { condition: 'attribute_not_exists(pk)' },
      );
      return outcome.written ? wrapped : wrappedOf(outcome.current?.wrapped);
    },
  };
}

function wrappedOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('the account has no data key');
  return value;
}

export const keyring: Dependency<Keyring> = dependency('keyring', () =>
  createKeyring(createDataKeys(resolve(database)), () => resolve(keyWrapper)),
);
