import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as twilio } from '../../../../functions/callbacks/receive-twilio-callback.ts';
import { handler as createEnvironment } from '../../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../../functions/keys/create-api-key.ts';
import { handler as listLogs } from '../../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { handler as deliverSms } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { handler as ingestInboundSms } from '../../../../functions/workers/inbound/ingest-inbound-sms.ts';
import { handler as ingestPhone } from '../../../../functions/workers/receipts/ingest-phone.ts';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import { smsProvider } from '../../../../shared/providers/phone.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import {
  call,
  createTestAccount,
  createTestApp,
  type TestAccount,
  type TestApp,
} from '../../../support/app.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { buildTwilioCallback } from '../../../support/fakes/twilio.ts';
import { deliver, publish, recordOf } from '../../../support/workers.ts';
import { insertedEvents } from '../receipts/inserted-events.ts';

const OURS = '+15005550006';
let app: TestApp;
let theirs: string;
let sent: string[];
let numbers = 0;
/** The number, or what stands for one, that the provider says it sends from. */
let chooses: string | undefined;
beforeAll(async () => {
  app = await createTestApp();
  replace(smsProvider, () => ({
    name: 'recorder',
    async deliver({ trackingId, from = chooses }) {
      sent.push(trackingId);
      return { kind: 'sent', fields: from ? { sms_sent_from: from } : {} };
    },
  }));
});
beforeEach(() => {
  sent = [];
  chooses = OURS;
  numbers += 1;
  theirs = `+1202555${String(1000 + numbers)}`;
});

async function ask({ secret }: TestAccount, from?: string, dryRun = 'false') {
  app.clock.nowMs += 1000;
  const body = {
    type: 'welcome',
    to: { id: 'ada', number: theirs },
    sms: { message: 'Hi', ...(from ? { from } : {}) },
  };
  return (await call(send, { key: secret.key, body, query: { dryRun } })).json;
}

async function sendText(account: TestAccount, from?: string): Promise<string> {
  const { trackingId } = await ask(account, from);
  expect(await deliver(deliverSms, { trackingId })).toEqual([]);
  return trackingId;
}

/** The SNS notification of a text to our number. */
function textOf(
  messageBody: string,
  id = `in-${app.clock.nowMs}`,
  atMs = app.clock.nowMs,
  destinationNumber = OURS,
): string {
  const event = { originationNumber: theirs, destinationNumber, messageBody, inboundMessageId: id };
  return toSnsNotification(event, new Date(atMs).toISOString());
}

async function receive(...bodies: string[]) {
  expect(await deliver(ingestInboundSms, ...bodies)).toEqual([]);
  app.clock.nowMs += 1000;
}

const listOf = async ({ secret }: TestAccount) =>
  (await call(listLogs, { key: secret.key, query: { eventType: 'sms_inbound' } })).json.messages;

it('records a reply in the log of the last text message and in the list, once', async () => {
  const account = await createTestAccount(app);
  await sendText(account);
  const trackingId = await sendText(account);
  const at = new Date(app.clock.nowMs).toISOString();
  const body = textOf('Größe?');
  await receive(body, body);
  await receive(body);
  const record = await recordOf(account, trackingId);
  expect(Object.keys(record).filter((name) => name.startsWith('email_inbound'))).toEqual([]);
  expect(record).toMatchObject({
    sms_inbound_at: at,
    sms_inbound_from: theirs,
    sms_inbound_to: OURS,
    sms_inbound_text: 'Größe?',
  });
  expect(await listOf(account)).toMatchObject([
    { trackingId, eventType: 'sms_inbound', timestamp: at, from: theirs, to: [OURS], bodyText: 'Größe?' },
  ]);
  expect(await listOf(await createTestAccount(app))).toEqual([]);
});

it('sends nothing after STOP, with 21610 and without a call, until START', async () => {
  const account = await createTestAccount(app);
  const first = await sendText(account);
  const { trackingId: waiting } = await ask(account);
  await receive(textOf('  Stop! '));
  expect(await recordOf(account, first)).toMatchObject({
    sms_unsubscribe_from: theirs,
    sms_unsubscribe_keyword: 'STOP',
  });
  await deliver(deliverSms, { trackingId: waiting });
  const refused = await sendText(account);
  expect(sent).toEqual([first]);
  for (const trackingId of [waiting, refused]) {
    expect(await recordOf(account, trackingId)).toMatchObject({ sms_failed_code: '21610' });
  }
  await receive(textOf('START'));
  expect(await recordOf(account, first)).toMatchObject({ sms_subscribe_keyword: 'START' });
  const later = await sendText(account);
  expect(sent).toEqual([first, later]);
});

it('shows in the dry run that the person opted out, from the number they replied to', async () => {
  const account = await createTestAccount(app);
  await sendText(account);
  const refusal = 'SMS is not sent: the user opted out of text messages.';
  for (const [word, messages] of [
    ['STOP', [refusal]],
    ['START', []],
    ['STOP', [refusal]],
  ] as const) {
    await receive(textOf(word));
    for (const from of [undefined, OURS])
      expect((await ask(account, from, 'true')).messages).toEqual(messages);
    expect((await ask(account, '+15005550009')).messages).toEqual([]);
  }
  expect(await ask(account)).toMatchObject({ messages: [refusal] });
  const { json: user } = await call(getUser, { key: account.secret.key, path: { userId: 'ada' } });
  expect(user).not.toHaveProperty('smsOptOuts');
  theirs = '+12025559999';
  expect((await ask(account)).messages).toEqual([]);
});

it('opts out of only the number that was replied to', async () => {
  const account = await createTestAccount(app);
  await sendText(account);
  await receive(textOf('STOP'));
  process.env.PHONE_NUMBERS = `${OURS},+15005550009`;
  const other = await sendText(account, '+15005550009');
  const same = await sendText(account, OURS);
  expect(sent).toContain(other);
  expect(sent).not.toContain(same);
});

it('does not opt out again when an earlier STOP is delivered after START', async () => {
  const account = await createTestAccount(app);
  await sendText(account);
  const stop = textOf('STOP');
  await receive(stop);
  await receive(textOf('START'));
  await receive(stop);
  const later = await sendText(account);
  expect(sent).toContain(later);
});

it('opts out of every environment that wrote from the number, and informs each', async () => {
  const accounts = [await createTestAccount(app), await createTestAccount(app)];
  const trackingIds: string[] = [];
  for (const account of accounts) trackingIds.push(await sendText(account));
  await receive(textOf('STOP'));
  for (const account of accounts) await sendText(account);
  expect(sent).toEqual(trackingIds);
  const [older, newer] = accounts;
  expect(older && (await listOf(older))).toEqual([]);
  expect(newer && (await listOf(newer))).toHaveLength(1);
  for (const trackingId of trackingIds) {
    const events = (await insertedEvents(app, trackingId)).flatMap(raisedCallsOf);
    expect(events.map(({ eventType }) => eventType)).toContain('SMS_UNSUBSCRIBE');
  }
});

it('reads as stopped in log and user after STOP, START and STOP', async () => {
  const account = await createTestAccount(app);
  const trackingId = await sendText(account);
  for (const word of ['STOP', 'START', 'STOP']) await receive(textOf(word));
  const { sms_unsubscribe_at, sms_subscribe_at } = await recordOf(account, trackingId);
  expect(Date.parse(sms_unsubscribe_at)).toBeGreaterThan(Date.parse(sms_subscribe_at));
  expect((await ask(account)).messages).toEqual(['SMS is not sent: the user opted out of text messages.']);
});

it('opts out of every environment of the account, those included that never wrote before', async () => {
  const account = await createTestAccount(app);
  const first = await sendText(account);
  await receive(textOf('STOP'));
  const { json } = await call(createEnvironment, { key: account.secret.key, body: { title: 'Staging' } });
  const body = { keyType: 'secret', environmentId: json.clientId, name: 'staging' };
  const { json: key } = await call(createKey, { key: account.secret.key, body });
  await sendText({ ...account, secret: key });
  expect(sent).toEqual([first]);
  await sendText(await createTestAccount(app));
  expect(sent).toHaveLength(2);
});

it.each(['please stop', 'HELP', 'stopp', ''])('%j opts nobody out', async (text) => {
  const account = await createTestAccount(app);
  await sendText(account);
  await receive(textOf(text));
  const later = await sendText(account);
  expect(sent).toContain(later);
});

it('ignores a text message from a person this service never wrote to', async () => {
  await receive(textOf('STOP'), '{}', 'no JSON');
  const account = await createTestAccount(app);
  const trackingId = await sendText(account);
  expect(sent).toEqual([trackingId]);
});

it('records text messages with media from Twilio, and calls the webhook', async () => {
  process.env.PUBLIC_BASE_URL = 'https://notify.example.com';
  process.env.TWILIO_AUTH_TOKEN = 'token';
  const account = await createTestAccount(app);
  const trackingId = await sendText(account);
  const params = {
    MessageSid: 'SM9',
    SmsStatus: 'received',
    From: theirs,
    To: OURS,
    Body: '',
    NumMedia: '1',
    MediaUrl0: 'https://api.twilio.com/media/1',
    MediaContentType0: 'image/png',
  };
  const url = 'https://notify.example.com/callbacks/twilio/sms';
  const { headers, body } = buildTwilioCallback({ authToken: 'token', url, params });
  const { status } = await call(twilio, { path: { channel: 'sms' }, headers, rawBody: body });
  expect(status).toBe(200);
  const media = [{ url: 'https://api.twilio.com/media/1', contentType: 'image/png' }];
  expect(await listOf(account)).toMatchObject([{ trackingId, media }]);
  const told = (await insertedEvents(app, trackingId)).flatMap(raisedCallsOf);
  const inbound = told.find(({ eventType }) => eventType === 'SMS_INBOUND');
  expect(JSON.parse(inbound?.body ?? '{}')).toMatchObject({ trackingId, userId: 'ada', from: theirs, media });
});

describe('a text whose number the provider chooses later', () => {
  const chosen = '+15005550042';
  const delivered = ({ account, environment }: TestAccount, trackingId: string) =>
    toSnsNotification({
      eventType: 'TEXT_DELIVERED',
      eventTimestamp: app.clock.nowMs,
      isFinal: true,
      originationPhoneNumber: chosen,
      messageId: `m-${trackingId}`,
      context: { trackingId, accountId: account.accountId, envId: environment.environmentId },
    });

  it.each(['pool-0123456789abcdef', undefined])(
    'from %s is replied to once the receipt names it',
    async (from) => {
      const account = await createTestAccount(app);
      chooses = from;
      const trackingId = await sendText(account);
      const receipt = delivered(account, trackingId);
      await publish(ingestPhone, receipt, receipt);
      await receive(textOf('STOP', 'in-chosen', app.clock.nowMs, chosen));
      expect(await recordOf(account, trackingId)).toMatchObject({
        sms_inbound_to: chosen,
        sms_unsubscribe_keyword: 'STOP',
      });
      const refused = await sendText(account);
      expect(await recordOf(account, refused)).toMatchObject({ sms_failed_code: '21610' });
    },
  );
});
