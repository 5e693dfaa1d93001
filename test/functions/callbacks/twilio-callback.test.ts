import { describe, expect, it } from 'vitest';
import { handler as telnyx } from '../../../functions/callbacks/receive-telnyx-callback.ts';
import { handler as twilio } from '../../../functions/callbacks/receive-twilio-callback.ts';
import { buildCallbackUrl } from '../../../shared/channels/phone/callback-url.ts';
import { texts } from '../../../shared/database/entities/incoming/texts.ts';
import { ownProviders } from '../../../shared/database/entities/settings/own-providers.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { buildTelnyxEvent, buildTelnyxMessage, createTelnyxSigner } from '../../support/fakes/telnyx.ts';
import { buildTwilioCallback } from '../../support/fakes/twilio.ts';
import { useAccount } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { accepted } from '../workers/receipts/accepted.ts';
import {
  app,
  BASE,
  delivered,
  eventsOf,
  queryOf,
  reportersOf,
  signer,
  type Tags,
  TOKEN,
  telnyxRequest,
  useCallbacks,
} from './callbacks-setup.ts';

useCallbacks();
const account = useAccount(app, 'test');

/** A callback as Twilio makes it and the gateway hands it on, the query in another order. */
function twilioRequest(tags: Tags, channel: 'sms' | 'call', params: Record<string, string>) {
  const url = buildCallbackUrl(`${BASE}/callbacks/twilio/${channel}`, tags);
  const { headers, body } = buildTwilioCallback({ authToken: TOKEN, url, params });
  return { path: { channel }, query: queryOf(tags), headers, rawBody: body };
}

describe('the signature of a callback of Twilio', () => {
  const stop = { MessageSid: 'SM9', From: '+12025550188', To: '+12025550100', Body: 'STOP', NumMedia: '0' };

  it.each([
    ['', ''],
    ['?provider=twilio:backup', ''],
    ['?provider=twilio%3Abackup', ''],
    ['?provider=twilio%3abackup', ''],
    ['?x=a%20b', ''],
    ['?x=a+b', ''],
    ["?x=o'hara", ''],
    ['?x', ''],
    ['?x=', ''],
    ['?b=2&a=1&b=3', ''],
    ['?x=a%20b', '#rc=5&rp=all'],
    ['?provider=twilio:backup', '#rc=5&rp=all'],
  ])('is that of the address as it was configured: %s%s', async (search, fragment) => {
    process.env.TWILIO_AUTH_TOKEN_BACKUP = TOKEN;
    const { headers, body } = buildTwilioCallback({
      authToken: TOKEN,
      url: `${BASE}/callbacks/twilio/sms${search}${fragment}`,
      params: stop,
    });
    const query = Object.fromEntries(new URLSearchParams(search));
    const request = { path: { channel: 'sms' }, query, rawQuery: search.slice(1), headers, rawBody: body };
    expect((await call(twilio, request)).status).toBe(200);
    expect(
      (await call(twilio, { ...request, rawQuery: `${request.rawQuery}&z=1`, query: { ...query, z: '1' } }))
        .status,
    ).toBe(401);
  });

  it.each(['?provider=twilio:backup', "?x=o'hara", '?x=a%20b', '?x=a+b'])(
    'is found although the gateway has written %s in its own way',
    async (search) => {
      process.env.TWILIO_AUTH_TOKEN_BACKUP = TOKEN;
      const { headers, body } = buildTwilioCallback({
        authToken: TOKEN,
        url: `${BASE}/callbacks/twilio/sms${search}`,
        params: stop,
      });
      const query = Object.fromEntries(new URLSearchParams(search));
      const rawQuery = Object.entries(query)
        .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`)
        .join('&');
      const request = { path: { channel: 'sms' }, query, rawQuery, headers, rawBody: body };
      expect((await call(twilio, request)).status).toBe(200);
    },
  );

  it.each(['', '#rc=5&rp=all'])(
    'of a status callback is accepted with the fragment "%s"',
    async (fragment) => {
      const tags = await accepted(await createTestAccount(app));
      const url = `${buildCallbackUrl(`${BASE}/callbacks/twilio/sms`, tags)}${fragment}`;
      const { headers, body } = buildTwilioCallback({ authToken: TOKEN, url, params: delivered });
      const request = { path: { channel: 'sms' }, query: queryOf(tags), headers, rawBody: body };
      expect((await call(twilio, request)).status).toBe(200);
    },
  );
});

describe('POST /callbacks/twilio/{channel}', () => {
  it('records the outcome of a text message and of a call once', async () => {
    const tags = await accepted(account);
    const text = twilioRequest(tags, 'sms', delivered);
    const { status, response } = await call(twilio, text);
    expect([status, response.body]).toEqual([200, '<Response/>']);
    app.clock.nowMs += 1000;
    expect((await call(twilio, text)).status).toBe(200);
    await call(twilio, twilioRequest(tags, 'call', { CallSid: 'CA1', CallStatus: 'busy' }));
    expect(await recordOf(account, tags.trackingId)).toMatchObject({
      sms_delivered_at: new Date(app.clock.nowMs - 1000).toISOString(),
      call_delivered_code: 'BUSY',
    });
    expect(await eventsOf(tags.trackingId)).toHaveLength(2);
    expect(await reportersOf(tags.trackingId)).toEqual(['twilio', 'twilio']);
  });

  it('requests the price of a completed message later, again when the receipt is repeated', async () => {
    const tags = await accepted(account);
    app.sent.delete('follow-up');
    await call(twilio, twilioRequest(tags, 'sms', { ...delivered, MessageStatus: 'sent' }));
    expect(app.sent.get('follow-up')).toBeUndefined();
    await call(twilio, twilioRequest(tags, 'sms', delivered));
    await call(twilio, twilioRequest(tags, 'sms', delivered));
    const { trackingId, accountId } = tags;
    const question = { followUp: 'price', channel: 'SMS', providerMessageId: 'SM1', trackingId, accountId };
    const asked = { body: JSON.stringify(question), delaySeconds: 60 };
    expect(app.sent.get('follow-up')).toEqual([asked, asked]);
  });

  it('fails when the price cannot be requested, so that Twilio retries', async () => {
    const tags = await accepted(account);
    const real = resolve(queues);
    replace(queues, () => ({ ...real, send: async () => [0] }));
    expect((await call(twilio, twilioRequest(tags, 'sms', delivered))).status).toBe(500);
    replace(queues, () => real);
    app.sent.delete('follow-up');
    expect((await call(twilio, twilioRequest(tags, 'sms', delivered))).status).toBe(200);
    expect(app.sent.get('follow-up')).toHaveLength(1);
  });

  it('records the failure code', async () => {
    const tags = await accepted(account);
    const params = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30005' };
    await call(twilio, twilioRequest(tags, 'sms', params));
    expect(await recordOf(account, tags.trackingId)).toMatchObject({ sms_failed_code: '30005' });
  });

  it('keeps an opt-out that Twilio reports afterwards until a START that is later than the text message', async () => {
    const tags = await accepted(account);
    const params = { ...delivered, MessageStatus: 'undelivered', ErrorCode: '21610' };
    const pair = { serviceNumber: delivered.From, number: delivered.To };
    const isOptedOut = () => resolve(texts).isOptedOut(tags, pair.number, pair.serviceNumber);
    await call(twilio, twilioRequest(tags, 'sms', params));
    expect(await isOptedOut()).toBe(true);
    expect(await recordOf(account, tags.trackingId)).toMatchObject({
      sms_failed_code: '21610',
      sms_unsubscribe_from: pair.number,
    });
    await resolve(texts).setOptOut(pair, false, app.clock.nowMs + 1);
    await call(twilio, twilioRequest(tags, 'sms', params));
    expect(await isOptedOut()).toBe(false);
  });

  it('accepts a form that the gateway encoded as base64', async () => {
    const tags = await accepted(account);
    const { path, query, headers, rawBody } = twilioRequest(tags, 'sms', { ...delivered, Ü: 'ß&=' });
    const event = {
      pathParameters: path,
      queryStringParameters: query,
      headers,
      body: Buffer.from(rawBody).toString('base64'),
      isBase64Encoded: true,
    };
    expect(await twilio(event as never)).toMatchObject({ statusCode: 200 });
    expect(await eventsOf(tags.trackingId)).toHaveLength(1);
  });

  it.each([
    ['no signature', { headers: {} }],
    ['another signature', { headers: { 'x-twilio-signature': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' } }],
    ['another form', { rawBody: 'MessageSid=SM1&MessageStatus=failed' }],
    ['another query', { query: { trackingId: 'x', accountId: 'y', envId: 'z' } }],
    ['another channel', { path: { channel: 'call' } }],
    ['no body', { rawBody: '' }],
  ])('returns 401 for a callback with %s and stores nothing', async (_, change) => {
    const tags = await accepted(account);
    const { status, json } = await call(twilio, { ...twilioRequest(tags, 'sms', delivered), ...change });
    expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(await eventsOf(tags.trackingId)).toEqual([]);
  });

  it('returns 401 for every callback while no auth token is set', async () => {
    const request = twilioRequest(await accepted(account), 'sms', delivered);
    delete process.env.TWILIO_AUTH_TOKEN;
    expect((await call(twilio, request)).status).toBe(401);
  });

  it('ignores callbacks that are unknown, not final or of another account', async () => {
    const stranger = await createTestAccount(app);
    const tags = await accepted(account);
    const foreign = { ...tags, accountId: stranger.account.accountId };
    const requests = [
      twilioRequest(tags, 'sms', { ...delivered, MessageStatus: 'queued' }),
      twilioRequest(tags, 'sms', { Nonsense: 'x' }),
      twilioRequest({ ...tags, trackingId: 'unknown' }, 'sms', delivered),
      twilioRequest(foreign, 'sms', delivered),
    ];
    for (const request of requests) expect((await call(twilio, request)).status).toBe(200);
    expect(await eventsOf(tags.trackingId)).toEqual([]);
  });

  it('rejects other channels', async () => {
    const headers = { 'x-twilio-signature': 'x' };
    const { status, json } = await call(twilio, { path: { channel: 'fax' }, headers, rawBody: 'a=b' });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

describe('an unauthenticated callback', () => {
  const sms = { path: { channel: 'sms' } };

  it.each([
    ['Twilio', twilio],
    ['Telnyx', telnyx],
  ] as const)('returns 401 to %s before its body is read, and 400 over 64 KB', async (_, handler) => {
    const unsigned = await call(handler, { ...sms, rawBody: 'k0&k1'.repeat(1000) });
    expect([unsigned.status, unsigned.json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    const large = await call(handler, { ...sms, rawBody: 'k&'.repeat(33_000) });
    expect([large.status, large.json.error.message]).toEqual([400, 'The request body is over 64 KB.']);
  });

  it('returns 400 with 201 fields and reports a wrong signature with 200', async () => {
    const headers = { 'x-twilio-signature': 'x' };
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`).join('&');
    const many = await call(twilio, { ...sms, headers, rawBody: fields(201) });
    expect([many.status, many.json.error.message]).toEqual([400, 'The form has more than 200 fields.']);
    expect((await call(twilio, { ...sms, headers, rawBody: fields(200) })).status).toBe(401);
  });
});

describe('a callback of a second entry for the same provider', () => {
  const named = (tags: Tags, provider: string, authToken: string) => {
    const base = `${BASE}/callbacks/twilio/sms?provider=${encodeURIComponent(provider)}`;
    const { headers, body } = buildTwilioCallback({
      ...{ authToken, url: buildCallbackUrl(base, tags), params: delivered },
    });
    return { path: { channel: 'sms' }, query: { ...queryOf(tags), provider }, headers, rawBody: body };
  };

  it("passes with the entry's token, and the price is requested with the entry", async () => {
    process.env.TWILIO_AUTH_TOKEN_BACKUP = 'backup-token';
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    expect((await call(twilio, named(tags, 'twilio:backup', TOKEN))).status).toBe(401);
    expect((await call(twilio, named(tags, 'twilio:other', 'backup-token'))).status).toBe(401);
    expect((await call(twilio, named(tags, 'telnyx:backup', 'backup-token'))).status).toBe(401);
    expect((await call(twilio, named(tags, 'twilio:backup', 'backup-token'))).status).toBe(200);
    expect(await eventsOf(tags.trackingId)).toHaveLength(1);
  });

  it("passes with an account's own Twilio for that account only", async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    const own = { 'twilio:mine': { TWILIO_AUTH_TOKEN: 'own-token' } };
    await resolve(ownProviders).save(account.account.accountId, 'SMS', own);
    const [tags, foreign] = [await accepted(account), await accepted(other)];
    expect((await call(twilio, named(foreign, 'twilio:mine', 'own-token'))).status).toBe(401);
    const mixed = { ...foreign, accountId: tags.accountId };
    expect((await call(twilio, named(mixed, 'twilio:mine', 'own-token'))).status).toBe(200);
    expect(await eventsOf(foreign.trackingId)).toEqual([]);
    expect((await call(twilio, named(tags, 'twilio:mine', 'own-token'))).status).toBe(200);
    expect(await eventsOf(tags.trackingId)).toHaveLength(1);
  });

  it("passes with an account's own Telnyx key for that account only", async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    const theirs = createTelnyxSigner();
    const own = { 'telnyx:mine': { TELNYX_PUBLIC_KEY: theirs.publicKey } };
    await resolve(ownProviders).save(account.account.accountId, 'SMS', own);
    const [tags, foreign] = [await accepted(account), await accepted(other)];
    const rawBody = buildTelnyxEvent(
      'message.finalized',
      buildTelnyxMessage({ to: [{ phone_number: '+14155552671', status: 'delivered' }] }),
    );
    const signed = async (given: Tags, { signCallback }: typeof theirs) => {
      const request = await telnyxRequest(given, rawBody);
      const headers = signCallback(rawBody, Math.floor(app.clock.nowMs / 1000));
      return { ...request, headers, query: { ...request.query, provider: 'telnyx:mine' } };
    };
    expect((await call(telnyx, await signed(tags, signer))).status).toBe(401);
    expect((await call(telnyx, await signed(foreign, theirs))).status).toBe(401);
    const mixed = await signed(foreign, theirs);
    const borrowed = { ...mixed, query: { ...mixed.query, accountId: tags.accountId } };
    expect((await call(telnyx, borrowed)).status).toBe(200);
    expect(await eventsOf(foreign.trackingId)).toEqual([]);
    expect((await call(telnyx, await signed(tags, theirs))).status).toBe(200);
    expect(await eventsOf(tags.trackingId)).toContain('EVENT#sms#delivered');
  });
});
