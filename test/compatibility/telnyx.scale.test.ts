import Telnyx from 'telnyx';
import { describe, expect, it } from 'vitest';
import { isTelnyxSignatureValid } from '../../shared/channels/phone/telnyx/telnyx-callback.ts';
import { fakeTelnyx } from '../shared/channels/phone/telnyx-setup.ts';
import { createTelnyxSigner } from '../support/fakes/telnyx.ts';

const RAW_BODY = '{"data":{"text":"Größe ✓"}}';

describe('the fake Telnyx', () => {
  it("works with Telnyx's own client and rejects as Telnyx does", async () => {
    const { fake } = await fakeTelnyx();
    const client = new Telnyx({ apiKey: fake.apiKey, baseURL: `${fake.url}/v2`, maxRetries: 0 });
    const sent = await client.messages.send({ to: '+14155552671', from: '+15005550006', text: 'Hi' });
    expect(sent.data?.id).toMatch(/^[0-9a-f-]{36}$/);
    const Texml = '<Response><Say>Hi</Say></Response>';
    const body = { ApplicationSid: 'app-1', To: '+14155552671', From: '+15005550006', Texml };
    expect(await client.texml.accounts.calls.calls(fake.accountSid, { body })).toMatchObject({
      status: 'queued',
    });
    const found = await client.numberLookup.retrieve('+14155552671', { type: 'carrier' });
    expect(found.data?.carrier?.name).toBe('Fake Wireless');
    fake.fail({ status: 409, code: '40300' });
    await expect(
      client.messages.send({ to: '+14155552671', from: '+15005550006', text: 'Hi' }),
    ).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe('the signature of Telnyx', () => {
  it("matches what Telnyx's own library accepts and rejects", async () => {
    const client = new Telnyx({ apiKey: 'KEY' });
    const { publicKey, signCallback } = createTelnyxSigner();
    const nowMs = Date.now();
    const headers = signCallback(RAW_BODY, Math.floor(nowMs / 1000));
    const input = {
      publicKey,
      signature: headers['telnyx-signature-ed25519'],
      timestamp: headers['telnyx-timestamp'],
      nowMs,
    };
    await expect(client.webhooks.unwrap(RAW_BODY, { headers, key: publicKey })).resolves.toBeDefined();
    expect(isTelnyxSignatureValid({ ...input, rawBody: RAW_BODY })).toBe(true);
    await expect(client.webhooks.unwrap('{}', { headers, key: publicKey })).rejects.toThrow();
    expect(isTelnyxSignatureValid({ ...input, rawBody: '{}' })).toBe(false);
  });
});
