import { expect, it } from 'vitest';
import { handler as telnyx } from '../../functions/callbacks/receive-telnyx-callback.ts';
import { handler as twilio } from '../../functions/callbacks/receive-twilio-callback.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as deliverSms } from '../../functions/workers/delivery/deliver-sms.ts';
import { buildCallbackUrl } from '../../shared/channels/phone/callback-url.ts';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { texts } from '../../shared/database/entities/incoming/texts.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { ownProviders } from '../../shared/database/entities/settings/own-providers.ts';
import type { LogEvent } from '../../shared/domain/logs/log.ts';
import { smsProvider } from '../../shared/providers/phone/phone.ts';
import { UNCHOSEN_NUMBER } from '../../shared/receipts/chosen-number.ts';
import { replace, resolve } from '../../shared/runtime/dependency.ts';
import {
  app,
  BASE,
  delivered,
  eventsOf,
  queryOf,
  type Tags,
  telnyxRequest,
  useCallbacks,
} from '../functions/callbacks/callbacks-setup.ts';
import { accepted } from '../functions/workers/receipts/accepted.ts';
import { call, createTestAccount, type TestAccount } from '../support/app.ts';
import { buildTelnyxEvent, buildTelnyxMessage, createTelnyxSigner } from '../support/fakes/telnyx.ts';
import { buildTwilioCallback } from '../support/fakes/twilio.ts';
import { deliver } from '../support/workers.ts';

useCallbacks();

const PERSON = '+12025550123';
/** A number of another account. */
const THEIRS = '+12025550177';
const OWN_TOKEN = 'own-token';

/** An account that knows the key of its own provider, and so can sign any callback. */
async function attacker() {
  const account = await createTestAccount(app);
  const key = createTelnyxSigner();
  await resolve(ownProviders).save(account.account.accountId, 'SMS', {
    'telnyx:mine': { TELNYX_PUBLIC_KEY: key.publicKey, TELNYX_FROM: THEIRS },
    'twilio:mine': { TWILIO_AUTH_TOKEN: OWN_TOKEN, TWILIO_FROM: THEIRS },
  });
  return { account, tags: await accepted(account), key };
}

/** A callback to the address of the attacker's own message, with its valid signature and any body. */
async function fromOwnTelnyx({ tags, key }: Awaited<ReturnType<typeof attacker>>, rawBody: string) {
  const request = await telnyxRequest(tags, rawBody);
  const headers = key.signCallback(rawBody, Math.floor(app.clock.nowMs / 1000));
  return { ...request, headers, query: { ...request.query, provider: 'telnyx:mine' } };
}

function fromOwnTwilio(tags: Tags, params: Record<string, string>) {
  const base = `${BASE}/callbacks/twilio/sms?provider=${encodeURIComponent('twilio:mine')}`;
  const { headers, body } = buildTwilioCallback({
    ...{ authToken: OWN_TOKEN, url: buildCallbackUrl(base, tags), params },
  });
  return {
    ...{ path: { channel: 'sms' }, query: { ...queryOf(tags), provider: 'twilio:mine' } },
    ...{ headers, rawBody: body },
  };
}

const threadsTo = async (serviceNumber: string) =>
  (await resolve(texts).listThreads({ serviceNumber, number: PERSON })).map(({ accountId }) => accountId);

async function sentByOther() {
  const other = await createTestAccount(app);
  const tags = await accepted(other);
  const { accountId, environmentId, trackingId } = tags;
  const thread = { accountId, environmentId, trackingId, userId: 'ada', notificationId: 'welcome' };
  await resolve(texts).storeSent(
    { serviceNumber: THEIRS, number: PERSON },
    { ...thread, atMs: app.clock.nowMs },
  );
  return tags;
}

it("an account's own provider reports no inbound text message, whatever it signs", async () => {
  const [mine, theirs] = [await attacker(), await sentByOther()];
  const body = buildTelnyxEvent('message.received', {
    ...{ id: 'forged', type: 'SMS', text: 'STOP' },
    ...{ from: { phone_number: PERSON }, to: [{ phone_number: THEIRS }] },
  });
  expect((await call(telnyx, await fromOwnTelnyx(mine, body))).status).toBe(200);
  const form = { MessageSid: 'SM9', Body: 'STOP', From: PERSON, To: THEIRS };
  expect((await call(twilio, fromOwnTwilio(mine.tags, form))).status).toBe(200);
  expect(await eventsOf(theirs.trackingId)).toEqual([]);
  const { accountId, environmentId } = theirs;
  expect(await resolve(texts).isOptedOut({ accountId, environmentId }, PERSON, THEIRS)).toBe(false);
});

it("an account's own provider reports on no message of another account, whatever address its body repeats", async () => {
  const [mine, theirs] = [await attacker(), await sentByOther()];
  const addresses = [theirs, { ...theirs, accountId: mine.tags.accountId }].map((tags) =>
    buildCallbackUrl(`${BASE}/callbacks/telnyx/sms`, tags),
  );
  for (const webhook_url of [...addresses, `${BASE}/?trackingId=${theirs.trackingId}`]) {
    const message = buildTelnyxMessage({ webhook_url, to: [{ status: 'delivered' }] });
    const body = buildTelnyxEvent('message.finalized', message);
    expect((await call(telnyx, await fromOwnTelnyx(mine, body))).status).toBe(200);
  }
  expect(await eventsOf(theirs.trackingId)).toEqual([]);
});

it("an account's own provider prices no message that another provider sent", async () => {
  for (const [sms_sent_provider, isPriced] of [
    [undefined, false],
    ['telnyx:mine', true],
  ] as const) {
    const mine = await attacker();
    const { accountId, environmentId, trackingId } = mine.tags;
    const owner = { accountId, environmentId, userId: 'ada', notificationId: 'welcome' };
    const sent = { channel: 'SMS', stage: 'sent', atMs: app.clock.nowMs, fields: { sms_sent_provider } };
    const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + 86_400;
    await resolve(logs).append(trackingId, { ...owner, expiresAtSeconds }, sent as LogEvent);
    const webhook_url = buildCallbackUrl(`${BASE}/callbacks/telnyx/sms`, mine.tags);
    const cost = { amount: '0.00001', currency: 'USD' };
    const message = buildTelnyxMessage({ webhook_url, cost, to: [{ status: 'delivered' }] });
    const body = buildTelnyxEvent('message.finalized', message);
    expect((await call(telnyx, await fromOwnTelnyx(mine, body))).status).toBe(200);
    const events = await eventsOf(trackingId);
    expect(events).toContain('EVENT#sms#delivered');
    expect(events.some((each) => String(each).startsWith('EVENT#sms#cost'))).toBe(isPriced);
  }
});

it("an account's own provider claims no replies to a number of another account", async () => {
  Object.assign(process.env, { SMS_PROVIDER: 'twilio', TWILIO_FROM: '+12025550100' });
  const { account, tags } = await attacker();
  replace(smsProvider, () => ({
    name: 'scripted',
    deliver: async () => ({ kind: 'sent', fields: { sms_sent_from: THEIRS } }),
  }));
  await ordered(account, ['twilio:mine']);
  const to = { id: 'ada', number: PERSON };
  for (const from of [undefined, THEIRS]) {
    const body = { type: 'code', to, sms: { message: 'Hi', ...(from && { from }) } };
    const { json } = await call(send, { key: account.secret.key, body });
    expect(await deliver(deliverSms, json)).toEqual([]);
  }
  expect((await call(twilio, fromOwnTwilio(tags, { ...delivered, From: THEIRS }))).status).toBe(200);
  expect(await eventsOf(tags.trackingId)).toContain('EVENT#sms#delivered');
  for (const serviceNumber of [THEIRS, UNCHOSEN_NUMBER])
    expect(await threadsTo(serviceNumber)).not.toContain(account.account.accountId);
});

async function ordered({ account: { accountId } }: TestAccount, order: string[]): Promise<void> {
  const smsProviders = { order, changedAtMs: app.clock.nowMs, formerFirst: 'twilio' };
  await resolve(accounts).update(accountId, { smsProviders });
}
