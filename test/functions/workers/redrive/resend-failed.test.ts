import { describe, expect, it } from 'vitest';
import { handler as savePreferences } from '../../../../functions/preferences/save-preferences.ts';
import { handler as resendLog } from '../../../../functions/sending/resend-log.ts';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { handler as explain } from '../../../../functions/workers/redrive/explain.ts';
import { handler as recountUsage } from '../../../../functions/workers/redrive/recount-usage.ts';
import { handler as redrive } from '../../../../functions/workers/redrive/redrive.ts';
import { handler as resendFailed } from '../../../../functions/workers/redrive/resend-failed.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import { organizationKey } from '../../../../shared/database/keys/account.ts';
import { headKey } from '../../../../shared/database/keys/log.ts';
import { chatProvider } from '../../../../shared/providers/chat/chat.ts';
import { smsProvider } from '../../../../shared/providers/phone/phone.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { isFew } from '../../../support/cases.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { countUsage } from '../../../support/usage.ts';
import { recordOf } from '../../../support/workers.ts';
import { iso, redriving } from './setup.ts';

const pipeline = usePipeline();
const on = redriving(pipeline);

/** Sends while the provider rejects everything with a code of its own. */
async function whileDown(sending: () => Promise<string[]>): Promise<string[]> {
  const real = resolve(smsProvider);
  const down = { kind: 'rejected', code: '30008', internal: 'down' } as const;
  replace(smsProvider, () => ({ ...real, deliver: async () => down }));
  const trackingIds = await sending();
  await pipeline.settle();
  replace(smsProvider, () => real);
  return trackingIds;
}

async function newAccount(rules: object = {}): Promise<TestAccount> {
  const account = await createTestAccount(pipeline);
  const type = { notificationId: 'news', title: 'News', channels: ['SMS'], ...rules };
  await call(createType, { key: account.secret.key, body: type });
  return account;
}

const resendOne = (account: TestAccount, trackingId: string, body: object = {}) =>
  call(resendLog, { key: account.secret.key, path: { trackingId }, body });

describe('POST /logs/{trackingId}/resend', () => {
  it('sends a failed message again, once, to the present number, in spite of deduplication', async () => {
    const account = await newAccount({ deduplication: { duration: 0 } });
    const [trackingId = ''] = await whileDown(async () => [await on.sendSms(account)]);
    expect(await recordOf(account, trackingId)).toMatchObject({ sms_failed_code: '30008' });
    const { key } = account.secret;
    await call(saveUser, { key, path: { userId: 'ada' }, body: { number: '+15005559999' } });
    const responses = await Promise.all([1, 2, 3].map(() => resendOne(account, trackingId)));
    pipeline.clock.nowMs += 30 * 3_600_000;
    responses.push(await resendOne(account, trackingId));
    await pipeline.settle();
    const [first] = responses;
    expect(first).toMatchObject({ status: 200, json: { resent: [{ channel: 'SMS', messages: [] }] } });
    const again = first?.json.resent[0].trackingId;
    for (const { json } of responses) expect(json.resent[0].trackingId).toBe(again);
    expect(pipeline.sentBy(account).map(({ message }) => (message as { to: string }).to)).toEqual([
      '+15005559999',
    ]);
    expect(await recordOf(account, again)).toMatchObject({ sms_sent_at: expect.any(String), user_id: 'ada' });
  });

  it('is 400 for a sensitive notification, whose content is gone', async () => {
    const account = await newAccount({ sensitive: true });
    const [trackingId = ''] = await whileDown(async () => [await on.sendSms(account)]);
    expect(await resendOne(account, trackingId)).toMatchObject({
      status: 400,
      json: { error: { code: 'INVALID_REQUEST', fix: expect.stringContaining('sensitive') } },
    });
    await pipeline.settle();
    expect(pipeline.sentBy(account)).toEqual([]);
  });

  it.each([
    ['its request', { options: { sms: { validitySeconds: 600 } } }, {}],
    ['its type', {}, { options: { sms: { validitySeconds: 600 } } }],
  ])(
    'gives a text message the rest of its time by %s, and is 400 once it is over',
    async (_, body, rules) => {
      const account = await newAccount(rules);
      const [trackingId = ''] = await whileDown(async () => [await on.sendSms(account, body)]);
      const [late = ''] = await whileDown(async () => [await on.sendSms(account, body)]);
      pipeline.clock.nowMs += 400_000;
      expect((await resendOne(account, trackingId)).status).toBe(200);
      await pipeline.settle();
      const [{ message } = { message: {} }] = pipeline.sentBy(account);
      expect(message).toMatchObject({ validUntilMs: expect.any(Number) });
      const leftMs = Number(Object(message).validUntilMs) - pipeline.clock.nowMs;
      expect([leftMs > 190_000, leftMs <= 200_000]).toEqual([true, true]);
      pipeline.clock.nowMs += 300_000;
      expect(await resendOne(account, late)).toMatchObject({
        status: 400,
        json: { error: { code: 'INVALID_REQUEST', fix: expect.stringContaining('no longer valid') } },
      });
      await pipeline.settle();
      expect(pipeline.sentBy(account)).toHaveLength(1);
    },
  );

  it('evaluates preferences again', async () => {
    const account = await newAccount();
    const [trackingId = ''] = await whileDown(async () => [await on.sendSms(account)]);
    const { key } = account.secret;
    const pausedUntil = iso(pipeline.clock.nowMs + 3_600_000);
    await call(saveUser, { key, path: { userId: 'ada' }, body: { pausedUntil } });
    expect((await resendOne(account, trackingId)).status).toBe(200);
    await pipeline.settle();
    expect(pipeline.sentBy(account)).toEqual([]);
  });

  it('is 400 for what was sent, for another channel, and for a log of somebody else', async () => {
    const account = await newAccount();
    const sent = await on.sendSms(account);
    await pipeline.settle();
    expect(await resendOne(account, sent)).toMatchObject({
      status: 400,
      json: { error: { code: 'INVALID_REQUEST' } },
    });
    const [failed = ''] = await whileDown(async () => [
      await on.sendSms(account, { to: { id: 'bob', number: '+15005550001' } }),
    ]);
    expect(await resendOne(account, failed, { channel: 'EMAIL' })).toMatchObject({ status: 400 });
    const other = await newAccount();
    for (const trackingId of [failed, 'unknown'])
      expect(await resendOne(other, trackingId)).toMatchObject({
        status: 400,
        json: { error: { code: 'RESOURCE_NOT_FOUND' } },
      });
    expect(pipeline.sentBy(account)).toHaveLength(1);
  });
});

describe('resend-failed', () => {
  it.skipIf(isFew)('sends what an outage failed, each once, by pages, and nothing of others', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const to = (id: string) => ({ to: { id, number: '+15005551234' } });
    const startMs = pipeline.clock.nowMs;
    const ids = Array.from({ length: 205 }, (_, index) => `u${index}`);
    await whileDown(async () => [
      ...(await Promise.all(ids.map((id) => on.sendSms(account, to(id))))),
      await on.sendSms(other, to('eve')),
    ]);
    const event = {
      accountId: account.account.accountId,
      from: iso(startMs),
      to: iso(pipeline.clock.nowMs + 1),
    };
    const run = async (more: object) => {
      const total = { examined: 0, resent: 0, before: 0 };
      let start: string | undefined;
      do {
        const page = await resendFailed({ ...event, ...more, ...(start ? { start } : {}) });
        total.examined += page.examined;
        total.resent += page.resent;
        total.before += page.before;
        start = page.next;
      } while (start !== undefined);
      return total;
    };
    expect(await run({ isDryRun: true })).toEqual({ examined: 205, resent: 205, before: 0 });
    expect(await run({ code: '30007' })).toEqual({ examined: 205, resent: 0, before: 0 });
    // A run that ended after its first page.
    expect(await resendFailed(event)).toMatchObject({ resent: 200, before: 0 });
    expect(await run({ isDryRun: true })).toEqual({ examined: 205, resent: 205, before: 200 });
    expect(await run({ channel: 'SMS', code: '30008' })).toEqual({
      examined: 205,
      resent: 205,
      before: 200,
    });
    expect(await run({})).toEqual({ examined: 205, resent: 205, before: 205 });
    expect(await run({ isDryRun: true })).toEqual({ examined: 205, resent: 205, before: 205 });
    await pipeline.settle();
    expect(pipeline.sentBy(account)).toHaveLength(205);
    expect(pipeline.sentBy(other)).toEqual([]);
  });

  it('sends each message once in two runs at the same time, a second apart, and refuses none', async () => {
    const account = await newAccount({ options: { sms: { validitySeconds: 600 } } });
    const startMs = pipeline.clock.nowMs;
    const ids = Array.from({ length: 30 }, (_, index) => `u${index}`);
    await whileDown(() =>
      Promise.all(ids.map((id) => on.sendSms(account, { to: { id, number: '+15005551234' } }))),
    );
    pipeline.clock.nowMs += 60_000;
    const event = {
      accountId: account.account.accountId,
      from: iso(startMs),
      to: iso(pipeline.clock.nowMs + 1),
    };
    expect(await resendFailed(event)).toMatchObject({ examined: 30, resent: 30, before: 0, refused: {} });
    pipeline.clock.nowMs += 1000;
    // The other run has looked for what was sent again before this one stored it.
    const looked = new Set<string>();
    const real = resolve(logs);
    replace(logs, () => ({
      ...real,
      findHead: async (id, nowMs) => (looked.has(id) ? real.findHead(id, nowMs) : void looked.add(id)),
    }));
    const second = await resendFailed(event).finally(() => replace(logs, () => real));
    expect(second).toMatchObject({ examined: 30, resent: 30, before: 30, refused: {} });
    await pipeline.settle();
    expect(pipeline.sentBy(account)).toHaveLength(30);
  });

  const OPTED_OUT = "SMS is not sent: the user's preference is off.";
  const turnOff = ({ secret: { key } }: TestAccount) =>
    call(savePreferences, {
      ...{ key, path: { userId: 'ada' } },
      body: [{ notificationId: 'news', channel: 'SMS', delivery: 'off' }],
    });
  const reachCap = async ({ account: { accountId, createdAt } }: TestAccount) => {
    const now = iso(pipeline.clock.nowMs);
    await pipeline.database.put({
      ...organizationKey(accountId),
      ...{ organizationId: accountId, organizationType: 'paid', creator: 'a@example.com', name: 'Test' },
      ...{ messagesCap: 1000, smsCap: 1, costCap: 1000, allowOverage: false },
      ...{ anchorDate: now.slice(0, 10), createdAt, updatedAt: createdAt },
    });
    await countUsage(accountId, 'SMS', 1, now, 1);
  };

  it.each([
    ['an opt-out', turnOff, OPTED_OUT],
    ['a cap', reachCap, 'USAGE_LIMIT'],
  ])('counts what %s of later withholds apart, as its dry run does', async (_, happen, reason) => {
    const account = await newAccount();
    const startMs = pipeline.clock.nowMs;
    await whileDown(async () => [
      await on.sendSms(account),
      await on.sendSms(account, { to: { id: 'bob', number: '+15005550001' } }),
    ]);
    await happen(account);
    pipeline.clock.nowMs += 120_000;
    const event = {
      accountId: account.account.accountId,
      from: iso(startMs),
      to: iso(pipeline.clock.nowMs + 1),
    };
    const withheld = reason === OPTED_OUT ? 1 : 2;
    const result = { isKnown: true, examined: 2, resent: 2 - withheld, refused: { [reason]: withheld } };
    for (const [isDryRun, before] of [
      [true, 0],
      [true, 0],
      [false, 0],
      [false, 2 - withheld],
    ])
      expect(await resendFailed({ ...event, isDryRun })).toEqual({ ...result, before });
    await pipeline.settle();
    expect(pipeline.sentBy(account)).toHaveLength(2 - withheld);
  });

  it('counts a text message that is no longer valid beside a channel that is sent again', async () => {
    const account = await newAccount({
      ...{ channels: ['SMS', 'CHAT'], options: { sms: { validitySeconds: 600 } } },
    });
    const startMs = pipeline.clock.nowMs;
    const down = { kind: 'rejected', code: 'CHANNEL_NOT_FOUND', internal: 'down' } as const;
    const real = resolve(chatProvider);
    replace(chatProvider, () => ({ ...real, deliver: async () => down }) as never);
    await whileDown(async () => [
      await on.sendSms(account, {
        to: { id: 'ada', number: '+15005551234', chatToken: { access_token: 'xoxb-1' }, chatChannel: '#a' },
        chat: { text: 'Hello' },
      }),
    ]);
    replace(chatProvider, () => real);
    pipeline.clock.nowMs += 700_000;
    const event = { accountId: account.account.accountId, from: iso(startMs), to: iso(pipeline.clock.nowMs) };
    for (const isDryRun of [true, false])
      expect(await resendFailed({ ...event, isDryRun })).toEqual({
        ...{ isKnown: true, examined: 1, resent: 1, before: 0, refused: { INVALID_REQUEST: 1 } },
      });
  });

  it('passes over a log that is unreadable, as the other commands for a range of time do', async () => {
    const account = await newAccount();
    const { accountId } = account.account;
    const startMs = pipeline.clock.nowMs;
    const [broken = ''] = await whileDown(async () => [await on.sendSms(account), await on.sendSms(account)]);
    const item = await pipeline.database.get(headKey(broken));
    await pipeline.database.put({ ...headKey(broken), ...item, at: { broken: true } });
    const range = { from: iso(startMs), to: iso(pipeline.clock.nowMs + 1) };
    expect(await explain({ accountId, ...range })).toMatchObject({
      counts: { [range.from.slice(0, 16)]: { accepted: 1, 'SMS failed 30008': 1 } },
    });
    expect(await redrive({ ...range, isDryRun: true })).toMatchObject({ trackingIds: [] });
    expect(await resendFailed({ accountId, ...range })).toMatchObject({ examined: 2, resent: 1 });
    const day = range.from.slice(0, 10);
    pipeline.clock.nowMs += 2 * 24 * 3_600_000;
    expect(await recountUsage({ day, isDryRun: true })).toMatchObject({ examined: expect.any(Number) });
  });

  it('says that an account does not exist', async () => {
    const event = { accountId: 'nobody', from: iso(0), to: iso(1) };
    expect(await resendFailed(event)).toMatchObject({ isKnown: false });
  });
});
