import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { handler as sendBulk } from '../../../../functions/sending/send-bulk.ts';
import { handler as addTopicUsers } from '../../../../functions/topics/add-topic-users.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { recordPrice } from '../../../../functions/workers/receipts/record-price.ts';
import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import { organizationKey } from '../../../../shared/database/keys/account.ts';
import { smsProvider } from '../../../../shared/providers/phone/phone.ts';
import { phoneReceiptDependencies } from '../../../../shared/receipts/phone-receipts.ts';
import { replace, resolveAll } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { createPipeline, type Pipeline } from '../../../support/pipeline.ts';
import { digestAccount, HOUR_MS } from '../../digests/setup.ts';
import { scheduling } from '../../schedules/setup.ts';

const REACHED = 'The costCap of the organization is reached for this billing period.';
/** At 10 cents each, as estimated without a price. */
const PLACES = 10;

let pipeline: Pipeline;
/** Tracking IDs of what the provider accepted. */
let sent: string[];
let priceUsd: number | undefined;
beforeAll(async () => {
  pipeline = await createPipeline();
});
afterAll(() => pipeline.stop());
beforeEach(() => {
  sent = [];
  failing = [];
  priceUsd = undefined;
  replace(smsProvider, () => ({
    name: 'x',
    deliver: async ({ trackingId }) => {
      const fail = failing.shift();
      if (fail) return fail();
      sent.push(trackingId);
      const fields = { sms_sent_messageId: trackingId };
      return {
        kind: 'sent',
        fields: priceUsd === undefined ? fields : { ...fields, sms_sent_cost: priceUsd },
      };
    },
  }));
});

async function withCap<A extends TestAccount>(account: A): Promise<A> {
  const { accountId, createdAt } = account.account;
  await pipeline.database.put({
    ...organizationKey(accountId),
    ...{ organizationId: accountId, organizationType: 'paid', creator: 'a@example.com', name: 'Test' },
    ...{ messagesCap: 1000, costCap: 1, allowOverage: false },
    ...{ anchorDate: '2026-11-10', createdAt, updatedAt: createdAt },
  });
  return account;
}

/** The provider's next calls, by what happens instead of a message: it is rejected, to be retried, or a fault is thrown. */
let failing: (() => Promise<DeliveryOutcome<'SMS'>>)[];

/** Later windows, which count the messages that were sent before. */
async function wait(minutes = 2): Promise<void> {
  for (let round = 0; round < minutes; round += 1) await pipeline.goTo(pipeline.clock.nowMs + 60_000);
}

const numberOf = (index: number) => `+1500555${1000 + index}`;

/** Accepts four messages more than the cap has places for, and lets them become due. */
const WAYS: Record<string, (account: TestAccount) => Promise<void>> = {
  'accepted at the same time': async (account) => {
    const { send } = scheduling(pipeline, account);
    await Promise.all(Array.from({ length: PLACES + 4 }, () => send({})));
  },
  'of one bulk request': async ({ secret: { key } }) => {
    const notifications = Array.from({ length: PLACES + 4 }, (_, index) => ({
      ...{ type: 'bulk', to: { id: `u${index}`, number: numberOf(index) }, sms: { message: 'Hi' } },
    }));
    await call(sendBulk, { key, body: { notifications } });
  },
  'due at the same time': async (account) => {
    const dueAtMs = pipeline.clock.nowMs + 60_000;
    await scheduling(pipeline, account).acceptAll(Array.from({ length: PLACES + 4 }, () => dueAtMs));
  },
  'of steps': async (account) => {
    const steps = [{ channels: ['INAPP_WEB'] }, { channels: ['SMS'], after: 'PT1M', when: 'always' }];
    const { send } = scheduling(pipeline, account);
    const body = { type: 'steps', inapp: { title: 'T' }, options: { steps } };
    await Promise.all(Array.from({ length: PLACES + 4 }, () => send(body)));
  },
  'to members of a topic': async (account) => {
    const { key } = account.secret;
    const userIds = Array.from({ length: PLACES + 4 }, (_, index) => `member-${index}`);
    for (const [index, userId] of userIds.entries())
      await call(saveUser, { key, path: { userId }, body: { number: numberOf(index) } });
    await call(addTopicUsers, { key, path: { topicId: 'all' }, body: { userIds } });
    await scheduling(pipeline, account).send({ to: { topic: 'all' } });
  },
};

it.each(Object.keys(WAYS))('sends no more messages %s than the costCap allows', async (way) => {
  priceUsd = 0.1;
  const account = await withCap(await createTestAccount(pipeline));
  await WAYS[way]?.(account);
  await pipeline.settle();
  await wait(4);
  expect(sent).toHaveLength(PLACES);
});

it('sends no more digests than the costCap allows, and logs the reason for every item', async () => {
  priceUsd = 0.1;
  const account = await withCap(await digestAccount(pipeline));
  const trackingIds: string[] = [];
  for (let user = 0; user < PLACES + 2; user += 1)
    trackingIds.push(await account.send('x', { to: { id: `u${user}`, number: numberOf(user) } }));
  await pipeline.settle();
  await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
  await wait();
  expect(sent).toHaveLength(PLACES);
  const logs = await Promise.all(trackingIds.map((trackingId) => account.log(trackingId)));
  expect(logs.filter((log) => log.failed_internal === REACHED && !log.sms_sent_at)).toHaveLength(2);
});

it('counts a message as estimated until its price is reported, for which later ones wait', async () => {
  const account = await withCap(await createTestAccount(pipeline));
  const calls = scheduling(pipeline, account);
  const responses = await Promise.all(Array.from({ length: PLACES + 4 }, () => calls.send({})));
  await pipeline.settle();
  await wait();
  expect(sent).toHaveLength(PLACES);
  expect((await calls.send({})).json.error?.code).toBe('USAGE_LIMIT');

  const deps = resolveAll(phoneReceiptDependencies);
  const priceReader = { findCostUsd: async () => 0.0125 };
  const { accountId } = account.account;
  for (const trackingId of sent.slice()) {
    const question = { channel: 'SMS' as const, providerMessageId: trackingId, trackingId, accountId };
    await recordPrice({ ...deps, priceReader }, question, {
      attempt: 1,
      sentAtMs: 0,
      nowMs: pipeline.clock.nowMs,
    });
  }
  await pipeline.settle();
  await wait();
  expect(sent.sort()).toEqual(responses.map(({ json }) => json.trackingId).sort());
  expect((await calls.send({})).status).toBe(200);
  await pipeline.settle();
});

it('withholds a message that has waited for an hour, with the reason in its log', async () => {
  const account = await withCap(await createTestAccount(pipeline));
  const calls = scheduling(pipeline, account);
  const responses = await Promise.all(Array.from({ length: PLACES + 1 }, () => calls.send({})));
  await pipeline.settle();
  await wait(65);
  const logs = await Promise.all(responses.map(({ json }) => calls.log(json.trackingId)));
  expect(logs.filter((log) => log.sms_sent_at)).toHaveLength(PLACES);
  expect(logs.filter((log) => log.failed_internal === REACHED && !log.sms_sent_at)).toHaveLength(1);
});

it('a message that fails, is retried or meets a fault leaves its place to another', async () => {
  priceUsd = 0.1;
  const account = await withCap(await createTestAccount(pipeline));
  const code = 'Unknown' as const;
  failing = [
    async () => ({ kind: 'rejected', code, internal: 'rejected' }),
    async () => ({ kind: 'retry', code, internal: 'busy' }),
    async () => {
      throw new Error('a fault');
    },
  ];
  const { send, log } = scheduling(pipeline, account);
  const responses = await Promise.all(Array.from({ length: PLACES + 1 }, () => send({})));
  await pipeline.settle();
  await wait(4);
  const logs = await Promise.all(responses.map(({ json }) => log(json.trackingId)));
  expect(sent).toHaveLength(PLACES);
  expect(logs.filter((each) => each.sms_failed_code === code)).toHaveLength(1);
});
