import type { Keyring } from '../../../encryption/keyring.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { Signer } from '../../../tokens/signer.ts';
import { type Database, database } from '../../database.ts';
import { deploymentKey } from '../../keys/account.ts';
import { keyring } from '../accounts/data-keys.ts';
import { CACHE_MS, hmac, isSealed, openEntries, readEntries, type Secret } from './secret-entries.ts';

/** Hashes that only the deployment can compute: what is stored under one cannot be found by hashing a list of addresses. */
export type KeyedHashes = ReturnType<typeof createKeyedHashes>;

const PURPOSE = 'erased-recipient';

/** The hash under which to store; `list` finds it. Creates the secret if there is none. */
export const keyedHash = (signer: Signer, text: string): Promise<string> => signer.sign(PURPOSE, text);

export const isKeyedHash = (signer: Signer, text: string, hash: string): Promise<boolean> =>
  signer.verify(PURPOSE, text, hash);

function createKeyedHashes(table: Database, ring: () => Keyring) {
  let cached: { secrets: Secret[]; atMs: number } | undefined;

  async function secrets(): Promise<Secret[]> {
    if (cached && performance.now() - cached.atMs < CACHE_MS) return cached.secrets;
    const atMs = performance.now();
    const item = await table.get(deploymentKey(), { consistent: true });
    if (!isSealed(item)) return [];
    cached = { secrets: await openEntries(ring(), readEntries(item)), atMs };
    return cached.secrets;
  }

  return {
    /** By every secret that the deployment has had, the current one first; none before it has one. Creates no secret. */
    async list(text: string): Promise<string[]> {
      return (await secrets()).map((secret) => hmac(secret, PURPOSE, text));
    },
  };
}

export const keyedHashes = dependency('keyedHashes', () =>
  createKeyedHashes(resolve(database), () => resolve(keyring)),
);
