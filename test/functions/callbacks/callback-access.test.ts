import { describe, expect, it } from 'vitest';
import { handler as telnyx } from '../../../functions/callbacks/receive-telnyx-callback.ts';
import { handler as twilio } from '../../../functions/callbacks/receive-twilio-callback.ts';
import { buildCallbackUrl } from '../../../shared/channels/phone/callback-url.ts';
import { ownProviders } from '../../../shared/database/entities/settings/own-providers.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { buildTelnyxEvent, buildTelnyxMessage, createTelnyxSigner } from '../../support/fakes/telnyx.ts';
import { buildTwilioCallback } from '../../support/fakes/twilio.ts';
import { accepted } from '../workers/receipts/accepted.ts';
import {
  app,
  BASE,
  delivered,
  eventsOf,
  queryOf,
  signer,
  type Tags,
  TOKEN,
  telnyxRequest,
  useCallbacks,
} from './callbacks-setup.ts';

useCallbacks();

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
