import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { KeyType } from '../../schemas/api-key.ts';
import { isSameHash, keyHash } from '../../tokens/api-key-text.ts';
import { type Database, database } from '../database.ts';
import { apiKeyKey } from '../keys.ts';
import { readStored } from './stored.ts';

/** `lastUsedAt` is written at most this often per key. */
export const LAST_USED_PRECISION_MS = 5 * 60_000;

/** The stored form of an API key: its hash to verify it, and itself encrypted, because GET /keys answers it. */
export const StoredApiKey = v.object({
  keyId: v.string(),
  accountId: v.string(),
  keyType: KeyType,
  environmentId: v.optional(v.string()),
  defaultEnvironmentId: v.string(),
  /** Member for whom an unbound secret key acts (API 2). */
  issuedBy: v.optional(v.string()),
  name: v.string(),
  hash: v.string(),
  sealed: v.string(),
  revoked: v.boolean(),
  /** The account is disabled: told by the key itself, so that verification stays one read. */
  accountDisabled: v.optional(v.boolean(), false),
  createdAt: v.string(),
  lastUsedAtMs: v.optional(v.number()),
});
export type StoredApiKey = v.InferOutput<typeof StoredApiKey>;

/** What authentication needs of API keys: apart from the keyring, so that no function carries it for this alone. */
export type KeyVerifier = {
  /** The unrevoked key of an enabled account this text is, by one consistent read; undefined for anything else. */
  findValid(parts: { accountId: string; keyId: string }, text: string): Promise<StoredApiKey | undefined>;
  /** Records a use when the last recorded one is older than five minutes. */
  touch(key: StoredApiKey, nowMs: number): Promise<void>;
};

/** Ids are random, so that no key which is created later has an id that was asked for before. */
const UNKNOWN_MS = 5000;
const UNKNOWN_MAX = 1000;

/**
 * Builds the verifier on the table. Ids without a key are kept in memory for five seconds: repeating a made-up key costs
 * no read.
 */
export function createKeyVerifier(table: Database, monotonicMs = () => performance.now()): KeyVerifier {
  const unknownUntil = new Map<string, number>();

  function noteUnknown(id: string): void {
    if (unknownUntil.size >= UNKNOWN_MAX) unknownUntil.clear();
    unknownUntil.set(id, monotonicMs() + UNKNOWN_MS);
  }

  return {
    async findValid({ accountId, keyId }, text) {
      const id = `${accountId}/${keyId}`;
      if ((unknownUntil.get(id) ?? 0) > monotonicMs()) return undefined;
      const item = await table.get(apiKeyKey(accountId, keyId), { consistent: true });
      if (!item) noteUnknown(id);
      const key = item && readStored('API key', StoredApiKey, item);
      const isOpen = key && !key.revoked && !key.accountDisabled;
      return isOpen && isSameHash(key.hash, keyHash(text)) ? key : undefined;
    },

    async touch(key, nowMs) {
      const before = nowMs - LAST_USED_PRECISION_MS;
      if (key.lastUsedAtMs !== undefined && key.lastUsedAtMs > before) return;
      await table.update(apiKeyKey(key.accountId, key.keyId), 'SET lastUsedAtMs = :now', {
        condition: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedAtMs) OR lastUsedAtMs <= :before)',
        values: { ':now': nowMs, ':before': before },
      });
    },
  };
}

/** The verifier of this deployment. */
export const keyVerifier = dependency('keyVerifier', () => createKeyVerifier(resolve(database)));
