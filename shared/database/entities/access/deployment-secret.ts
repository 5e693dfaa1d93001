import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../../encryption/keyring.ts';
import { clock, dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { isSameHash } from '../../../tokens/api-key-text.ts';
import { SIGNATURE_LIFETIMES_MS, type Signer, type SigningPurpose } from '../../../tokens/signer.ts';
import { type Database, database } from '../../database.ts';
import { deploymentKey } from '../../keys/account.ts';
import type { Item } from '../../table.ts';
import { keyring } from '../accounts/data-keys.ts';
import {
  CACHE_MS,
  CONTEXT,
  type Entry,
  hmac,
  isSealed,
  openEntries,
  readEntries,
  type Secret,
} from './secret-entries.ts';

export type DeploymentSecret = Signer & {
  /**
   * Replaces the secret. Signatures of former secrets stay valid for their lifetime; if the secrets have leaked, only links that
   * never expire stay valid. Other processes sign with the new secret within five minutes.
   */
  rotate(isLeaked: boolean): Promise<void>;
};

/** A signature without a matching secret can be from a newer secret, but invalid signatures must not cause a read each. */
const RELOAD_AFTER_MS = 10_000;

/** The secret is encrypted in the table, created by the first process that needs it. */
export function createDeploymentSecret(
  table: Database,
  ring: () => Keyring,
  now: () => number,
): DeploymentSecret {
  let cached: { secrets: Promise<Secret[]>; atMs: number } | undefined;

  const seal = async (bytes: Uint8Array) => ring().encrypt(CONTEXT, Buffer.from(bytes).toString('base64'));
  const find = () => table.get(deploymentKey(), { consistent: true });

  async function load(): Promise<Secret[]> {
    const item = await find();
    return openEntries(ring(), isSealed(item) ? readEntries(item) : await create(item));
  }

  /** Makes the first secret. One of an earlier version, in plaintext, is encrypted and retired: backups contain it. */
  async function create(earlier: Item | undefined): Promise<Entry[]> {
    const retired = earlier && { sealed: await seal(bytesOf(earlier.secret)), retiredAtMs: now() };
    const entries = [{ sealed: await seal(randomBytes(32)) }, ...(retired ? [retired] : [])];
    const outcome = await table.put(
      { ...deploymentKey(), entries },
      { condition: 'attribute_not_exists(entries)' },
    );
    return outcome.written ? entries : readEntries(outcome.current);
  }

  function secrets(ageMsMax = CACHE_MS): Promise<Secret[]> {
    const readAtMs = performance.now();
    if (cached && readAtMs - cached.atMs < ageMsMax) return cached.secrets;
    const loading = load();
    cached = { secrets: loading, atMs: readAtMs };
    loading.catch(() => {
      cached = undefined;
    });
    return loading;
  }

  function verifies(known: readonly Secret[], purpose: SigningPurpose, text: string, signature: string) {
    return known.some(
      (secret) => isAccepted(secret, purpose, now()) && isSameHash(hmac(secret, purpose, text), signature),
    );
  }

  return {
    async sign(purpose, text) {
      const [current] = await secrets();
      if (!current) throw new Error('the deployment has no signing secret');
      return hmac(current, purpose, text);
    },

    verify: async (purpose, text, signature) =>
      verifies(await secrets(), purpose, text, signature) ||
      verifies(await secrets(RELOAD_AFTER_MS), purpose, text, signature),

    async rotate(isLeaked) {
      await secrets(0);
      const before = readEntries(await find());
      const retired = before.map((entry, index) => ({
        ...entry,
        ...defined({ retiredAtMs: index === 0 ? now() : undefined, isLeaked }),
      }));
      const outcome = await table.put(
        { ...deploymentKey(), entries: [{ sealed: await seal(randomBytes(32)) }, ...retired] },
        { condition: 'entries = :before', values: { ':before': before } },
      );
      if (!outcome.written) throw new Error('another rotation came first');
      cached = undefined;
    },
  };
}

/** A process may sign with a retired secret until its cache expires. */
function isAccepted({ retiredAtMs, isLeaked }: Secret, purpose: SigningPurpose, nowMs: number): boolean {
  const lifetimeMs = SIGNATURE_LIFETIMES_MS[purpose];
  if (lifetimeMs === Number.POSITIVE_INFINITY || retiredAtMs === undefined) return true;
  return !isLeaked && nowMs < retiredAtMs + CACHE_MS + lifetimeMs;
}

function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('the deployment secret is not readable');
  return value;
}

const secretOf = () =>
  createDeploymentSecret(
    resolve(database),
    () => resolve(keyring),
    () => resolve(clock).now(),
  );

/** For code that replaces the secret; others use `signer`. */
export const deploymentSecret = dependency('deploymentSecret', secretOf);

export const signer = dependency<Signer>('signer', () => resolve(deploymentSecret));
