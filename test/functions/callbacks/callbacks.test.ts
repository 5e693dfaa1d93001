import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as telnyx } from '../../../functions/callbacks/receive-telnyx-callback.ts';
import { handler as twilio } from '../../../functions/callbacks/receive-twilio-callback.ts';
import { buildCallbackUrl, textOfTags } from '../../../shared/channels/phone/callback-url.ts';
import { signer as ownSigner } from '../../../shared/database/entities/deployment-secret.ts';
import { ownProviders } from '../../../shared/database/entities/own-providers.ts';
import { logPk } from '../../../shared/database/keys.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, createTestApp, type TestApp } from '../../support/app.ts';
import { buildTelnyxEvent, buildTelnyxMessage, createTelnyxSigner } from '../../support/fakes/telnyx.ts';
import { buildTwilioCallback } from '../../support/fakes/twilio.ts';
import { recordOf } from '../../support/workers.ts';
import { accepted } from '../workers/receipts/accepted.ts';

const BASE = 'https://notify.example.com';
const TOKEN = 'twilio-auth-token';
const signer = createTelnyxSigner();
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => {
  process.env.PUBLIC_BASE_URL = BASE;
  process.env.TWILIO_AUTH_TOKEN = TOKEN;
  process.env.TELNYX_PUBLIC_KEY = signer.publicKey;
});

type Tags = Awaited<ReturnType<typeof accepted>>;

const eventsOf = async (trackingId: string) =>
  (await app.database.queryAll(logPk(trackingId), 'EVENT#')).map((item) => item.sk);
const queryOf = ({ trackingId, accountId, environmentId }: Tags) => ({
  envId: environmentId,
  trackingId,
  accountId,
});

/** A callback as Twilio makes it and the gateway hands it on, the query in another order. */
function twilioRequest(tags: Tags, channel: 'sms' | 'call', params: Record<string, string>) {
  const url = buildCallbackUrl(`${BASE}/callbacks/twilio/${channel}`, tags);
  const { headers, body } = buildTwilioCallback({ authToken: TOKEN, url, params });
  return { path: { channel }, query: queryOf(tags), headers, rawBody: body };
}

async function telnyxRequest(tags: Tags, rawBody: string, atMs = app.clock.nowMs, channel = 'sms') {
  const headers = signer.signCallback(rawBody, Math.floor(atMs / 1000));
  const signature = await resolve(ownSigner).sign('provider-callback', textOfTags(tags));
  return { path: { channel }, query: { ...queryOf(tags), signature }, headers, rawBody };
}

const delivered = { MessageSid: 'SM1', MessageStatus: 'delivered', From: '+12025550100', To: '+12025550123' };

describe('POST /callbacks/twilio/{channel}', () => {
  it('records the outcome of a text message and of a call in the log, once', async () => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    const text = twilioRequest(tags, 'sms', delivered);
    const { status, answer } = await call(twilio, text);
    expect([status, answer.body]).toEqual([200, '<Response/>']);
    app.clock.nowMs += 1000;
    expect((await call(twilio, text)).status).toBe(200);
    await call(twilio, twilioRequest(tags, 'call', { CallSid: 'CA1', CallStatus: 'busy' }));
    expect(await recordOf(account, tags.trackingId)).toMatchObject({
      sms_delivered_at: new Date(app.clock.nowMs - 1000).toISOString(),
      call_delivered_code: 'BUSY',
    });
    expect(await eventsOf(tags.trackingId)).toHaveLength(2);
  });

  it('asks for the price of what has ended a while later, again when the receipt is repeated', async () => {
    const account = await createTestAccount(app);
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

  it('fails when the price cannot be requested, so that Twilio calls again', async () => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    const real = resolve(queues);
    replace(queues, () => ({ ...real, send: async () => [0] }));
    expect((await call(twilio, twilioRequest(tags, 'sms', delivered))).status).toBe(500);
    replace(queues, () => real);
    app.sent.delete('follow-up');
    expect((await call(twilio, twilioRequest(tags, 'sms', delivered))).status).toBe(200);
    expect(app.sent.get('follow-up')).toHaveLength(1);
  });

  it('takes the failure code', async () => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    const params = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30005' };
    await call(twilio, twilioRequest(tags, 'sms', params));
    expect(await recordOf(account, tags.trackingId)).toMatchObject({ sms_failed_code: '30005' });
  });

  it('reads a form that the gateway encoded in base64', async () => {
    const account = await createTestAccount(app);
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
  ])('rejects a callback with %s with 401 and stores nothing', async (_, change) => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    const { status, json } = await call(twilio, { ...twilioRequest(tags, 'sms', delivered), ...change });
    expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(await eventsOf(tags.trackingId)).toEqual([]);
  });

  it('rejects every callback while no auth token is set', async () => {
    const account = await createTestAccount(app);
    const request = twilioRequest(await accepted(account), 'sms', delivered);
    delete process.env.TWILIO_AUTH_TOKEN;
    expect((await call(twilio, request)).status).toBe(401);
  });

  it('leaves alone what is unknown, not final or of another account', async () => {
    const account = await createTestAccount(app);
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

describe('POST /callbacks/telnyx/{channel}', () => {
  const finalized = (status: string, errors: object[] = []) =>
    buildTelnyxEvent('message.finalized', buildTelnyxMessage({ to: [{ status }], errors }));

  it('records the outcome of a text message in the log, once', async () => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    const request = await telnyxRequest(tags, finalized('delivered'));
    const first = await call(telnyx, request);
    expect([first.status, first.json]).toEqual([200, { received: true }]);
    expect((await call(telnyx, request)).status).toBe(200);
    expect(await recordOf(account, tags.trackingId)).toMatchObject({
      sms_delivered_at: '2026-11-20T10:00:00.000Z',
      sms_sent_cost: 0.0051,
    });
    expect(await eventsOf(tags.trackingId)).toEqual([
      expect.stringMatching(/^EVENT#sms#cost#/),
      'EVENT#sms#delivered',
    ]);
  });

  it('adds data about the sent stage without creating one', async () => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    const body = buildTelnyxEvent('message.sent', buildTelnyxMessage());
    await call(telnyx, await telnyxRequest(tags, body));
    const record = await recordOf(account, tags.trackingId);
    expect(record).toMatchObject({ sms_sent_parts: 1 });
    expect(record).not.toHaveProperty('sms_sent_at');
  });

  it('takes the failure code', async () => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    await call(telnyx, await telnyxRequest(tags, finalized('delivery_failed', [{ code: '40001' }])));
    expect(await recordOf(account, tags.trackingId)).toMatchObject({ sms_failed_code: '40001' });
  });

  it('rejects wrong, missing and old signatures with 401 and stores nothing', async () => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    const right = await telnyxRequest(tags, finalized('delivered'));
    const requests = [
      { ...right, headers: {} },
      { ...right, rawBody: `${right.rawBody} ` },
      { ...right, rawBody: '' },
      { ...right, headers: createTelnyxSigner().signCallback(right.rawBody, app.clock.nowMs / 1000) },
      await telnyxRequest(tags, right.rawBody, app.clock.nowMs - 301_000),
    ];
    for (const request of requests) {
      const { status, json } = await call(telnyx, request);
      expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    }
    delete process.env.TELNYX_PUBLIC_KEY;
    expect((await call(telnyx, right)).status).toBe(401);
    expect(await eventsOf(tags.trackingId)).toEqual([]);
  });

  it.each<[string, (query: Record<string, string>, own: string) => Record<string, string>]>([
    ['of another notification, without a signature', ({ signature: _, ...query }) => query],
    ["with another notification's signature", (query, own) => ({ ...query, signature: own })],
  ])('ignores a call status that is replayed with the query %s', async (_, changed) => {
    const account = await createTestAccount(app);
    const [own, other] = [await accepted(account), await accepted(account)];
    const body = 'CallSid=CA1&CallStatus=completed';
    const request = await telnyxRequest(own, body, app.clock.nowMs, 'call');
    const { query } = await telnyxRequest(other, body, app.clock.nowMs, 'call');
    const replayed = { ...request, query: changed(query, request.query.signature) };
    expect((await call(telnyx, replayed)).status).toBe(200);
    expect(await eventsOf(other.trackingId)).toEqual([]);
    expect((await call(telnyx, request)).status).toBe(200);
    expect(await eventsOf(own.trackingId)).toEqual(['EVENT#call#delivered']);
  });

  it('leaves alone what is unknown or no event', async () => {
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    const bodies = ['{}', 'null', 'no JSON', buildTelnyxEvent('call.initiated', {})];
    for (const body of bodies) expect((await call(telnyx, await telnyxRequest(tags, body))).status).toBe(200);
    const unknown = await telnyxRequest({ ...tags, trackingId: 'unknown' }, finalized('delivered'));
    expect((await call(telnyx, unknown)).status).toBe(200);
    expect(await eventsOf(tags.trackingId)).toEqual([]);
  });
});

describe('a callback from a stranger', () => {
  const sms = { path: { channel: 'sms' } };

  it.each([
    ['Twilio', twilio],
    ['Telnyx', telnyx],
  ] as const)('of %s is a 401 before its body is read, and a 400 over 64 KB', async (_, handler) => {
    const unsigned = await call(handler, { ...sms, rawBody: 'k0&k1'.repeat(1000) });
    expect([unsigned.status, unsigned.json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    const large = await call(handler, { ...sms, rawBody: 'k&'.repeat(33_000) });
    expect([large.status, large.json.error.message]).toEqual([400, 'The request body is over 64 KB.']);
  });

  it('with 201 fields is a 400, with 200 a wrong signature', async () => {
    const headers = { 'x-twilio-signature': 'x' };
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`).join('&');
    const many = await call(twilio, { ...sms, headers, rawBody: fields(201) });
    expect([many.status, many.json.error.message]).toEqual([400, 'The form has more than 200 fields.']);
    expect((await call(twilio, { ...sms, headers, rawBody: fields(200) })).status).toBe(401);
  });
});

describe('a callback of a second provider of a kind', () => {
  const named = (tags: Tags, provider: string, authToken: string) => {
    const base = `${BASE}/callbacks/twilio/sms?provider=${encodeURIComponent(provider)}`;
    const { headers, body } = buildTwilioCallback({
      ...{ authToken, url: buildCallbackUrl(base, tags), params: delivered },
    });
    return { path: { channel: 'sms' }, query: { ...queryOf(tags), provider }, headers, rawBody: body };
  };

  it("is checked with its entry's token, and its price is asked of the entry", async () => {
    process.env.TWILIO_AUTH_TOKEN_BACKUP = 'backup-token';
    const account = await createTestAccount(app);
    const tags = await accepted(account);
    expect((await call(twilio, named(tags, 'twilio:backup', TOKEN))).status).toBe(401);
    expect((await call(twilio, named(tags, 'twilio:other', 'backup-token'))).status).toBe(401);
    expect((await call(twilio, named(tags, 'telnyx:backup', 'backup-token'))).status).toBe(401);
    expect((await call(twilio, named(tags, 'twilio:backup', 'backup-token'))).status).toBe(200);
    expect(await eventsOf(tags.trackingId)).toHaveLength(1);
  });

  it("of an account's own speaks for that account alone", async () => {
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

  it("of an account's own Telnyx is checked with the account's key, and speaks for that account alone", async () => {
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
