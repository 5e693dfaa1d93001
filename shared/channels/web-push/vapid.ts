import { createECDH } from 'node:crypto';

/** A VAPID key pair in base64url: 65 bytes of public point, 32 of private scalar (RFC 8292). */
export type VapidPair = { publicKey: string; privateKey: string };

const PRIVATE_KEY_BYTES = 32;

/** A new P-256 pair for an environment. The private key is a secret; the public one goes to browsers. */
export function generateVapidPair(): VapidPair {
  const curve = createECDH('prime256v1');
  const publicKey = curve.generateKeys('base64url');
  // node:crypto leaves out leading zero bytes, which the length of the key counts.
  const scalar = curve.getPrivateKey();
  const privateKey = Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - scalar.length), scalar]);
  return { publicKey, privateKey: privateKey.toString('base64url') };
}
