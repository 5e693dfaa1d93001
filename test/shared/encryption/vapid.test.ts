import { createECDH } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateVapidPair, repairVapidPrivateKey } from '../../../shared/encryption/vapid.ts';

function publicKeyOf(privateKey: string): string {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return curve.getPublicKey('base64url');
}

describe('a VAPID key pair', () => {
  test('keeps the full length of P-256, even when the scalar begins with zeros', () => {
    for (let round = 0; round < 600; round++) {
      const { publicKey, privateKey } = generateVapidPair();
      expect([publicKey.length, privateKey.length]).toEqual([87, 43]);
      expect(publicKeyOf(privateKey)).toBe(publicKey);
    }
  });

  test('repairs a scalar of 31 bytes that release 1 padded as text', () => {
    const scalar = Buffer.alloc(31, 7);
    const whole = Buffer.concat([Buffer.alloc(1), scalar]).toString('base64url');
    const stored = scalar.toString('base64url').padStart(43, 'A');
    expect(stored).not.toBe(whole);
    expect(repairVapidPrivateKey({ publicKey: publicKeyOf(whole), privateKey: stored })).toBe(whole);
  });

  test('keeps a correct private key unchanged', () => {
    for (const first of [0x00, 0x01, 0x7f]) {
      const privateKey = Buffer.concat([Buffer.of(first), Buffer.alloc(31, 7)]).toString('base64url');
      expect(repairVapidPrivateKey({ publicKey: publicKeyOf(privateKey), privateKey })).toBe(privateKey);
    }
  });

  test('keeps a private key unchanged that belongs to no pair', () => {
    const privateKey = Buffer.alloc(32).toString('base64url');
    expect(repairVapidPrivateKey({ publicKey: generateVapidPair().publicKey, privateKey })).toBe(privateKey);
  });
});
