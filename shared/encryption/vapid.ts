import { createECDH } from 'node:crypto';

/** A VAPID key pair in base64url: 65 bytes of public point, 32 of private scalar (RFC 8292). */
export type VapidPair = { publicKey: string; privateKey: string };

const PRIVATE_KEY_BYTES = 32;

/** A new P-256 pair for an environment. The private key is a secret; the public one goes to browsers. */
export function generateVapidPair(): VapidPair {
  const curve = createECDH('prime256v1');
  const publicKey = curve.generateKeys('base64url');
  return { publicKey, privateKey: padScalar(curve.getPrivateKey()) };
}

/**
 * Returns the private key that belongs to the public one. Release 1 padded a 31-byte scalar as text, one
 * character in front, which is another scalar: one pair in 256 produced signatures that every push service
 * rejects.
 */
export function repairVapidPrivateKey({ publicKey, privateKey }: VapidPair): string {
  if (!privateKey.startsWith('A') || derivePublicKey(privateKey) === publicKey) return privateKey;
  const repaired = padScalar(Buffer.from(privateKey.replace(/^A/, ''), 'base64url'));
  return derivePublicKey(repaired) === publicKey ? repaired : privateKey;
}

// node:crypto omits the leading zero bytes of a scalar, but the length of the key includes them.
function padScalar(scalar: Buffer): string {
  const padding = Buffer.alloc(Math.max(0, PRIVATE_KEY_BYTES - scalar.length));
  return Buffer.concat([padding, scalar]).toString('base64url');
}

function derivePublicKey(privateKey: string): string | undefined {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
    return curve.getPublicKey('base64url');
  } catch {
    return undefined;
  }
}
