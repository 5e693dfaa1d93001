import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { database } from '../../../shared/database/database.ts';
import { sendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { deleteExpired } from '../../support/expired-items.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { atMost } from '../../support/throttling.ts';
import { recordOf } from '../../support/workers.ts';

const pipeline = usePipeline();

const PER_HOUR = atMost(5, 'hours');

/** A fresh account whose type `alert` has the given rules. */
async function accountWith(rules: object) {
  const account: TestAccount = await createTestAccount(pipeline);
  const { key } = account.secret;
  const type = { notificationId: 'alert', title: 'Alert', channels: ['SMS'], ...rules };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  const sendOne = async (body: object = {}): Promise<{ trackingId: string; messages: string[] }> => {
    const to = { id: 'ada', number: '+15005551234' };
    const request = { type: 'alert', to, sms: { message: 'Look' }, ...body };
    const { status, json } = await call(send, { key, body: request });
    expect(status).toBe(200);
    return json;
  };
  return {
    sendOne,
    sendMany: (count: number, body: (index: number) => object = () => ({})) =>
      Promise.all(Array.from({ length: count }, (_, index) => sendOne(body(index)))),
    /** Number of text messages sent to this account's users. */
    async countSent(): Promise<number> {
      await pipeline.settle({ sweep: false });
      return pipeline.sentBy(account).length;
    },
    log: (trackingId: string) => recordOf(account, trackingId),
  };
}

describe('throttling', () => {
  it('sends exactly 5 of 50 concurrent notifications and gives the reason for the others', async () => {
    const account = await accountWith({ throttling: PER_HOUR });
    const responses = await account.sendMany(50);
    expect(await account.countSent()).toBe(5);
    const refused = responses.filter(({ messages }) =>
      messages.some((message) => message.includes('throttling')),
    );
    expect(refused).toHaveLength(45);
    expect(await account.log(refused[0]?.trackingId ?? '')).toMatchObject({
      sms_routing: 'THROTTLED',
      ignored: 'THROTTLING',
    });
  });

  it('counts a rolling window by the service clock', async () => {
    const account = await accountWith({ throttling: { ...PER_HOUR, max: 2 } });
    const startMs = pipeline.clock.nowMs;
    const sendAt = async (minute: number) => {
      pipeline.clock.nowMs = startMs + minute * 60_000;
      await deleteExpired(pipeline);
      await account.sendOne();
      return account.countSent();
    };
    expect(await sendAt(0)).toBe(1);
    expect(await sendAt(30)).toBe(2);
    expect(await sendAt(59)).toBe(2);
    expect(await sendAt(60)).toBe(3);
    expect(await sendAt(89)).toBe(3);
    expect(await sendAt(90)).toBe(4);
  });

  it('never sends more with forever, however long ago the others were', async () => {
    const account = await accountWith({ throttling: { ...PER_HOUR, max: 1, forever: true } });
    await account.sendOne();
    expect(await account.countSent()).toBe(1);
    pipeline.clock.nowMs += 5 * 365 * 86_400_000;
    await account.sendOne();
    expect(await account.countSent()).toBe(1);
  });

  it('counts each user separately', async () => {
    const account = await accountWith({ throttling: { ...PER_HOUR, max: 1 } });
    await account.sendMany(4, (index) => ({ to: { id: `user-${index % 2}`, number: '+15005551234' } }));
    expect(await account.countSent()).toBe(2);
  });

  it('counts nothing that is not sent anyway', async () => {
    const account = await accountWith({ throttling: { ...PER_HOUR, max: 1 } });
    await account.sendOne({ to: { id: 'ada' } });
    await account.sendOne();
    expect(await account.countSent()).toBe(1);
  });
});

describe('deduplication', () => {
  it('sends exactly 1 of 50 concurrent identical notifications and gives the reason for the others', async () => {
    const account = await accountWith({ deduplication: { duration: 3600 } });
    const responses = await account.sendMany(50);
    expect(await account.countSent()).toBe(1);
    const refused = responses.filter(({ messages }) => messages.length > 0);
    expect(refused).toHaveLength(49);
    expect(await account.log(refused[0]?.trackingId ?? '')).toMatchObject({
      sms_routing: 'DEDUPLICATED',
      ignored: 'DEDUPLICATION',
    });
  });

  it('ends with its window', async () => {
    const account = await accountWith({ deduplication: { duration: 3600 } });
    await account.sendOne();
    pipeline.clock.nowMs += 3_599_000;
    await deleteExpired(pipeline);
    await account.sendOne();
    expect(await account.countSent()).toBe(1);
    pipeline.clock.nowMs += 1000;
    await account.sendOne();
    expect(await account.countSent()).toBe(2);
  });

  it('never ends with a duration of 0', async () => {
    const account = await accountWith({ deduplication: { duration: 0 } });
    await account.sendOne();
    expect(await account.countSent()).toBe(1);
    pipeline.clock.nowMs += 5 * 365 * 86_400_000;
    await account.sendOne();
    expect(await account.countSent()).toBe(1);
  });

  it.each([
    ['parameters', { parameters: { n: 1 } }],
    ['content', { sms: { message: 'Look again' } }],
    ['user', { to: { id: 'bob', number: '+15005551234' } }],
    ['replacements', { replace: { Look: 'See' } }],
  ])('sends a notification with other %s', async (_, other) => {
    const account = await accountWith({ deduplication: { duration: 3600 } });
    await account.sendOne();
    await account.sendOne(other);
    expect(await account.countSent()).toBe(2);
  });
});

it('sends exactly 3 of 50 concurrent notifications with 5 contents when throttled and deduplicated', async () => {
  const account = await accountWith({
    deduplication: { duration: 3600 },
    throttling: { ...PER_HOUR, max: 3 },
  });
  await account.sendMany(50, (index) => ({ parameters: { n: index % 5 } }));
  expect(await account.countSent()).toBe(3);
});

it('does not count a notification that goes to nobody', async () => {
  const account = await accountWith({
    deduplication: { duration: 3600 },
    throttling: { ...PER_HOUR, max: 1 },
  });
  const to = { id: 'ada' };
  const [first, again] = [await account.sendOne({ to }), await account.sendOne({ to })];
  const [log, other] = [await account.log(first.trackingId), await account.log(again.trackingId)];
  expect([other.ignored, other.sms_routing]).toEqual([log.ignored, log.sms_routing]);
  await account.sendOne();
  expect(await account.countSent()).toBe(1);
});

describe('throttling of a whole type', () => {
  const perType = (max: number) => ({ ...PER_HOUR, max, scope: ['notificationId', 'notificationId'] });
  const sendTo = (account: Awaited<ReturnType<typeof accountWith>>, count: number) =>
    account.sendMany(count, (index) => ({ to: { id: `u${index}`, number: '+15005551234' } }));
  const accepted = (sends: { messages: string[] }[]) =>
    sends.filter(({ messages }) => !messages.some((message) => message.includes('throttling'))).length;

  it.each([5, 20, 33])(
    'accepts exactly %i of 80 concurrent notifications to different users',
    async (max) => {
      const account = await accountWith({ throttling: perType(max) });
      expect(accepted(await sendTo(account, 80))).toBe(max);
      expect(accepted(await sendTo(account, 5))).toBe(0);
      pipeline.clock.nowMs += 3_600_000 + 72_000;
      expect(accepted(await sendTo(account, max + 5))).toBe(max);
    },
  );

  it('takes one write more than an unlimited notification, and no transaction', async () => {
    const account = await accountWith({ throttling: perType(1000) });
    await sendTo(account, 1);
    const items: object[] = [];
    const places: string[] = [];
    const table = { ...pipeline.database };
    const observed = {
      ...table,
      put: (...args: Parameters<typeof table.put>) => {
        items.push(args[0]);
        return table.put(...args);
      },
      update: (...args: Parameters<typeof table.update>) => {
        if (args[0].pk.startsWith('THROTTLE#')) places.push(args[0].pk);
        return table.update(...args);
      },
      transact: () => Promise.reject(new Error('a transaction takes twice the units')),
    };
    replace(database, () => observed);
    replace(sendingRules, sendingRules.create);
    await sendTo(account, 20);
    replace(database, () => table);
    replace(sendingRules, sendingRules.create);
    // The notification, its entry in the feed, and one shard of the limit: also if several meet in one.
    expect(places).toHaveLength(20);
    expect(items.filter((item) => 'feedPk' in item)).toHaveLength(20);
  });

  it('returns the place of a notification that is a duplicate', async () => {
    const account = await accountWith({ deduplication: { duration: 3600 }, throttling: perType(20) });
    for (let count = 0; count < 30; count += 1) await account.sendOne();
    expect(accepted(await sendTo(account, 30))).toBe(19);
  });

  it('accepts the last of them, whatever shard has its place', async () => {
    const account = await accountWith({ throttling: perType(20) });
    expect(accepted(await sendTo(account, 19))).toBe(19);
    const sends = [await sendTo(account, 1), await sendTo(account, 1)].flat();
    expect(accepted(sends)).toBe(1);
  });
});
