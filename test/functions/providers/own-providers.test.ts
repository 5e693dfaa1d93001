import { afterAll, beforeAll, expect, it } from 'vitest';
import { handler as saveOrder } from '../../../functions/providers/save-provider-order.ts';
import { emailProvider } from '../../../shared/providers/email/email.ts';
import { smsProvider } from '../../../shared/providers/phone/phone.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { emailDelivery } from '../../shared/channels/email/deliveries.ts';
import { startSmtp } from '../../shared/channels/email/smtp-server.ts';
import { smsDelivery, withoutFrom } from '../../shared/channels/phone/deliveries.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { type FakeTelnyx, startFakeTelnyx } from '../../support/fakes/telnyx.ts';
import { type FakeTwilio, startFakeTwilio } from '../../support/fakes/twilio.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();
let telnyx: FakeTelnyx;
let twilio: FakeTwilio;
beforeAll(async () => {
  [telnyx, twilio] = await Promise.all([startFakeTelnyx(), startFakeTwilio()]);
  Object.assign(process.env, {
    EGRESS_ALLOW_HOSTS: '',
    EMAIL_PROVIDER: 'smtp',
    // The operator's choice is not restricted, but nothing listens there.
    SMTP_URL: 'smtp://127.0.0.1:9',
    SMS_PROVIDER: 'telnyx,twilio',
    PUBLIC_BASE_URL: 'https://notify.example.com',
    TELNYX_BASE_URL: telnyx.url,
    TELNYX_API_KEY: 'KEYof-the-deployment',
    TELNYX_FROM: '+12025550100',
    TWILIO_BASE_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_FROM: '+12025550100',
  });
});
afterAll(() => Promise.all([telnyx.close(), twilio.close()]));

async function bring(channel: string, entry: string, credentials: object): Promise<TestAccount> {
  const account = await createTestAccount(app);
  const body = { order: [entry], credentials: { [entry]: credentials } };
  const { status, json } = await call(saveOrder, { key: account.secret.key, path: { channel }, body });
  expect([status, json.error]).toEqual([200, undefined]);
  return account;
}

const emailFor = ({ account }: TestAccount) =>
  resolve(emailProvider).deliver({ ...emailDelivery(), accountId: account.accountId });

async function startWatchedSmtp() {
  let connections = 0;
  const onConnect = (_: unknown, done: () => void) => {
    connections += 1;
    done();
  };
  const server = await startSmtp({}, { onConnect });
  return { ...server, connections: () => connections };
}

it.each(['127.0.0.1', 'localhost', 'localhost.', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'])(
  "never connects to an account's own server at %s that was stored",
  async (host) => {
    const server = await startWatchedSmtp();
    const account = await bringWhileAllowed(host, server.port);
    expect(await emailFor(account)).toMatchObject({
      kind: 'retry',
      internal: expect.stringContaining('no address that is allowed'),
    });
    expect(server.connections()).toBe(0);
  },
);

it.each([
  'smtp://127.0.0.1:2525',
  'smtp://localhost.',
  'smtp://127.1',
  'smtp://0x7f.1',
  'smtp://2130706433',
  'smtp://0',
  'smtp://[::1]',
  'smtp://[::ffff:127.0.0.1]',
  'smtp://[64:ff9b::7f00:1]',
  'smtp://169.254.169.254:22',
  'smtp://169.254.169.254:80',
  'smtp://10.1.2.3',
  'smtps://[fd00::1]',
  'smtp://mail.internal',
  'smtp://93.184.216.34:22',
])('rejects %s', expectRefused);

async function expectRefused(url: string) {
  const { secret } = await createTestAccount(app);
  const body = { order: ['smtp:mine'], credentials: { 'smtp:mine': { url } } };
  const { status, json } = await call(saveOrder, { key: secret.key, path: { channel: 'EMAIL' }, body });
  expect([status, json.error?.message]).toEqual([400, expect.stringContaining('host is not public')]);
}

/** An entry of an earlier release, or one that the operator no longer allows. */
async function bringWhileAllowed(host: string, port: number) {
  const { hostname } = new URL(`http://${host}/`);
  process.env.EGRESS_ALLOW_HOSTS = [host, hostname].map((each) => `${each}:${port}`).join();
  try {
    return await bring('EMAIL', 'smtp:mine', { url: `smtp://${host}:${port}` });
  } finally {
    process.env.EGRESS_ALLOW_HOSTS = '';
  }
}

it("sends through an account's own server that the operator allows, for that account only", async () => {
  const server = await startWatchedSmtp();
  process.env.EGRESS_ALLOW_HOSTS = `127.0.0.1:${server.port}`;
  const account = await bring('EMAIL', 'smtp:mine', { url: server.url });
  expect(await emailFor(account)).toMatchObject({
    kind: 'sent',
    fields: { email_sent_provider: 'smtp:mine' },
  });
  expect(server.emails).toHaveLength(1);
  expect(await emailFor(await createTestAccount(app))).toMatchObject({ kind: 'retry' });
  expect(server.emails).toHaveLength(1);
});

it("sends through an account's own Telnyx with its key, and through the deployment's for others", async () => {
  const account = await bring('SMS', 'telnyx:mine', {
    apiKey: telnyx.apiKey,
    publicKey: 'e30=',
    from: '+12025550177',
  });
  const smsFor = (owner: TestAccount) =>
    resolve(smsProvider).deliver({ ...withoutFrom(smsDelivery()), accountId: owner.account.accountId });
  expect(await smsFor(account)).toMatchObject({
    kind: 'sent',
    fields: { sms_sent_provider: 'telnyx:mine' },
  });
  expect(telnyx.bodies()).toMatchObject([
    { from: '+12025550177', webhook_url: expect.stringContaining('provider=telnyx%3Amine') },
  ]);
  const other = await smsFor(await createTestAccount(app));
  expect(other).toMatchObject({ kind: 'sent', fields: { sms_sent_provider: 'twilio' } });
  expect(telnyx.requests.at(-1)?.headers.authorization).toBe('Bearer KEYof-the-deployment');
});
