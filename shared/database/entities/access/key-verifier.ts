import * as v from 'valibot';
import { createCache } from '../../../runtime/async/cache.ts';
import { dependency, jitter, resolve } from '../../../runtime/dependency.ts';
import { KeyType, Scope } from '../../../schemas/account/api-key.ts';
import { isSameHash, keyHash } from '../../../tokens/api-key-text.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { apiKeyCopyKey, apiKeyKey } from '../../keys/account.ts';
import type { Item } from '../../table.ts';

/** `lastUsedAt` is written at most this often per key. */
export const LAST_USED_PRECISION_MS = 5 * 60_000;

/**
 * The stored form of an API key: its hash for verification, and the encrypted key, because GET /keys returns
 * it.
 */
export const StoredApiKey = v.object({
  keyId: v.string(),
  accountId: v.string(),
  keyType: KeyType,
  environmentId: v.optional(v.string()),
  defaultEnvironmentId: v.string(),
  /** Member for whom an unbound secret key acts. */
  issuedBy: v.optional(v.string()),
  name: v.string(),
  hash: v.string(),
  sealed: v.string(),
  revoked: v.boolean(),
  /** Absent: all. */
  scopes: v.optional(v.array(Scope)),
  revokedAtMs: v.optional(v.number()),
  revokedBy: v.optional(v.string()),
  /** The account is disabled: stored on the key itself, so that verification stays one read. */
  accountDisabled: v.optional(v.boolean(), false),
  createdAt: v.string(),
  /** Of a key that was made under an idempotency key. */
  creation: v.optional(v.string()),
  lastUsedAtMs: v.optional(v.number()),
  /** Copies of a busy key, each in a separate partition. */
  copies: v.optional(v.number(), 0),
});
export type StoredApiKey = v.InferOutput<typeof StoredApiKey>;

/**
 * The part of API keys that authentication needs: separate from the keyring, which other functions do not
 * need.
 */
export type KeyVerifier = {
  /**
   * The unrevoked key of an enabled account for this text, by one consistent read (two after its copies
   * changed); undefined for anything else.
   */
  findValid(parts: { accountId: string; keyId: string }, text: string): Promise<StoredApiKey | undefined>;
  /** Records a use when the last recorded one is older than five minutes. */
  touch(key: StoredApiKey, nowMs: number): Promise<void>;
};

const KNOWN_MAX = 1000;
/** IDs are random, so a key created later never has an ID that was looked up before. */
const UNKNOWN_MS = 5000;
const UNKNOWN_MAX = 1000;

/**
 * Builds the verifier on the table. Unknown IDs are cached in memory for five seconds: repeating a made-up
 * key costs no read. A key with copies is read from one of them at random; its revocation deletes them in the
 * same transaction, and if a copy is missing, the key itself is read.
 */
export function createKeyVerifier(
  table: Database,
  random: () => number,
  monotonicMs = () => performance.now(),
): KeyVerifier {
  const unknown = createCache<true>({ max: UNKNOWN_MAX, ttlMs: UNKNOWN_MS, now: monotonicMs });
  /** This process's cache of keys: their copies, and when it recorded their use. */
  const copiesOf = createCache<number>({ max: KNOWN_MAX });
  const touchedAtMs = createCache<number>({ max: KNOWN_MAX });

  async function read(accountId: string, keyId: string, id: string): Promise<Item | undefined> {
    const copy = Math.floor(random() * ((copiesOf.find(id) ?? 0) + 1));
    const copied = copy > 0 && (await table.get(apiKeyCopyKey(accountId, keyId, copy), { consistent: true }));
    return copied || table.get(apiKeyKey(accountId, keyId), { consistent: true });
  }

  return {
    async findValid({ accountId, keyId }, text) {
      const id = `${accountId}/${keyId}`;
      if (unknown.find(id)) return undefined;
      const item = await read(accountId, keyId, id);
      if (!item) unknown.keep(id, true);
      const key = item && readStored('API key', StoredApiKey, item);
      if (key && key.copies !== (copiesOf.find(id) ?? 0)) copiesOf.keep(id, key.copies);
      const isOpen = key && !key.revoked && !key.accountDisabled;
      return isOpen && isSameHash(key.hash, keyHash(text)) ? key : undefined;
    },

    async touch(key, nowMs) {
      const before = nowMs - LAST_USED_PRECISION_MS;
      const id = `${key.accountId}/${key.keyId}`;
      // A copy does not show the last use.
      const lastUsedAtMs = Math.max(key.lastUsedAtMs ?? 0, touchedAtMs.find(id) ?? 0);
      if (lastUsedAtMs > before) return;
      if (key.copies > 0) touchedAtMs.keep(id, nowMs);
      await table.update(apiKeyKey(key.accountId, key.keyId), 'SET lastUsedAtMs = :now', {
        condition: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedAtMs) OR lastUsedAtMs <= :before)',
        values: { ':now': nowMs, ':before': before },
      });
    },
  };
}

export const keyVerifier = dependency('keyVerifier', () =>
  createKeyVerifier(resolve(database), resolve(jitter)),
);
