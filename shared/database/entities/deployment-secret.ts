import { createHmac, randomBytes } from 'node:crypto';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { isSameHash } from '../../tokens/api-key-text.ts';
import type { Signer } from '../../tokens/signer.ts';
import { type Database, database } from '../database.ts';
import { deploymentKey } from '../keys.ts';

/** A signer whose secret lives in the table, made by whoever needs it first. */
export function createSigner(table: Database): Signer {
  let loading: Promise<Uint8Array> | undefined;

  async function load(): Promise<Uint8Array> {
    const found = await table.get(deploymentKey(), { consistent: true });
    if (found) return bytesOf(found.secret);
    const secret = randomBytes(32);
    const outcome = await table.put(
      { ...deploymentKey(), secret },
      { condition: 'attribute_not_exists(pk)' },
    );
    return outcome.written ? secret : bytesOf(outcome.current?.secret);
  }

  async function sign(purpose: string, text: string): Promise<string> {
    loading ??= load();
    try {
      const secret = await loading;
      return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }

  return {
    sign,
    verify: async (purpose, text, signature) => isSameHash(await sign(purpose, text), signature),
  };
}

function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('the deployment secret is not readable');
  return value;
}

/** The deployment's signer. */
export const signer = dependency('signer', () => createSigner(resolve(database)));
