import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { KeyWrapper } from '../../../shared/encryption/key-wrapper.ts';

/** Of a data folder. */
export const KEY_FILE = 'master.key';
const KEY_BYTES = 32;

/** Wraps data keys with a key of 32 bytes; the account is authenticated data. */
export function createLocalKeyWrapper(key: Uint8Array): KeyWrapper {
  return {
    async generateDataKey(accountId) {
      const plain = randomBytes(KEY_BYTES);
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(accountId));
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return { plain, wrapped: Buffer.concat([nonce, cipher.getAuthTag(), sealed]) };
    },
    async unwrap(accountId, wrapped) {
      const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(accountId));
      decipher.setAuthTag(wrapped.subarray(12, 28));
      return Buffer.concat([decipher.update(wrapped.subarray(28)), finalOf(decipher)]);
    },
  };
}

function finalOf(decipher: DecipherGCM): Buffer {
  try {
    return decipher.final();
  } catch (error) {
    throw new Error(
      `The data was encrypted with another key than the one in ${KEY_FILE}: restore that file, or choose another data folder with --data.`,
      { cause: error },
    );
  }
}

/** The contents of `file`, created on first use: written atomically, readable by its owner only. */
export function readOrCreate(file: string, create: () => string | Uint8Array): Buffer {
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, create(), { mode: 0o600, flush: true });
    renameSync(draft, file);
  }
  return readFileSync(file);
}

/** The key in `file`, created on first use. */
export function loadKeyFile(file: string): Uint8Array {
  const key = statSync(file, { throwIfNoEntry: false })?.isDirectory()
    ? undefined
    : readOrCreate(file, () => randomBytes(KEY_BYTES));
  if (key?.length === KEY_BYTES) return key;
  throw new Error(`The key in ${file} is damaged: restore it, or choose another data folder with --data.`);
}
