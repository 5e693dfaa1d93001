import { createECDH } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateVapidPair } from '../../../../shared/channels/web-push/vapid.ts';

describe('VAPID pair', () => {
  test('is a P-256 pair of full length, also when the scalar begins with zeros', () => {
    for (let round = 0; round < 600; round++) {
      const { publicKey, privateKey } = generateVapidPair();
      expect([publicKey.length, privateKey.length]).toEqual([87, 43]);
      const curve = createECDH('prime256v1');
      curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
      expect(curve.getPublicKey('base64url')).toBe(publicKey);
    }
  });
});
