import * as v from 'valibot';
import type { Keyring } from '../../../encryption/keyring.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { secondsAfter } from '../../../runtime/values/durations.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { settingKey } from '../../keys/account.ts';
import { keyring } from '../accounts/data-keys.ts';

/** A signed provider token; `signerHash` identifies its configuration. */
export type StoredApnsToken = { jwt: string; issuedAtMs: number; signerHash: string };

/**
 * Stores the provider token that containers of an account share: Apple rejects senders whose token changes
 * more often than every 20 minutes. The token is a credential: store it encrypted.
 */
export type ApnsTokenStore = {
  get(accountId: string): Promise<StoredApnsToken | undefined>;
  /** Stores `token` in the place of `before`; false when another container was faster. */
  replace(accountId: string, token: StoredApnsToken, before: StoredApnsToken | undefined): Promise<boolean>;
};

const NAME = 'apns-token';
/** Apple accepts a provider token for an hour. */
const KEPT_MS = 60 * 60_000;

const StoredToken = v.object({ sealed: v.string(), issuedAtMs: v.number(), signerHash: v.string() });

/** The APNs provider token of each account, encrypted, for all instances to share. */
function createApnsTokens(table: Database, ring: Keyring): ApnsTokenStore {
  const encryptionContext = (accountId: string) => ({ accountId, kind: 'setting', id: NAME });
  return {
    async get(accountId) {
      const item = await table.get(settingKey(accountId, NAME), { consistent: true });
      if (!item) return undefined;
      const { sealed, issuedAtMs, signerHash } = readStored('APNs token', StoredToken, item);
      return { jwt: await ring.decrypt(encryptionContext(accountId), sealed), issuedAtMs, signerHash };
    },
    async replace(accountId, token, before) {
      const { jwt, issuedAtMs, signerHash } = token;
      const outcome = await table.put(
        {
          ...settingKey(accountId, NAME),
          sealed: await ring.encrypt(encryptionContext(accountId), jwt),
          issuedAtMs,
          signerHash,
          expiresAt: secondsAfter(issuedAtMs + KEPT_MS),
        },
        before
          ? {
              condition: 'attribute_not_exists(pk) OR (issuedAtMs = :issuedAt AND signerHash = :signer)',
              values: { ':issuedAt': before.issuedAtMs, ':signer': before.signerHash },
            }
          : { condition: 'attribute_not_exists(pk)' },
      );
      return outcome.written;
    },
  };
}

export const apnsTokens = dependency('apnsTokens', () =>
  createApnsTokens(resolve(database), resolve(keyring)),
);
