import { beforeEach, describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../../functions/account/update-account.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as sendSms } from '../../../../functions/sending/send-sms.ts';
import { handler as deleteUser } from '../../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { handler as answerTexts } from '../../../../functions/workers/inbound/answer-texts.ts';
import { handler as ingestInboundSms } from '../../../../functions/workers/inbound/ingest-inbound-sms.ts';
import type { ChannelProvider, DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import { accountSwitch } from '../../../../shared/database/entities/accounts/account-switch.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import { providerCalls } from '../../../../shared/database/entities/sending/provider-calls.ts';
import { logPk } from '../../../../shared/database/keys/key.ts';
import type { LogEvent } from '../../../../shared/domain/logs/log.ts';
import { createBreakers } from '../../../../shared/providers/order/breakers.ts';
import { failover } from '../../../../shared/providers/order/failover.ts';
import { createAwsOptOutList } from '../../../../shared/providers/phone/aws-opt-out-list.ts';
import { optOutList } from '../../../../shared/providers/phone/opt-out-list.ts';
import { smsProvider } from '../../../../shared/providers/phone/phone.ts';
import { clock, replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { clientOf } from '../../../shared/channels/phone/aws-setup.ts';
import { call } from '../../../support/app.ts';
import { startFakeAwsSms, toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { useAccount } from '../../../support/use-app.ts';
import { useStarted } from '../../../support/use-started.ts';
import { deliver, deliverMessages, recordOf } from '../../../support/workers.ts';

/** The sandbox's own number. */
const OURS = '+15005550006';
const pipeline = usePipeline();
const aws = useStarted(startFakeAwsSms);
const account = useAccount(pipeline, 'test');
let theirs: string;
let count = 0;
beforeEach(() => {
  count += 1;
  theirs = `+1202555${String(2000 + count)}`;
  replace(optOutList, () => undefined);
});

async function accept(message: Record<string, unknown>, to = theirs): Promise<string> {
  pipeline.clock.nowMs += 1000;
  const body = { type: 'order', to: { id: 'ada', number: to }, sms: { message: 'Hi', ...message } };
  const { json } = await call(send, { key: account.secret.key, body });
  await pipeline.settle();
  return json.trackingId;
}

/** Somebody texts our number, twice by the same event, as SNS may. */
async function text(messageBody: string, from = theirs, to = OURS): Promise<void> {
  pipeline.clock.nowMs += 1000;
  const id = `in-${pipeline.clock.nowMs}`;
  const event = { originationNumber: from, destinationNumber: to, messageBody, inboundMessageId: id };
  const body = toSnsNotification(event, new Date(pipeline.clock.nowMs).toISOString());
  expect(await deliver(ingestInboundSms, body, body)).toEqual([]);
  await pipeline.settle();
}

const textsTo = (number: string) =>
  pipeline.outbox
    .filter((each) => each.channel === 'SMS' && each.to.includes(number))
    .map(({ message }) => message as { message: string });

it('replies to the first text message with the rendered automatic reply, and not to later ones', async () => {
  const trackingId = await accept({ autoReply: { message: 'Thanks, {{ user.id }} €' } });
  await text('Is it there?');
  await text('Hello?');
  expect(textsTo(theirs)).toMatchObject([{ message: 'Hi' }, { from: OURS, message: 'Thanks, ada €' }]);
  expect(await recordOf(account, trackingId)).toMatchObject({
    sms_inbound_text: 'Is it there?',
    sms_replied_at: new Date(pipeline.clock.nowMs - 1000).toISOString(),
    sms_replied_to: theirs,
    sms_replied_text: 'Thanks, ada €',
    sms_replied_segments: 1,
    sms_replied_encoding: 'GSM-7',
  });
  await accept({ autoReply: { message: 'Again' } });
  await text('And now?');
  expect(textsTo(theirs)).toHaveLength(4);
});

it('sends no automatic reply for a disabled account, and still confirms an opt-out', async () => {
  await accept({ autoReply: { message: 'Thanks' } });
  await resolve(accountSwitch).setDisabled(account.account.accountId, true);
  await text('Is it there?');
  expect(textsTo(theirs)).toHaveLength(1);
  await text('stop');
  expect(textsTo(theirs).slice(1)).toMatchObject([{ message: expect.stringContaining('unsubscribed') }]);
});

it('does not reply repeatedly while its replies cannot be recorded', async () => {
  await accept({ autoReply: { message: 'Thanks' } });
  const real = resolve(logs);
  const isOfReply = ({ stage }: LogEvent) => stage.startsWith('repl');
  replace(logs, () => ({
    ...real,
    append: async (trackingId, owner, event, preview) => {
      if (isOfReply(event)) throw new Error('the table is throttling writes');
      return real.append(trackingId, owner, event, preview);
    },
  }));
  await text('Is it there?');
  for (let receives = 2; receives <= 5; receives += 1) {
    pipeline.clock.nowMs += 600_000;
    await pipeline.settle();
  }
  expect(textsTo(theirs)).toHaveLength(2);
  replace(logs, () => real);
  pipeline.clock.nowMs += 600_000;
  await pipeline.settle();
  expect(textsTo(theirs)).toHaveLength(3);
});

it('counts no receive that Lambda throttled as an attempt to reply', async () => {
  const trackingId = await accept({});
  const { accountId } = account.account;
  const { environmentId } = account.environment;
  const body = {
    ...{ kind: 'auto_reply', message: 'Thanks', trackingId, accountId, environmentId },
    ...{ userId: 'ada', notificationId: 'order', expiresAtSeconds: 2_000_000_000 },
    ...{ serviceNumber: OURS, number: theirs, inboundId: 'in-throttled' },
  };
  const attempts: number[] = [];
  const real = resolve(smsProvider);
  replace(smsProvider, () => ({
    name: 'busy',
    deliver: async ({ attempt }) => {
      attempts.push(attempt);
      return { kind: 'retry', code: 'Unknown', internal: 'busy' };
    },
  }));
  for (const receives of [90, 95, 99])
    expect(await deliverMessages(answerTexts, { body, attempt: receives })).toEqual(['m0']);
  expect(attempts).toEqual([2, 3, 4]);
  replace(smsProvider, () => real);
});

it('sends the automatic reply set with POST /sms', async () => {
  const body = { type: 'order', to: { number: theirs }, message: 'Hi', autoReply: { message: 'Got it' } };
  const { json } = await call(sendSms, { key: account.secret.key, body });
  await pipeline.settle();
  await text('ok');
  expect(await recordOf(account, json.trackingId)).toMatchObject({ sms_replied_text: 'Got it' });
});

it('sends no reply when the notification has no automatic reply', async () => {
  const trackingId = await accept({});
  await text('Hello');
  expect(textsTo(theirs)).toHaveLength(1);
  expect(await recordOf(account, trackingId)).not.toHaveProperty('sms_replied_at');
});

it('confirms an opt-out once, sends no automatic reply after it, and reports the message', async () => {
  const trackingId = await accept({ autoReply: { message: 'Thanks' } });
  await text('stop');
  await text('STOP');
  await text('Why?');
  const [, confirmation, ...more] = textsTo(theirs);
  expect(confirmation).toMatchObject({ message: expect.stringContaining('unsubscribed') });
  expect(more).toEqual([]);
  expect(await recordOf(account, trackingId)).toMatchObject({
    sms_unsubscribe_keyword: 'STOP',
    sms_replied_text: expect.stringContaining('unsubscribed'),
  });
  const refused = await accept({});
  expect(await recordOf(account, refused)).toMatchObject({ sms_failed_code: '21610' });
  await text('START');
  await accept({});
  expect(textsTo(theirs)).toHaveLength(4);
});

it('never replies to another number of this deployment, so that two automatic replies cannot loop', async () => {
  const other = '+12025559999';
  const first = await accept({ autoReply: { message: 'Reply A' } }, other);
  await accept({ from: other, autoReply: { message: 'Reply B' } }, OURS);
  await text('Hi', other, OURS);
  expect(textsTo(other)).toHaveLength(1);
  expect(await recordOf(account, first)).toMatchObject({ sms_inbound_text: 'Hi' });
});

it('does not record the outcome of a reply as delivery or failure of the notification', async () => {
  theirs = '+15005550005';
  const trackingId = await accept({ autoReply: { message: 'Thanks' } });
  const before = await recordOf(account, trackingId);
  await text('Hello');
  await pipeline.goTo(pipeline.clock.nowMs + 5000);
  const after = await recordOf(account, trackingId);
  expect(after).toMatchObject({ sms_replied_text: 'Thanks', sms_failed_code: '30005' });
  expect(Object.keys(after).filter((name) => /_sent_|_delivered_/.test(name))).toEqual(
    Object.keys(before).filter((name) => /_sent_|_delivered_/.test(name)),
  );
});

it('adds the number to the opt-out list of AWS after the confirmation and removes it with START', async () => {
  replace(optOutList, () => createAwsOptOutList('shop', clientOf(aws.url)));
  await accept({});
  await text('STOP');
  await text('START');
  await text('START');
  expect(aws.inputs()).toEqual([
    { operation: 'PutOptedOutNumber', input: { OptOutListName: 'shop', OptedOutNumber: theirs } },
    { operation: 'DeleteOptedOutNumber', input: { OptOutListName: 'shop', OptedOutNumber: theirs } },
    { operation: 'DeleteOptedOutNumber', input: { OptOutListName: 'shop', OptedOutNumber: theirs } },
  ]);
});

it('retries a reply that the provider could not accept', async () => {
  theirs = '+15005550429';
  await accept({ autoReply: { message: 'Thanks' } });
  await pipeline.goTo(pipeline.clock.nowMs + 120_000);
  await text('Hello');
  expect(textsTo(theirs).filter(({ message }) => message === 'Thanks')).toHaveLength(1);
  await pipeline.goTo(pipeline.clock.nowMs + 120_000);
  expect(textsTo(theirs).filter(({ message }) => message === 'Thanks')).toHaveLength(2);
  expect(pipeline.errors).toEqual([]);
});

describe('a reply by the first of two providers that', () => {
  const down = { kind: 'retry', code: 'Unknown', internal: 'down', notAccepted: 'unreachable' } as const;
  const lost = { kind: 'retry', code: 'Unknown', internal: 'timeout' } as const;
  const busy = { kind: 'postponed', afterSeconds: 20 } as const;
  const sent = { kind: 'sent', fields: {} } as const;
  type Outcomes = readonly DeliveryOutcome<'SMS'>[];

  // Each provider gives these outcomes in turn, the last for good.
  const CASES: [string, Outcomes, Outcomes, string][] = [
    ['is down is sent by the next', [down], [sent], 'first 1, next 1'],
    ['is busy waits for it', [busy, busy, sent], [sent], 'first 1, first 1, first 1'],
    ['is down while the next is busy', [down], [busy, sent], 'first 1, next 1, first 1, next 1'],
    ['is down with the next recovers', [down, sent], [down], 'first 1, next 1, first 2'],
    ['may have it is sent by no other', [lost, sent], [sent], 'first 1, first 2'],
  ];

  it.each(
    CASES.flatMap((row) =>
      ['twilio,telnyx', 'telnyx,twilio'].flatMap((order) =>
        [0, 2].map((waits) => [...row, order, waits] as const),
      ),
    ),
  )('%s', async (_, first, next, expected, order, waits) => {
    await accept({});
    const turns = Array.from({ length: waits }, () => ({ againSeconds: 30 }));
    const attempts: string[] = [];
    const provider = (name: string, as: string, outcomes: Outcomes): ChannelProvider<'SMS'> => {
      const left = [...outcomes];
      return {
        name,
        async deliver({ attempt }) {
          attempts.push(`${as} ${attempt}`);
          return (left.length > 1 ? left.shift() : left[0]) ?? sent;
        },
      };
    };
    const [one = '', other = ''] = order.split(',');
    const calls = resolve(providerCalls);
    const deps = { calls, breakers: createBreakers(calls), clock: resolve(clock) };
    const both = failover('SMS', [provider(one, 'first', first), provider(other, 'next', next)], deps);
    const before = resolve(smsProvider);
    replace(smsProvider, () => ({ ...both, awaitTurn: async () => turns.shift() }));
    try {
      await text('STOP');
      for (let minute = 0; minute < 8; minute += 1) await pipeline.goTo(pipeline.clock.nowMs + 60_000);
    } finally {
      replace(smsProvider, () => before);
    }
    expect(attempts.join(', ')).toBe(expected);
  });
});

describe('a reply to a text message of a user who was erased meanwhile', () => {
  const erased = async (messageBody: string) => {
    const trackingId = await accept({ autoReply: { message: 'Thanks' } });
    const turns = [{ againSeconds: 300 }];
    const before = resolve(smsProvider);
    replace(smsProvider, () => ({ ...before, awaitTurn: async () => turns.shift() }));
    try {
      await text(messageBody);
      const path = { userId: 'ada' };
      expect((await call(deleteUser, { key: account.secret.key, path })).status).toBe(200);
      for (let minute = 0; minute < 10; minute += 1) await pipeline.goTo(pipeline.clock.nowMs + 60_000);
    } finally {
      replace(smsProvider, () => before);
    }
    return JSON.stringify(await pipeline.database.queryAll(logPk(trackingId), ''));
  };

  it('is not sent if it is automatic', async () => {
    const found = await erased('Is it there?');
    expect(textsTo(theirs).slice(1)).toEqual([]);
    expect(found).not.toContain(theirs);
  });

  it('still confirms an opt-out, without the person in the log', async () => {
    const found = await erased('STOP');
    expect(textsTo(theirs).slice(1)).toMatchObject([{ message: expect.stringContaining('unsubscribed') }]);
    expect(found).not.toContain(theirs);
  });
});

it('answers HELP and START with the words of the account, each once, and leaves the automatic reply for a reply', async () => {
  await accept({ autoReply: { message: 'We are closed' } });
  const before = textsTo(theirs).length;
  await text('HELP');
  await text('Hilfe!');
  await text('STOP');
  await text('START');
  await text('When are you open?');
  await text('Hello?');
  const answers = textsTo(theirs).slice(before);
  expect(answers.map(({ message }) => message.replace(/^[^:]+: /, '').slice(0, 24))).toEqual([
    'You receive messages bec',
    'You receive messages bec',
    'You have been unsubscrib',
    'You are subscribed to me',
    'We are closed',
  ]);
});

it('keeps an opt-out that only the provider knows: no second call, and an event', async () => {
  const optedOut = '+15005551610';
  const trackingId = await accept({}, optedOut);
  expect(await recordOf(account, trackingId)).toMatchObject({
    sms_failed_code: '21610',
    sms_unsubscribe_from: optedOut,
    sms_unsubscribe_at: expect.any(String),
  });
  const calls = textsTo(optedOut).length;
  await accept({}, optedOut);
  expect(textsTo(optedOut)).toHaveLength(calls);
  await text('START', optedOut);
  await accept({}, optedOut);
  expect(textsTo(optedOut).length).toBeGreaterThan(calls);
});

describe('replies of the account', () => {
  const answers = {
    de: { stop: 'Test: Schluss. START beginnt neu.', help: 'Hilfe: 030 123' },
    'pt-BR': { start: 'Oi' },
  };
  const save = (smsAnswers: unknown) =>
    call(updateAccount, { key: account.secret.key, body: { smsAnswers } });

  it.each([
    ['de-AT', 'HELP', 'Test: Hilfe: 030 123'],
    ['de-AT', 'STOP', 'Test: Schluss. START beginnt neu.'],
    ['pt-BR', 'START', 'Test: Oi'],
    ['pt', 'START', 'Test: Volta a receber'],
    ['de', 'START', 'Test: Sie erhalten wieder'],
    ['ja', 'STOP', 'Test: 配信を停止しました'],
    ['ar', 'HELP', 'Test: تصلك'],
    ['sv', 'HELP', 'Test: You receive messages'],
    [null, 'HELP', 'Test: You receive messages'],
  ])('come in the language of a user with %s to %s', async (locale, word, expected) => {
    expect((await save(answers)).json).toMatchObject({ smsAnswers: answers });
    const { key } = account.secret;
    await call(saveUser, { key, path: { userId: 'ada' }, body: { locale } });
    await accept({ autoReply: { message: 'Thanks' } });
    await text(word);
    expect(
      textsTo(theirs)
        .slice(1)
        .map(({ message }) => message),
    ).toEqual([expect.stringContaining(expected)]);
    await call(saveUser, { key, path: { userId: 'ada' }, body: { locale: null } });
  });

  it.each([
    { de: { stopp: 'x' } },
    { de: { stop: '' } },
    { de: { stop: 'x'.repeat(321) } },
    { 'not a tag': { stop: 'x' } },
    Object.fromEntries('aa bb cc dd ee ff gg hh ii jj kk'.split(' ').map((tag) => [tag, {}])),
    [],
  ])('are refused if they are invalid: %j', async (value) => {
    await save(answers);
    expect(await save(value)).toMatchObject({ status: 400, json: { error: { code: 'INVALID_REQUEST' } } });
    expect((await save(undefined)).json.smsAnswers).toEqual(answers);
    expect((await save(null)).json).not.toHaveProperty('smsAnswers');
  });
});
