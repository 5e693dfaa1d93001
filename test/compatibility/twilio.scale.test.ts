import fc from 'fast-check';
import RequestClient from 'twilio/lib/base/RequestClient.js';
import Twilio from 'twilio/lib/rest/Twilio.js';
import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { describe, expect, it } from 'vitest';
import { isTwilioSignatureValid } from '../../shared/channels/phone/twilio/twilio-callback.ts';
import { fakeTwilio } from '../shared/channels/phone/twilio-setup.ts';

describe('the fake Twilio', () => {
  it("works with Twilio's own client and rejects as Twilio does", async () => {
    const { fake } = await fakeTwilio();
    const requests = new RequestClient();
    const httpClient = {
      request: (options: { uri: string }) =>
        requests.request({
          ...options,
          uri: options.uri.replace('https://api.twilio.com', fake.url),
        } as never),
    };
    const client = new Twilio(fake.accountSid, fake.authToken, { httpClient: httpClient as never });
    const message = await client.messages.create({ to: '+14155552671', from: '+15005550006', body: 'Hi' });
    expect(message.sid).toMatch(/^SM/);
    const twiml = '<Response><Say>Hi</Say></Response>';
    expect((await client.calls.create({ to: '+14155552671', from: '+15005550006', twiml })).sid).toMatch(
      /^CA/,
    );
    fake.fail({ status: 400, code: 21610, message: 'opted out' });
    await expect(
      client.messages.create({ to: '+14155552671', from: '+15005550006', body: 'Hi' }),
    ).rejects.toMatchObject({ code: 21610, status: 400 });
  });
});

describe('the signature of Twilio', () => {
  it("passes exactly when it does in Twilio's own library", () => {
    const url = fc
      .tuple(
        fc.constantFrom('https://', 'http://'),
        fc.constantFrom('', 'user:pw@'),
        fc.constantFrom('a.example', '[2001:db8::1]'),
        fc.constantFrom('', ':443', ':80', ':8443'),
        fc.constantFrom('/', '/callbacks/twilio/sms', '/x%20y'),
        fc.constantFrom('', '?a=1', '?a=1&b=%2B2'),
      )
      .map((parts) => parts.join(''));
    const value = fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 2, maxLength: 3 }));
    const params = fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 5, noNullPrototype: true });
    const responses = new Set<boolean>();
    fc.assert(
      fc.property(fc.string(), url, url, params, (authToken, signedUrl, otherUrl, given) => {
        const signature = getExpectedTwilioSignature(authToken, signedUrl, given);
        const holds = (asked: string) =>
          isTwilioSignatureValid({ authToken, url: asked, params: given, signature });
        expect(holds(signedUrl)).toBe(true);
        const oracle = validateRequest(authToken, signature, otherUrl, given);
        expect(holds(otherUrl)).toBe(oracle);
        responses.add(oracle);
      }),
      { numRuns: 1000 },
    );
    expect(responses).toEqual(new Set([true, false]));
  });
});
