import { describe, expect, it } from 'vitest';
import { handler as resendLog } from '../../../../functions/sending/resend-log.ts';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { handler as resendFailed } from '../../../../functions/workers/redrive/resend-failed.ts';
import { smsProvider } from '../../../../shared/providers/phone.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { usePipeline } from '../../../support/pipeline.ts';
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
    const answers = await Promise.all([1, 2, 3].map(() => resendOne(account, trackingId)));
    pipeline.clock.nowMs += 30 * 3_600_000;
    answers.push(await resendOne(account, trackingId));
    await pipeline.settle();
    const [first] = answers;
    expect(first).toMatchObject({ status: 200, json: { resent: [{ channel: 'SMS', messages: [] }] } });
    const again = first?.json.resent[0].trackingId;
    for (const { json } of answers) expect(json.resent[0].trackingId).toBe(again);
    expect(pipeline.sentBy(account).map(({ message }) => (message as { to: string }).to)).toEqual([
      '+15005559999',
    ]);
    expect(await recordOf(account, again)).toMatchObject({ sms_sent_at: expect.any(String), user_id: 'ada' });
  });

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
  it('sends what an outage failed, each message once, page by page, and nothing of others', async () => {
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
      const total = { examined: 0, resent: 0 };
      let start: string | undefined;
      do {
        const page = await resendFailed({ ...event, ...more, ...(start ? { start } : {}) });
        total.examined += page.examined;
        total.resent += page.resent;
        start = page.next;
      } while (start !== undefined);
      return total;
    };
    expect(await run({ isDryRun: true })).toEqual({ examined: 205, resent: 205 });
    expect(await run({ code: '30007' })).toEqual({ examined: 205, resent: 0 });
    expect(await run({ channel: 'SMS', code: '30008' })).toEqual({ examined: 205, resent: 205 });
    await run({});
    await pipeline.settle();
    expect(pipeline.sentBy(account)).toHaveLength(205);
    expect(pipeline.sentBy(other)).toEqual([]);
  });
});
