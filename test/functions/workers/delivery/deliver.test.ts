import { createHash } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as getLogs } from '../../../../functions/logs/get-logs.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { handler as deliverCall } from '../../../../functions/workers/delivery/deliver-call.ts';
import { handler as deliverChat } from '../../../../functions/workers/delivery/deliver-chat.ts';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import { handler as deliverPush } from '../../../../functions/workers/delivery/deliver-push.ts';
import { handler as deliverSms } from '../../../../functions/workers/delivery/deliver-sms.ts';
import type {
  ChannelProvider,
  DeliveryByChannel,
  DeliveryOutcome,
} from '../../../../shared/channels/channel.ts';
import { accounts } from '../../../../shared/database/entities/accounts.ts';
import { logs } from '../../../../shared/database/entities/logs.ts';
import { users } from '../../../../shared/database/entities/users.ts';
import { TRIES_MAX } from '../../../../shared/domain/retry.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { emailProvider } from '../../../../shared/providers/email.ts';
import { callProvider } from '../../../../shared/providers/phone.ts';
import { pushProvider } from '../../../../shared/providers/push.ts';
import { ConfigError } from '../../../../shared/runtime/config.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { CHANNELS, type Channel } from '../../../../shared/schemas/channel.ts';
import {
  call,
  createTestAccount,
  createTestApp,
  type TestAccount,
  type TestApp,
} from '../../../support/app.ts';
import { sqsEvent } from '../../../support/workers.ts';

type Waited = { queue: string; handle: string; seconds: number };

let app: TestApp;
let account: TestAccount;
let waited: Waited[];
beforeAll(async () => {
  Object.assign(process.env, { EMAIL_PROVIDER: 'sandbox', MAIL_DOMAIN: 'mail.example.com' });
  app = await createTestApp();
  account = await createTestAccount(app);
});
beforeEach(() => {
  waited = [];
  replace(queues, () => ({
    send: async () => [],
    changeVisibility: async (queue, handle, seconds) => void waited.push({ queue, handle, seconds }),
    countWaiting: async () => 0,
  }));
});

/** A provider that gives these answers in turn, then says yes. */
function provider<C extends Channel>(...answers: (DeliveryOutcome<C> | Error)[]) {
  const deliveries: DeliveryByChannel[C][] = [];
  const made: ChannelProvider<C> = {
    name: 'scripted',
    async deliver(delivery) {
      deliveries.push(delivery);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? { kind: 'sent', fields: {} };
    },
  };
  return { provider: made, deliveries };
}

const CALL = { type: 'reminder', to: { id: 'ada', number: '+12025550123' }, call: { message: 'Hi' } };

async function accepted(body: object = CALL): Promise<string> {
  return (await call(send, { key: account.secret.key, body })).json.trackingId;
}

/** One batch; `attempt` is how often its messages were received. */
function batch(attempt: number, ...trackingIds: string[]): SQSEvent {
  return sqsEvent(
    ...trackingIds.map((trackingId) => ({ body: { trackingId }, attempt, id: `m-${trackingId}` })),
  );
}

async function recordOf(trackingId: string) {
  const path = { trackingIds: trackingId };
  return (await call(getLogs, { key: account.secret.key, path })).json.logs[0];
}

const failedOf = ({ batchItemFailures }: Awaited<ReturnType<typeof deliverCall>>) =>
  batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
const unavailable = async (): Promise<never> => {
  throw new Error('unavailable');
};
const outage = { kind: 'retry', code: 'Unknown', internal: 'HTTP 503' } as const;

describe('a deliverer', () => {
  it('makes a message wait longer with each try, at least half the full delay and at most all of it', async () => {
    const trackingId = await accepted();
    replace(callProvider, () => provider<'CALL'>(...Array.from({ length: 3 }, () => outage)).provider);
    for (const attempt of [1, 2, 3]) {
      expect(failedOf(await deliverCall(batch(attempt, trackingId)))).toEqual([`m-${trackingId}`]);
    }
    expect(waited.map(({ queue, handle }) => [queue, handle])).toEqual(
      Array.from({ length: 3 }, () => ['deliver-call', `r-${trackingId}`]),
    );
    for (const [index, fullSeconds] of [3, 6, 12].entries()) {
      expect(waited[index]?.seconds).toBeGreaterThanOrEqual(fullSeconds / 2);
      expect(waited[index]?.seconds).toBeLessThanOrEqual(fullSeconds);
    }
    expect((await recordOf(trackingId)).call_failed_at).toBeUndefined();
  });

  it('waits as long as the provider asks', async () => {
    const trackingId = await accepted();
    replace(callProvider, () => provider<'CALL'>({ ...outage, afterSeconds: 77 }).provider);
    await deliverCall(batch(1, trackingId));
    expect(waited.map(({ seconds }) => seconds)).toEqual([77]);
  });

  it('sends at the next try, and the log shows no failure', async () => {
    const trackingId = await accepted();
    const scripted = provider<'CALL'>(outage);
    replace(callProvider, () => scripted.provider);
    await deliverCall(batch(1, trackingId));
    app.clock.nowMs += 3000;
    expect(failedOf(await deliverCall(batch(2, trackingId)))).toEqual([]);
    expect(scripted.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const record = await recordOf(trackingId);
    expect(record.call_sent_at).toBe(new Date(app.clock.nowMs).toISOString());
    expect(record.call_failed_at).toBeUndefined();
  });

  it('appends one item for a message whose sending was its delivery', async () => {
    const trackingId = await accepted();
    const delivered = { call_delivered_code: 'COMPLETED' } as const;
    replace(callProvider, () => provider<'CALL'>({ kind: 'sent', fields: {}, delivered }).provider);
    await deliverCall(batch(1, trackingId));
    const items = await app.database.queryAll(`LOG#${trackingId}`, 'EVENT#', { consistent: true });
    expect(items.map(({ sk }) => sk)).toEqual(['EVENT#call#sent']);
    const at = new Date(app.clock.nowMs).toISOString();
    expect(await recordOf(trackingId)).toMatchObject({
      call_sent_at: at,
      call_delivered_at: at,
      ...delivered,
    });
  });

  it('records the last failure with its code, its text and its fields when the attempts are used up', async () => {
    const trackingId = await accepted();
    const last = {
      code: '30008',
      internal: 'busy carrier',
      fields: { call_sent_from: '+12025550100' },
    } as const;
    const outages = Array.from({ length: TRIES_MAX.CALL - 1 }, () => outage);
    const scripted = provider<'CALL'>(...outages, { ...outage, ...last });
    replace(callProvider, () => scripted.provider);
    for (let receives = 1; receives < TRIES_MAX.CALL; receives += 1) {
      expect(failedOf(await deliverCall(batch(receives, trackingId)))).toHaveLength(1);
    }
    expect((await recordOf(trackingId)).call_failed_at).toBeUndefined();
    expect(failedOf(await deliverCall(batch(TRIES_MAX.CALL, trackingId)))).toEqual([]);
    expect(scripted.deliveries.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: TRIES_MAX.CALL }, (_, index) => index + 1),
    );
    expect(await recordOf(trackingId)).toMatchObject({
      call_failed_code: '30008',
      call_failed_internal: 'busy carrier',
      call_sent_from: '+12025550100',
    });
  });

  it('fails earlier where the provider’s response is worth fewer attempts', async () => {
    const trackingId = await accepted();
    const doubtful = { ...outage, triesMax: 2 };
    replace(callProvider, () => provider<'CALL'>(doubtful, doubtful).provider);
    expect(failedOf(await deliverCall(batch(1, trackingId)))).toHaveLength(1);
    expect(failedOf(await deliverCall(batch(2, trackingId)))).toEqual([]);
    expect((await recordOf(trackingId)).call_failed_code).toBe('Unknown');
  });

  it('counts calls to the provider, not receives', async () => {
    const trackingId = await accepted();
    const scripted = provider<'CALL'>(outage);
    replace(callProvider, () => scripted.provider);
    expect(failedOf(await deliverCall(batch(TRIES_MAX.CALL + 5, trackingId)))).toHaveLength(1);
    expect(scripted.deliveries.map(({ attempt }) => attempt)).toEqual([2]);
    expect((await recordOf(trackingId)).call_failed_at).toBeUndefined();
  });

  it('calls the provider on a second receive only after the attempt is stored', async () => {
    const trackingId = await accepted();
    const scripted = provider<'CALL'>();
    replace(callProvider, () => scripted.provider);
    const real = resolve(logs);
    const append = async () => {
      throw new Error('the table takes no writes');
    };
    replace(logs, () => ({ ...real, append }));
    try {
      for (const receives of [1, 2, 3, 4])
        expect(failedOf(await deliverCall(batch(receives, trackingId)))).toHaveLength(1);
    } finally {
      replace(logs, () => real);
    }
    expect(scripted.deliveries).toHaveLength(1);
    expect(failedOf(await deliverCall(batch(5, trackingId)))).toEqual([]);
    expect(scripted.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect((await recordOf(trackingId)).call_sent_at).toBeDefined();
  });

  it.each([
    ['the user', () => replace(users, () => ({ ...resolve(users), find: unavailable })), users],
    [
      'the account',
      () => replace(accounts, () => ({ ...resolve(accounts), findRecent: unavailable })),
      accounts,
    ],
    [
      'the provider’s settings',
      () => replace(callProvider, () => ({ name: 'broken', deliver: unavailable })),
      undefined,
    ],
  ])('keeps a message for as long as %s cannot be read, and never fails it', async (_, breakIt, broken) => {
    const trackingId = await accepted();
    const real = broken && resolve<unknown>(broken);
    replace(callProvider, () => provider<'CALL'>().provider);
    breakIt();
    try {
      for (let receives = 1; receives <= TRIES_MAX.CALL + 2; receives += 1)
        expect(failedOf(await deliverCall(batch(receives, trackingId)))).toEqual([`m-${trackingId}`]);
    } finally {
      if (broken) replace<unknown>(broken, () => real);
    }
    expect((await recordOf(trackingId)).call_failed_at).toBeUndefined();
    replace(callProvider, () => provider<'CALL'>().provider);
    expect(failedOf(await deliverCall(batch(20, trackingId)))).toEqual([]);
    expect((await recordOf(trackingId)).call_sent_at).toBeDefined();
  });

  it('keeps every message of a batch when a setting is missing, also where there is no provider without it', async () => {
    const trackingId = await accepted();
    replace(callProvider, () => {
      throw new ConfigError('CALL_PROVIDER must be one of aws, twilio, telnyx, sandbox');
    });
    for (let receives = 1; receives <= TRIES_MAX.CALL + 2; receives += 1)
      expect(failedOf(await deliverCall(batch(receives, trackingId)))).toEqual([`m-${trackingId}`]);
    expect((await recordOf(trackingId)).call_failed_at).toBeUndefined();
  });

  it('gives back of a batch only what is to be tried again', async () => {
    const [first, second, third] = [await accepted(), await accepted(), await accepted()];
    const answers: Record<string, DeliveryOutcome<'CALL'>> = {
      [first]: { kind: 'rejected', code: '21211', internal: 'bad' },
      [second]: outage,
      [third]: { kind: 'sent', fields: {} },
    };
    replace(callProvider, () => ({
      name: 'scripted',
      deliver: async ({ trackingId }) => answers[trackingId] ?? outage,
    }));
    const event = batch(1, first, second, third);
    const broken = { ...event.Records[0], messageId: 'm-broken', body: 'not JSON' };
    const answer = await deliverCall({ Records: [broken, ...event.Records] } as SQSEvent);
    expect(failedOf(answer)).toEqual(['m-broken', `m-${second}`]);
    expect((await recordOf(first)).call_failed_code).toBe('21211');
    expect((await recordOf(third)).call_sent_at).toBeDefined();
  });

  it.each([
    ['sent', { kind: 'sent', fields: {} }],
    ['failed', { kind: 'rejected', code: '21211', internal: 'bad' }],
  ] as const)('calls no provider for a repeat of a message that was %s', async (_, outcome) => {
    const trackingId = await accepted();
    const scripted = provider<'CALL'>(outcome);
    replace(callProvider, () => scripted.provider);
    await deliverCall(batch(1, trackingId));
    expect(failedOf(await deliverCall(batch(2, trackingId)))).toEqual([]);
    expect(scripted.deliveries).toHaveLength(1);
  });

  it('calls no provider twice for a content that the log cannot hold whole: it shows the beginning', async () => {
    const message = createHash('shake256', { outputLength: 600_000 }).update('seed').digest('base64');
    const trackingId = await accepted({ ...CALL, call: { message } });
    const scripted = provider<'CALL'>();
    replace(callProvider, () => scripted.provider);
    expect(failedOf(await deliverCall(batch(1, trackingId)))).toEqual([]);
    expect(failedOf(await deliverCall(batch(2, trackingId)))).toEqual([]);
    expect(scripted.deliveries.map((delivery) => delivery.message)).toEqual([message]);
    const { call_preview: preview } = await recordOf(trackingId);
    expect([message.startsWith(preview), preview.length]).toEqual([true, 256 * 1024]);
  });

  it('drops a message about a notification that is not there', async () => {
    const scripted = provider<'CALL'>();
    replace(callProvider, () => scripted.provider);
    expect(failedOf(await deliverCall(batch(1, '01a1fe53-4ea1-74b5-927c-000000000000')))).toEqual([]);
    expect(scripted.deliveries).toEqual([]);
  });
});

describe('content that renders empty', () => {
  const to = {
    id: 'kim',
    email: 'kim@example.com',
    number: '+12025550123',
    chatChannel: '#general',
    chatToken: { access_token: 't' },
  };
  const empty = '{{ nobody }}';

  it.each([
    ['email', deliverEmail, { email: { subject: 's', html: empty } }, 'MISSING_EMAIL_HTML'],
    ['email', deliverEmail, { email: { subject: empty, html: 'h' } }, 'MISSING_EMAIL_SUBJECT'],
    ['sms', deliverSms, { sms: { message: empty } }, 'MISSING_SMS_MESSAGE'],
    ['call', deliverCall, { call: { message: empty } }, 'MISSING_SMS_MESSAGE'],
    ['chat', deliverChat, { chat: { text: empty } }, 'NO_TEXT'],
  ])('fails on %s with its own code, whatever the provider', async (prefix, deliver, content, code) => {
    const trackingId = await accepted({ type: 'empty', to, ...content, forceChannels: CHANNELS });
    await deliver(batch(1, trackingId));
    expect((await recordOf(trackingId))[`${prefix}_failed_code`]).toBe(code);
  });
});

describe('options.email.condition', () => {
  const mail = (condition: string) =>
    accepted({
      type: 'receipt',
      to: { id: 'bob', email: 'bob@example.com' },
      email: { subject: 's', html: 'h' },
      parameters: { total: 7 },
      options: { email: { condition } },
    });

  it.each([
    ['is not met', 'total > 10', { email_routing: 'IGNORE' }, 0],
    ['is met', 'total > 5', { email_routing: 'SEND' }, 1],
    [
      'cannot be evaluated',
      '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}',
      { email_routing: 'IGNORE', email_failed_internal: expect.stringContaining('could not be evaluated') },
      0,
    ],
  ])('decides, when it %s, whether the email is sent', async (_, condition, expected, count) => {
    const scripted = provider<'EMAIL'>();
    replace(emailProvider, () => scripted.provider);
    const trackingId = await mail(condition);
    await deliverEmail(batch(1, trackingId));
    await deliverEmail(batch(2, trackingId));
    expect(await recordOf(trackingId)).toMatchObject(expected);
    expect(scripted.deliveries).toHaveLength(count);
  });
});

describe('a token that a provider calls dead', () => {
  const tokens = [
    { type: 'FCM', token: 'alive' },
    { type: 'FCM', token: 'dead' },
  ];
  const save = (pushTokens: object[]) =>
    call(saveUser, { key: account.secret.key, path: { userId: 'eve' }, body: { pushTokens } });
  async function tokensOfEve(): Promise<string[] | undefined> {
    const scope = { accountId: account.account.accountId, environmentId: account.environment.environmentId };
    return (await resolve(users).find(scope, 'eve'))?.pushTokens?.map(({ token }) => token);
  }

  async function deliverWith(outcome: DeliveryOutcome<'PUSH'>) {
    await save([]);
    await save(tokens);
    replace(pushProvider, () => provider<'PUSH'>(outcome).provider);
    const trackingId = await accepted({
      type: 'news',
      to: { id: 'eve' },
      mobile_push: { title: 't', message: 'm' },
    });
    app.clock.nowMs += 1000;
    await deliverPush(batch(1, trackingId));
    return tokensOfEve();
  }

  const deadTokens = ['dead'];
  const failure = { code: 'UNKNOWN', internal: 'x', deadTokens } as const;

  it.each<[string, DeliveryOutcome<'PUSH'>]>([
    ['sent', { kind: 'sent', fields: {}, deadTokens }],
    ['rejected', { kind: 'rejected', ...failure }],
    ['to be tried again', { kind: 'retry', ...failure }],
  ])('is removed from its user when the message is %s', async (_, outcome) => {
    expect(await deliverWith(outcome)).toEqual(['alive']);
  });

  it('stays when its user brings it again while it is tried', async () => {
    const answered: DeliveryOutcome<'PUSH'> = { kind: 'sent', fields: {}, deadTokens };
    await save([]);
    await save(tokens);
    replace(pushProvider, () => ({
      name: 'scripted',
      async deliver() {
        app.clock.nowMs += 10;
        await save(tokens);
        return answered;
      },
    }));
    const trackingId = await accepted({
      type: 'news',
      to: { id: 'eve' },
      mobile_push: { title: 't', message: 'm' },
    });
    await deliverPush(batch(1, trackingId));
    expect(await tokensOfEve()).toEqual(['alive', 'dead']);
  });
});
