import { hash, timingSafeEqual } from 'node:crypto';
import { newId, randomText } from '../runtime/values/ids.ts';
import type { KeyType } from '../schemas/account/api-key.ts';

const FORM = /^nds_(sk|pk)_([0-9A-Za-z]{1,40})_([0-9A-Za-z]{1,40})_([0-9A-Za-z]{20,80})$/;

/** The parts of a key string, without proof that it is valid. */
export type KeyParts = { keyType: KeyType; accountId: string; keyId: string };

/** A new key string `nds_sk_<account>_<id>_<secret>`; the secret has 32 base62 characters, 190 bits. */
export function newKeyText(
  keyType: KeyType,
  accountId: string,
  keyId = newId(),
): { keyId: string; text: string } {
  return { keyId, text: `nds_${keyType === 'secret' ? 'sk' : 'pk'}_${accountId}_${keyId}_${randomText(32)}` };
}

/** Reads account and id off a key string; undefined when it has not the form of one. */
export function parseKeyText(text: string): KeyParts | undefined {
  const [, letters, accountId, keyId] = FORM.exec(text) ?? [];
  if (!letters || !accountId || !keyId) return undefined;
  return { keyType: letters === 'sk' ? 'secret' : 'public', accountId, keyId };
}

/** SHA-256 of the whole key string, base64url: all that is needed to verify it. */
export function keyHash(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Compares two hashes in constant time. */
export function isSameHash(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
