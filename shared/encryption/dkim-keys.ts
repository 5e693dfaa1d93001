import { createPrivateKey, generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** A DKIM key pair: `publicKey` is base64 of its SPKI form, `privateKeyPem` PKCS#8. */
export type DkimKeyPair = { selector: string; publicKey: string; privateKeyPem: string };

export type DkimKeys = { create(): Promise<DkimKeyPair> };

const MODULUS_BITS = 2048;
const SELECTOR_PREFIX = 'nds';
const SELECTOR_BYTES = 5;
const SELECTOR = /^nds[0-9a-f]{10}$/;

/** True for a selector that `createDkimKeys` has made. */
export const isDkimSelector = (text: string): boolean => SELECTOR.test(text);

/**
 * RSA 2048 pairs (RFC 8301 §3.2). The selector is random: two accounts that verify one domain at the same time publish
 * different records.
 */
export function createDkimKeys(): DkimKeys {
  return {
    async create() {
      const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
        modulusLength: MODULUS_BITS,
        publicKeyEncoding: { type: 'spki', format: 'der' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      });
      return {
        selector: `${SELECTOR_PREFIX}${randomBytes(SELECTOR_BYTES).toString('hex')}`,
        publicKey: publicKey.toString('base64'),
        privateKeyPem: privateKey,
      };
    },
  };
}

/** Base64 of the DER form of a private key on one line, the format of SES. */
export function privateKeyBase64(privateKeyPem: string, type: 'pkcs1' | 'pkcs8'): string {
  return createPrivateKey(privateKeyPem).export({ type, format: 'der' }).toString('base64');
}
