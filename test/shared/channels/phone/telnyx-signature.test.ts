import { describe, expect, it } from 'vitest';
import { isTelnyxSignatureValid } from '../../../../shared/channels/phone/telnyx/telnyx-callback.ts';
import { createTelnyxSigner } from '../../../support/fakes/telnyx.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00.500Z');

describe('the signature of Telnyx', () => {
  const NOW_SECONDS = Math.floor(NOW_MS / 1000);
  const RAW_BODY = '{"data":{"text":"Größe ✓"}}';

  function signed(timestampSeconds = NOW_SECONDS) {
    const { publicKey, signCallback } = createTelnyxSigner();
    const headers = signCallback(RAW_BODY, timestampSeconds);
    return {
      publicKey,
      signature: headers['telnyx-signature-ed25519'],
      timestamp: headers['telnyx-timestamp'],
      rawBody: RAW_BODY,
      nowMs: NOW_MS,
    };
  }

  it.each([0, -300, 300])('passes for a callback %d seconds from now', (offset) => {
    expect(isTelnyxSignatureValid(signed(NOW_SECONDS + offset))).toBe(true);
  });

  it('passes for the body as bytes and as text', () => {
    expect(isTelnyxSignatureValid({ ...signed(), rawBody: Buffer.from(RAW_BODY) })).toBe(true);
  });

  it.each([-301, 301, -86_400])('fails %d seconds from now', (offset) => {
    expect(isTelnyxSignatureValid(signed(NOW_SECONDS + offset))).toBe(false);
  });

  it.each([
    ['another body', { rawBody: `${RAW_BODY} ` }],
    ['another time', { timestamp: String(NOW_SECONDS - 1) }],
    ['a time that is no number', { timestamp: `${NOW_SECONDS}.0` }],
    ['no time', { timestamp: undefined }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['a signature that is no base64', { signature: '*'.repeat(88) }],
    ['a signature of zeros', { signature: Buffer.alloc(64).toString('base64') }],
    ['a short signature', { signature: Buffer.alloc(63).toString('base64') }],
    ["another account's key", { publicKey: createTelnyxSigner().publicKey }],
  ])('fails with %s', (_, change) => {
    expect(isTelnyxSignatureValid({ ...signed(), ...change })).toBe(false);
  });

  it('counts as an error of this service when the key is invalid', () => {
    expect(() => isTelnyxSignatureValid({ ...signed(), publicKey: 'not a key' })).toThrow();
  });
});
