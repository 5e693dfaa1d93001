import { describe, expect, it, vi } from 'vitest';
import { handler as createEnvironment } from '../../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../../functions/keys/create-api-key.ts';
import { handler as listLogs } from '../../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../../functions/sending/send-bulk.ts';
import { handler as deleteUser } from '../../../../functions/users/delete-user.ts';
import { handler as deliverSms } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import { HELD_MS_MAX } from '../../../../shared/database/items/held-items.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { deliver, recordOf } from '../../../support/workers.ts';
import { insertedEvents } from '../receipts/inserted-events.ts';
import {
  app,
  ask,
  listOf,
  OURS,
  person,
  receive,
  sendText,
  sent,
  textOf,
  useInboundSms,
} from './sms-setup.ts';

useInboundSms();

it('sends nothing after STOP until START, and fails with 21610 without a provider call', async () => {
  const account = await createTestAccount(app);
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
  const account = await createTestAccount(app);
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
  const account = await createTestAccount(app);
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
  const account = await createTestAccount(app);
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
  const account = await createTestAccount(app);
  const trackingId = await sendText(account);
  for (const word of ['STOP', 'START', 'STOP']) await receive(textOf(word));
  const { sms_unsubscribe_at, sms_subscribe_at } = await recordOf(account, trackingId);
  expect(Date.parse(sms_unsubscribe_at)).toBeGreaterThan(Date.parse(sms_subscribe_at));
  expect((await ask(account)).messages).toEqual(['SMS is not sent: the user opted out of text messages.']);
});

it('opts out in every environment of the account, including those that sent nothing before', async () => {
  const account = await createTestAccount(app);
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
  const account = await createTestAccount(app);
  await sendText(account);
  const { key } = account.secret;
  expect((await call(deleteUser, { key, path: { userId: 'ada' } })).status).toBe(200);
  await receive(textOf('unsubscribe me'));
  await sendText(account);
  expect(sent).toHaveLength(1);
});

it.each(['please do', 'HELP', 'non-stop', ''])('opts nobody out with %j', async (text) => {
  const account = await createTestAccount(app);
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
      const account = await createTestAccount(app);
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
