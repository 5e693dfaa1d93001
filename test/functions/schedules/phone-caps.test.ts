import { expect, it } from 'vitest';
import { handler as addTopicUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { digestAccount, HOUR_MS } from '../digests/setup.ts';
import { scheduling } from './setup.ts';

const CAP = 10;
const REACHED = 'The smsCap of the organization is reached for this billing period.';

const pipeline = usePipeline();
const account = useAccount(pipeline, 'test');

async function setCap({ account: { accountId, createdAt } }: TestAccount) {
  await pipeline.database.put({
    ...organizationKey(accountId),
    ...{ organizationId: accountId, organizationType: 'paid', creator: 'a@example.com', name: 'Test' },
    ...{ messagesCap: 1000, costCap: 1000, smsCap: CAP, allowOverage: false },
    ...{ anchorDate: '2026-11-10', createdAt, updatedAt: createdAt },
  });
}

it('sends no more scheduled text messages due at the same time than their cap allows', async () => {
  await setCap(account);
  const calls = scheduling(pipeline, account);
  const dueAtMs = pipeline.clock.nowMs + 60_000;
  const trackingIds = await calls.acceptAll(Array.from({ length: CAP + 4 }, () => dueAtMs));
  await pipeline.goTo(dueAtMs + 30_000);
  const logs = await Promise.all(trackingIds.map((trackingId) => calls.log(trackingId)));
  expect(logs.filter((log) => log.sms_sent_at)).toHaveLength(CAP);
  expect(logs.filter((log) => log.failed_internal === REACHED)).toHaveLength(4);
});

it('sends no more digests due at the same time than their cap allows, and logs the reason for every item', async () => {
  const account = await digestAccount(pipeline);
  await setCap(account);
  const trackingIds: string[] = [];
  for (let user = 0; user < CAP + 3; user += 1) {
    trackingIds.push(await account.send('x', { to: { id: `u${user}`, number: `+1500555${1000 + user}` } }));
  }
  await pipeline.settle();
  await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
  await pipeline.goTo(pipeline.clock.nowMs + 30_000);
  const logs = await Promise.all(trackingIds.map((trackingId) => account.log(trackingId)));
  expect(logs.filter((log) => log.sms_sent_at)).toHaveLength(CAP);
  expect(logs.filter((log) => log.failed_internal === REACHED && !log.sms_sent_at)).toHaveLength(3);
});

it('sends no more text messages of steps that start at the same time than their cap allows', async () => {
  await setCap(account);
  const calls = scheduling(pipeline, account);
  const steps = [{ channels: ['INAPP_WEB'] }, { channels: ['SMS'], after: 'PT2M', when: 'always' }];
  const body = { type: 'steps', inapp: { title: 'T' }, options: { steps } };
  const sent = await Promise.all(Array.from({ length: CAP + 4 }, () => calls.send(body)));
  const trackingIds = sent.map(({ json }) => json.trackingId);
  await pipeline.settle();
  await pipeline.goTo(pipeline.clock.nowMs + 150_000);
  const logs = await Promise.all(trackingIds.map((trackingId) => calls.log(trackingId)));
  expect(logs.filter((log) => log.inapp_sent_at)).toHaveLength(CAP + 4);
  expect(logs.filter((log) => log.sms_sent_at)).toHaveLength(CAP);
  expect(logs.filter((log) => log.failed_internal === REACHED)).toHaveLength(4);
});

it('sends no more text messages to members of a topic than their cap allows', async () => {
  await setCap(account);
  const { key } = account.secret;
  const calls = scheduling(pipeline, account);
  const userIds = Array.from({ length: CAP + 3 }, (_, index) => `member-${index}`);
  for (const [index, userId] of userIds.entries()) {
    await call(saveUser, { key, path: { userId }, body: { number: `+1500555${2000 + index}` } });
  }
  await call(addTopicUsers, { key, path: { topicId: 'all' }, body: { userIds } });
  const before = pipeline.outbox.length;
  expect((await calls.send({ to: { topic: 'all' } })).status).toBe(200);
  await pipeline.settle();
  await pipeline.goTo(pipeline.clock.nowMs + 30_000);
  expect(pipeline.outbox.length - before).toBe(CAP);
});
