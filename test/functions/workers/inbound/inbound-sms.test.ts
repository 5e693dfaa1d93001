import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as twilio } from '../../../../functions/callbacks/receive-twilio-callback.ts';
import { handler as createEnvironment } from '../../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../../functions/keys/create-api-key.ts';
import { handler as listLogs } from '../../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../../functions/sending/send-bulk.ts';
import { handler as deleteUser } from '../../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { handler as deliverSms } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { handler as ingestInboundSms } from '../../../../functions/workers/inbound/ingest-inbound-sms.ts';
import { handler as ingestPhone } from '../../../../functions/workers/receipts/ingest-phone.ts';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import { HELD_MS_MAX } from '../../../../shared/database/items/held-items.ts';
import { smsProvider } from '../../../../shared/providers/phone/phone.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { buildTwilioCallback } from '../../../support/fakes/twilio.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { deliver, publish, recordOf } from '../../../support/workers.ts';
import { insertedEvents } from '../receipts/inserted-events.ts';

const OURS = '+15005550006';
const app = useApp();
const account = useAccount(app, 'test');
/** The person in the test, each with a separate number. */
const person = { number: '' };
/** The tracking IDs of the text messages that were sent in the test. */
const sent: string[] = [];
let numbers = 0;
/** The number, or the name of one, that the provider reports as the sender. */
let chooses: string | undefined;
/** Sets the provider's number for text messages without a `from`. */
const chooseNumber = (number: string | undefined) => {
  chooses = number;
};

async function ask({ secret }: TestAccount, from?: string, dryRun = 'false') {
  app.clock.nowMs += 1000;
  const body = {
    type: 'welcome',
    to: { id: 'ada', number: person.number },
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
  const event = { originationNumber: person.number, destinationNumber, messageBody, inboundMessageId: id };
  return toSnsNotification(event, new Date(atMs).toISOString());
}

async function receive(...bodies: string[]) {
  expect(await deliver(ingestInboundSms, ...bodies)).toEqual([]);
  app.clock.nowMs += 1000;
}

const listOf = async ({ secret }: TestAccount) =>
  (await call(listLogs, { key: secret.key, query: { eventType: 'sms_inbound' } })).json.messages;

beforeAll(() => {
  replace(smsProvider, () => ({
    name: 'recorder',
    async deliver({ trackingId, from = chooses }) {
      sent.push(trackingId);
      return { kind: 'sent', fields: from ? { sms_sent_from: from } : {} };
    },
  }));
});
beforeEach(() => {
  sent.length = 0;
  chooses = OURS;
  numbers += 1;
  person.number = `+1202555${String(1000 + numbers)}`;
});

it('records a reply once, in the list and in the log of the last text message', async () => {
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
    sms_inbound_from: person.number,
    sms_inbound_to: OURS,
    sms_inbound_text: 'Größe?',
  });
  expect(await listOf(account)).toMatchObject([
    {
      trackingId,
      eventType: 'sms_inbound',
      timestamp: at,
      from: person.number,
      to: [OURS],
      bodyText: 'Größe?',
    },
  ]);
  expect(await listOf(await createTestAccount(app))).toEqual([]);
});

it('shows in a dry run that the user opted out, from the number they replied to', async () => {
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
  person.number = '+12025559999';
  expect((await ask(account)).messages).toEqual([]);
});

it('ignores a text message from a number that was never sent to', async () => {
  await receive(textOf('Hello'), '{}', 'no JSON');
  const account = await createTestAccount(app);
  const trackingId = await sendText(account);
  expect(sent).toEqual([trackingId]);
});

it('records text messages with media from Twilio and raises a webhook call', async () => {
  process.env.PUBLIC_BASE_URL = 'https://notify.example.com';
  process.env.TWILIO_AUTH_TOKEN = 'token';
  const account = await createTestAccount(app);
  const trackingId = await sendText(account);
  const params = {
    MessageSid: 'SM9',
    SmsStatus: 'received',
    From: person.number,
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
  const raised = (await insertedEvents(app, trackingId)).flatMap(raisedCallsOf);
  const inbound = raised.find(({ eventType }) => eventType === 'SMS_INBOUND');
  expect(JSON.parse(inbound?.body ?? '{}')).toMatchObject({
    trackingId,
    userId: 'ada',
    from: person.number,
    media,
  });
});

describe('a reply to a text message whose sender number the provider chose', () => {
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
    'from %s is recorded once the receipt names the number',
    async (from) => {
      chooseNumber(from);
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

it('sends nothing after STOP until START, and fails with 21610 without a provider call', async () => {
  const first = await sendText(account);
  const { trackingId: waiting } = await ask(account);
  await receive(textOf('  Stop! '));
  expect(await recordOf(account, first)).toMatchObject({
    sms_unsubscribe_from: person.number,
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

it('opts out of the number that was replied to and of no other', async () => {
  await sendText(account);
  await receive(textOf('STOP'));
  process.env.PHONE_NUMBERS = `${OURS},+15005550009`;
  const other = await sendText(account, '+15005550009');
  const same = await sendText(account, OURS);
  expect(sent).toContain(other);
  expect(sent).not.toContain(same);
});

it.each([
  ['+525512345678', '+5215512345678'],
  ['+5215512345678', '+525512345678'],
  ['+541123456789', '+5491123456789'],
  ['+5491123456789', '+541123456789'],
])('takes %s and %s for one number', async (written, replying) => {
  person.number = written;
  const first = await sendText(account);
  person.number = replying;
  await receive(textOf('STOP'));
  expect(await recordOf(account, first)).toMatchObject({ sms_unsubscribe_from: replying });
  for (const number of [written, replying]) {
    person.number = number;
    const { trackingId } = await ask(account);
    expect(await recordOf(account, trackingId)).toMatchObject({ sms_failed_code: '21610' });
  }
  person.number = written;
  await receive(textOf('START'));
  for (const number of [written, replying]) {
    person.number = number;
    await sendText(account);
  }
  expect(sent).toHaveLength(3);
});

it('ignores an earlier STOP that arrives after START', async () => {
  await sendText(account);
  const stop = textOf('STOP');
  await receive(stop);
  await receive(textOf('START'));
  await receive(stop);
  const later = await sendText(account);
  expect(sent).toContain(later);
});

it('opts out in every environment that used the number, and informs each', async () => {
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

it('shows the user as opted out in log and user after STOP, START and STOP', async () => {
  const trackingId = await sendText(account);
  for (const word of ['STOP', 'START', 'STOP']) await receive(textOf(word));
  const { sms_unsubscribe_at, sms_subscribe_at } = await recordOf(account, trackingId);
  expect(Date.parse(sms_unsubscribe_at)).toBeGreaterThan(Date.parse(sms_subscribe_at));
  expect((await ask(account)).messages).toEqual(['SMS is not sent: the user opted out of text messages.']);
});

it('opts out in every environment of the account, including those that sent nothing before', async () => {
  const first = await sendText(account);
  await receive(textOf('STOP'));
  const { json } = await call(createEnvironment, { key: account.secret.key, body: { title: 'Staging' } });
  const body = { keyType: 'secret', environmentId: json.clientId, name: 'staging' };
  const { json: key } = await call(createKey, { key: account.secret.key, body });
  const staging = { ...account, secret: key };
  await sendText(staging);
  expect(sent).toEqual([first]);
  const because = ['SMS is not sent: the user opted out of text messages.'];
  expect((await ask(staging)).messages).toEqual(because);
  const request = { type: 'note', to: { id: 'of-staging', number: person.number }, sms: { message: 'm' } };
  const rehearsed = await call(send, { key: key.key, query: { dryRun: 'true' }, body: request });
  const reasonsOf = ({ messages }: { messages: string[] }) =>
    messages.filter((each) => each.startsWith('SMS'));
  expect(reasonsOf(rehearsed.json)).toEqual(because);
  const notifications = [request, { ...request, to: { id: 'other', number: '+14155550199' } }];
  const bulk = await call(sendBulk, { key: key.key, body: { notifications } });
  expect(bulk.json.results.map(reasonsOf)).toEqual([because, []]);
  await receive(textOf('START'));
  expect((await ask(staging)).messages).toEqual([]);
  await sendText(await createTestAccount(app));
  expect(sent).toHaveLength(2);
});

it('opts out of the number in every account, also before any text came from it', async () => {
  const [first, other] = [await createTestAccount(app), await createTestAccount(app)];
  await receive(textOf('Stop please'));
  for (const account of [first, other]) await sendText(account);
  expect(sent).toEqual([]);
  expect((await ask(first, OURS)).messages).toEqual([
    'SMS is not sent: the user opted out of text messages.',
  ]);
  await receive(textOf('START'));
  for (const account of [first, other]) await sendText(account);
  expect(sent).toHaveLength(2);
});

it('opts out of the number after its user was deleted', async () => {
  await sendText(account);
  const { key } = account.secret;
  expect((await call(deleteUser, { key, path: { userId: 'ada' } })).status).toBe(200);
  await receive(textOf('unsubscribe me'));
  await sendText(account);
  expect(sent).toHaveLength(1);
});

it.each(['please do', 'HELP', 'non-stop', ''])('opts nobody out with %j', async (text) => {
  await sendText(account);
  await receive(textOf(text));
  const later = await sendText(account);
  expect(sent).toContain(later);
});

describe('a text message that replies to none', () => {
  const own = async () => {
    const account = await createTestAccount(app);
    process.env.PHONE_NUMBERS = `+15005550009,${account.account.accountId}:${OURS}`;
    return account;
  };

  it.each(['Are you open?', 'STOP', 'HELP'])(
    'is in the log of the account that owns the number: %s',
    async (text) => {
      const account = await own();
      const body = textOf(text, 'in-1');
      await receive(body, body);
      const [record, ...more] = await listOf(account);
      expect(more).toEqual([]);
      expect(record).toMatchObject({ inbox: OURS, from: person.number, bodyText: text });
      expect(await recordOf(account, record.trackingId)).toMatchObject({
        sms_inbound_text: text,
        ...(text === 'STOP' ? { sms_unsubscribe_from: person.number } : {}),
      });
      const events = (await insertedEvents(app, record.trackingId)).flatMap(raisedCallsOf);
      const raised = ['SMS_INBOUND', ...(text === 'STOP' ? ['SMS_UNSUBSCRIBE'] : [])];
      expect(events.map(({ eventType }) => eventType).sort()).toEqual(raised);
      const outbound = await call(listLogs, { key: account.secret.key, query: { eventType: 'outbound' } });
      expect(outbound.json.messages).toEqual([]);
    },
  );

  it('is in no log if no account owns the number', async () => {
    const account = await own();
    await receive(textOf('Hi', 'in-2', app.clock.nowMs, '+15005550009'));
    expect(await listOf(account)).toEqual([]);
  });
});

describe('what a text message costs', () => {
  const readsOf = (queries: { mock: { calls: unknown[][] } }) =>
    queries.mock.calls.map(([pk]) => String(pk)).filter((pk) => pk.startsWith('SMSOPTOUT#'));

  it.each(['+12025557001', '+525512347001', '+5491123457001'])(
    'reads the opt-outs of %s once, and again after three seconds',
    async (number) => {
      person.number = number;
      const queries = vi.spyOn(app.database, 'queryAll');
      await sendText(account);
      expect(readsOf(queries)).toHaveLength(1);
      app.clock.nowMs += HELD_MS_MAX;
      await sendText(account);
      expect(readsOf(queries)).toHaveLength(2);
      queries.mockRestore();
    },
  );
});
