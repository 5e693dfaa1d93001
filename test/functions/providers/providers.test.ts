import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as deleteOrder } from '../../../functions/providers/delete-provider-order.ts';
import { handler as getStatus } from '../../../functions/providers/get-provider-status.ts';
import { handler as saveOrder } from '../../../functions/providers/save-provider-order.ts';
import { accountKey } from '../../../shared/database/keys/account.ts';
import { accountPk } from '../../../shared/database/keys/key.ts';
import { smsProvider } from '../../../shared/providers/phone/phone.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { smsDelivery, withoutFrom } from '../../shared/channels/phone/deliveries.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { unpackedText } from '../../support/everything.ts';
import { startFakeTwilio } from '../../support/fakes/twilio.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';

const SMS = { channel: 'SMS' };
const app = useApp();
const account = useAccount(app, 'test');
const main = useStarted(startFakeTwilio);
beforeAll(() => {
  Object.assign(process.env, {
    EMAIL_PROVIDER: 'ses,smtp',
    SMS_PROVIDER: 'twilio,telnyx',
    CALL_PROVIDER: 'twilio',
    SMS_PER_SECOND: '1000',
    TWILIO_BASE_URL: main.url,
    TWILIO_ACCOUNT_SID: main.accountSid,
    TWILIO_AUTH_TOKEN: main.authToken,
    TWILIO_FROM: '+12025550100',
  });
});
beforeEach(() => {
  app.clock.nowMs += 60 * 60_000;
});

const mine = () => ({ accountSid: main.accountSid, authToken: main.authToken, from: '+12025550177' });
const statusOf = async ({ secret }: TestAccount, channel: string) => {
  const { json } = await call(getStatus, { key: secret.key });
  return json.channels.find((each: { channel: string }) => each.channel === channel);
};
const deliverFor = ({ account }: TestAccount, attempt = 1) =>
  resolve(smsProvider).deliver({ ...withoutFrom(smsDelivery()), accountId: account.accountId, attempt });

describe('GET /status/providers', () => {
  it("returns the deployment's order of every channel before any failure", async () => {
    const entry = (provider: string) => ({ provider, own: false, state: 'closed' });
    expect(await call(getStatus, { key: account.secret.key })).toMatchObject({
      status: 200,
      json: {
        channels: [
          { channel: 'EMAIL', ownOrder: false, order: [entry('ses'), entry('smtp')] },
          { channel: 'SMS', ownOrder: false, order: [entry('twilio'), entry('telnyx')] },
          { channel: 'CALL', ownOrder: false, order: [entry('twilio')] },
        ],
      },
    });
  });

  it('reports an open breaker and its last failure, for this account only', async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    process.env.TELNYX_API_KEY = '';
    const wrong = { status: 401, code: 20003, message: 'Authenticate' };
    main.fail(wrong, wrong, wrong);
    for (let count = 0; count < 3; count += 1) await deliverFor(account);
    const openUntil = new Date(app.clock.nowMs + 30_000).toISOString();
    const at = new Date(app.clock.nowMs).toISOString();
    expect((await statusOf(account, 'SMS')).order[0]).toEqual({
      ...{ provider: 'twilio', own: false, state: 'open', openUntil },
      lastFailure: { at, reason: 'account' },
    });
    expect((await statusOf(other, 'SMS')).order[0]).toEqual({
      provider: 'twilio',
      own: false,
      state: 'closed',
    });
    app.clock.nowMs += 31_000;
    expect((await statusOf(account, 'SMS')).order[0]).toMatchObject({ state: 'probing' });
    const sent = await deliverFor(account);
    if (sent.kind !== 'postponed') await sent.afterwards?.();
    expect((await statusOf(account, 'SMS')).order[0]).toEqual({
      ...{ provider: 'twilio', own: false, state: 'closed' },
      lastFailure: { at, reason: 'account' },
    });
  });
});

describe('PUT /settings/providers/{channel}', () => {
  it("accepts another order of the deployment's providers and returns it", async () => {
    const { status, json } = await call(saveOrder, {
      ...{ key: account.secret.key, path: { channel: 'EMAIL' } },
      body: { order: ['smtp', 'ses'] },
    });
    const order = [
      { provider: 'smtp', own: false },
      { provider: 'ses', own: false },
    ];
    expect([status, json]).toEqual([200, { channel: 'EMAIL', ownOrder: true, order }]);
    expect((await statusOf(account, 'EMAIL')).ownOrder).toBe(true);
  });

  it("sends through the account's own provider, whose credentials are encrypted and never returned", async () => {
    const { accountId } = account.account;
    const put = await call(saveOrder, {
      ...{ key: account.secret.key, path: SMS },
      body: { order: ['twilio:mine', 'twilio'], credentials: { 'twilio:mine': mine() } },
    });
    expect(JSON.stringify(put.json)).not.toContain(main.authToken);
    const stored = unpackedText(await app.database.queryAll(accountPk(accountId), ''));
    expect(stored).toContain('twilio:mine');
    expect(stored).not.toContain(main.authToken);
    app.clock.nowMs += 60_000;
    expect(await deliverFor(account)).toMatchObject({
      kind: 'sent',
      fields: { sms_sent_provider: 'twilio:mine', sms_sent_from: '+12025550177' },
    });
    const kept = await call(saveOrder, {
      ...{ key: account.secret.key, path: SMS },
      body: { order: ['twilio', 'twilio:mine'] },
    });
    expect(kept.status).toBe(200);
    const other = await createTestAccount(app);
    expect(await deliverFor(other)).toMatchObject({ fields: { sms_sent_provider: 'twilio' } });
  });

  it.each([
    [{}, 'body.order'],
    [{ order: [] }, 'body.order must have at least 1'],
    [{ order: ['pigeon'] }, 'body.order must be one of aws, twilio, telnyx, sandbox'],
    [{ order: ['aws'] }, 'which this deployment does not have'],
    [{ order: ['twilio', 'twilio'] }, 'has an entry twice'],
    [{ order: ['aws:mine'] }, 'must have no name'],
    [{ order: ['twilio:mine'] }, 'body.credentials.twilio:mine is required'],
    [
      { order: ['twilio'], credentials: { twilio: { accountSid: 'AC1' } } },
      'must belong to one of your own providers',
    ],
    [
      { order: ['twilio:mine'], credentials: { 'twilio:mine': { accountSid: 'AC1' } } },
      'must have authToken',
    ],
    [
      { order: ['twilio:mine'], credentials: { 'twilio:mine': { accountSid: 'AC1', authToken: 'x' } } },
      'must have from or messagingServiceSid',
    ],
    [
      {
        order: ['twilio:mine'],
        credentials: { 'twilio:mine': { accountSid: 'AC1', authToken: 'x', from: 'The whole shop' } },
      },
      'no phone number',
    ],
    [
      { order: ['twilio:mine'], credentials: { 'twilio:mine': { url: 'smtp://a' } } },
      'which twilio does not read',
    ],
    [{ order: ['twilio:mine'], credentials: { 'twilio:mine': { password: 'x' } } }, 'password'],
  ])('returns 400 with a fix for %j and changes nothing', async (body, message) => {
    const { status, json } = await call(saveOrder, { key: account.secret.key, path: SMS, body });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await app.database.get(accountKey(account.account.accountId))).not.toHaveProperty('smsProviders');
  });

  it('returns 400 for an email server that is not a URL and for a channel without an order', async () => {
    const { secret } = await createTestAccount(app);
    const credentials = { 'smtp:mine': { url: 'mail.example.com' } };
    const email = {
      key: secret.key,
      path: { channel: 'EMAIL' },
      body: { order: ['smtp:mine'], credentials },
    };
    expect((await call(saveOrder, email)).json.error.message).toContain('smtp://user:password@host:587');
    const push = await call(saveOrder, {
      key: secret.key,
      path: { channel: 'PUSH' },
      body: { order: ['x'] },
    });
    expect([push.status, push.json.error.message]).toEqual([
      400,
      expect.stringContaining('path.channel must be one of'),
    ]);
  });
});

describe('DELETE /settings/providers/{channel}', () => {
  it("restores the deployment's order and deletes the credentials, also when repeated", async () => {
    const { key } = account.secret;
    const body = { order: ['twilio:mine'], credentials: { 'twilio:mine': mine() } };
    await call(saveOrder, { key, path: SMS, body });
    for (let count = 0; count < 2; count += 1) {
      expect((await call(deleteOrder, { key, path: SMS })).status).toBe(204);
    }
    expect(await statusOf(account, 'SMS')).toMatchObject({
      ownOrder: false,
      order: [{ provider: 'twilio' }, {}],
    });
    const again = await call(saveOrder, { key, path: SMS, body: { order: ['twilio:mine'] } });
    expect(again.status).toBe(400);
  });
});
