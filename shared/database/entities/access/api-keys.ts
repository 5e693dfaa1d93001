import { type Creation, isRepetition } from '../../../domain/routing/creation.ts';
import type { Keyring } from '../../../encryption/keyring.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { AppError } from '../../../runtime/errors.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { type ApiKey, type KeyType, SCOPES, type Scope } from '../../../schemas/account/api-key.ts';
import { keyHash, newKeyText } from '../../../tokens/api-key-text.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { API_KEY_PREFIX, accountKey, apiKeyKey } from '../../keys/account.ts';
import { accountPk } from '../../keys/key.ts';
import { keyring } from '../accounts/data-keys.ts';
import { copiesOf, sameCopies, withoutCopies } from './api-key-copies.ts';
import { StoredApiKey } from './key-verifier.ts';

type NewApiKey = {
  accountId: string;
  keyType: KeyType;
  name: string;
  environmentId?: string;
  defaultEnvironmentId: string;
  issuedBy?: string;
  scopes?: Scope[];
  nowMs: number;
  creation?: Creation;
};

export type ApiKeys = {
  /** All keys of the account, oldest first, decrypted. */
  listAll(accountId: string): Promise<ApiKey[]>;
  /** Throws UNAUTHORIZED when the account is disabled by now. A repetition returns the key of the first request. */
  create(key: NewApiKey): Promise<ApiKey>;
  /** False when the account has no such key. Revoking twice is true. Its copies go in the same transaction. */
  revoke(
    accountId: string,
    keyId: string,
    by: { memberId: string | undefined; nowMs: number },
  ): Promise<boolean>;
  revokeBound(
    accountId: string,
    environmentId: string,
    by: { memberId: string | undefined; nowMs: number },
  ): Promise<void>;
};

/** Disabling an account would not find a key created concurrently. */
const ENABLED = {
  condition: 'attribute_not_exists(disabled) OR disabled = :false',
  values: { ':false': false },
};
const DISABLED = {
  message: 'The account is disabled.',
  fix: 'Ask the operator of this deployment to enable it.',
};

const encryptionContext = (accountId: string, id: string) => ({ accountId, kind: 'api-key', id });

function createApiKeys(table: Database, ring: Keyring): ApiKeys {
  const textOf = ({ accountId, keyId, sealed }: StoredApiKey) =>
    ring.decrypt(encryptionContext(accountId, keyId), sealed);
  /** The key of an earlier request under the same idempotency key. */
  async function findMade(accountId: string, creation: Creation): Promise<StoredApiKey | undefined> {
    const item = await table.get(apiKeyKey(accountId, creation.id), { consistent: true });
    const key = item && readStored('API key', StoredApiKey, item);
    return key && isRepetition(creation, key.creation) ? key : undefined;
  }
  const revoke: ApiKeys['revoke'] = async (accountId, keyId, { memberId, nowMs }) => {
    return untilSettled(async () => {
      const item = await table.get(apiKeyKey(accountId, keyId), { consistent: true });
      if (!item) return false;
      const copies = copiesOf(item);
      const { condition, values } = sameCopies(copies);
      const outcome = await table.transact([
        {
          update: apiKeyKey(accountId, keyId),
          expression: `SET revoked = :true, revokedAtMs = if_not_exists(revokedAtMs, :now)${memberId ? ', revokedBy = if_not_exists(revokedBy, :by)' : ''} REMOVE copies`,
          condition: `attribute_exists(pk) AND ${condition}`,
          values: { ...values, ...defined({ ':true': true, ':now': nowMs, ':by': memberId }) },
        },
        ...withoutCopies(accountId, keyId, copies),
      ]);
      return outcome.written ? true : AGAIN;
    });
  };

  return {
    async listAll(accountId) {
      const items = await table.queryAll(accountPk(accountId), API_KEY_PREFIX, { consistent: true });
      const keys = readEach(items, (item) => readStored('API key', StoredApiKey, item));
      keys.sort(
        (left, right) =>
          left.createdAt.localeCompare(right.createdAt) || left.keyId.localeCompare(right.keyId),
      );
      return Promise.all(keys.map(async (key) => responseOf(key, await textOf(key))));
    },

    async create(newKey) {
      const { keyId, text } = newKeyText(newKey.keyType, newKey.accountId, newKey.creation?.id);
      const stored: StoredApiKey = {
        keyId,
        accountId: newKey.accountId,
        keyType: newKey.keyType,
        defaultEnvironmentId: newKey.defaultEnvironmentId,
        name: newKey.name,
        hash: keyHash(text),
        sealed: await ring.encrypt(encryptionContext(newKey.accountId, keyId), text),
        revoked: false,
        accountDisabled: false,
        copies: 0,
        createdAt: isoOf(newKey.nowMs),
        ...defined({
          environmentId: newKey.environmentId || undefined,
          issuedBy: newKey.issuedBy || undefined,
          creation: newKey.creation?.mark,
          scopes: newKey.scopes,
        }),
      };
      return untilSettled<ApiKey>(async () => {
        const outcome = await table.transact([
          { check: accountKey(newKey.accountId), ...ENABLED },
          {
            put: { ...apiKeyKey(newKey.accountId, keyId), ...stored },
            condition: 'attribute_not_exists(pk)',
          },
        ]);
        if (outcome.written) return responseOf(stored, text);
        if (outcome.failed.some(({ index }) => index === 0)) throw new AppError('UNAUTHORIZED', DISABLED);
        const made = newKey.creation && (await findMade(newKey.accountId, newKey.creation));
        return made ? responseOf(made, await textOf(made)) : AGAIN;
      });
    },

    revoke,

    async revokeBound(accountId, environmentId, by) {
      const items = await table.queryAll(accountPk(accountId), API_KEY_PREFIX, { consistent: true });
      for (const key of items)
        if (key.environmentId === environmentId) await revoke(accountId, String(key.keyId), by);
    },
  };
}

const findIso = (ms: number | undefined) => (ms === undefined ? undefined : isoOf(ms));

function responseOf(key: StoredApiKey, text: string): ApiKey {
  return {
    id: key.keyId,
    key: text,
    keyType: key.keyType,
    ...defined({ environmentId: key.environmentId || undefined }),
    accountId: key.accountId,
    name: key.name,
    revoked: key.revoked,
    scopes: key.scopes ?? [...SCOPES],
    createdAt: key.createdAt,
    ...defined({
      issuedBy: key.issuedBy,
      revokedBy: key.revokedBy,
      revokedAt: findIso(key.revokedAtMs),
      lastUsedAt: findIso(key.lastUsedAtMs),
    }),
  };
}

export const apiKeys = dependency('apiKeys', () => createApiKeys(resolve(database), resolve(keyring)));
