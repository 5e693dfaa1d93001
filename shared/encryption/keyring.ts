import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { createLoadingCache } from '../runtime/async/cache.ts';
import { lazily } from '../runtime/async/lazily.ts';
import { type Dependency, dependency } from '../runtime/dependency.ts';
import type { KeyWrapper } from './key-wrapper.ts';

/** The context of a protected value; decrypting it under another context fails. */
type SecretContext = { accountId: string; kind: string; id: string };

export type DataKeys = {
  find(accountId: string): Promise<Uint8Array | undefined>;
  /** Stores the account's first data key. Returns the stored key, which is an earlier key if another caller was faster. */
  create(accountId: string, wrapped: Uint8Array): Promise<Uint8Array>;
};

/** Envelope encryption with one data key per account and AES-256-GCM per value. */
export type Keyring = ReturnType<typeof createKeyring>;

const CACHE_MS = 5 * 60_000;
const CACHED_ACCOUNTS_MAX = 1000;

/** Encrypts under data keys that `wrapper` wraps and `dataKeys` stores; keeps unwrapped keys in memory for five minutes. */
export function createKeyring(dataKeys: DataKeys, wrapper: () => KeyWrapper) {
  const cached = createLoadingCache<KeyObject>({ max: CACHED_ACCOUNTS_MAX, ttlMs: CACHE_MS });

  async function loadDataKey(accountId: string): Promise<Uint8Array> {
    const found = await dataKeys.find(accountId);
    if (found) return wrapper().unwrap(accountId, found);
    const made = await wrapper().generateDataKey(accountId);
    const stored = await dataKeys.create(accountId, made.wrapped);
    return stored === made.wrapped ? made.plain : wrapper().unwrap(accountId, stored);
  }

  /** An imported key: Node.js would import its bytes for every value, which takes longer than the rest. */
  function dataKey(accountId: string): Promise<KeyObject> {
    return cached.get(accountId, async () => createSecretKey(await loadDataKey(accountId)));
  }

  return {
    /** Stored form: `v1.<nonce>.<ciphertext>.<tag>`, base64url. */
    async encrypt(context: SecretContext, plain: string): Promise<string> {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', await dataKey(context.accountId), nonce);
      cipher.setAAD(aadOf(context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return ['v1', ...[nonce, sealed, cipher.getAuthTag()].map((bytes) => bytes.toString('base64url'))].join(
        '.',
      );
    },
    /** Throws if the text was changed or belongs to another context. */
    async decrypt(context: SecretContext, stored: string): Promise<string> {
      const [version, nonce, sealed, tag] = stored.split('.');
      if (version !== 'v1' || !nonce || sealed === undefined || !tag)
        throw new Error('not a protected value');
      const key = await dataKey(context.accountId);
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      });
      decipher.setAAD(aadOf(context));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return decipher.update(Buffer.from(sealed, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

function aadOf(context: SecretContext): Buffer {
  return Buffer.from(JSON.stringify([context.accountId, context.kind, context.id]));
}

/**
 * Wraps with KMS in AWS; loaded on first use, so that functions that never decrypt do not include the client.
 */
export const keyWrapper: Dependency<KeyWrapper> = dependency('keyWrapper', () =>
  lazily(async () => (await import('./kms.ts')).createKmsKeyWrapper(), {
    generateDataKey: true,
    unwrap: true,
  }),
);
