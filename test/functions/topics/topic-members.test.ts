import { describe, expect, it } from 'vitest';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { memberTrackingId } from '../../../functions/sending/waiting/members.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import { call } from '../../support/app.ts';
import { atMost } from '../../support/throttling.ts';
import { recordOf } from '../../support/workers.ts';
import { HOUR_MS, newAccount, pipeline, TO_NEWS, useTopics } from './topic-send-setup.ts';

useTopics();

describe('members of a topic', () => {
  it('count separately for deduplication and throttling', async () => {
    const { key, account, sent, send: sendBy } = await newAccount();
    const throttling = atMost(1, 'hours');
    const type = { notificationId: 'limited', title: 'Limited', channels: ['EMAIL'], throttling };
    expect((await call(createType, { key, body: type })).status).toBe(200);
    await sendBy({ ...TO_NEWS, type: 'limited', to: { id: 'bob' } });
    const { trackingId } = await sendBy({ ...TO_NEWS, type: 'limited' });
    await pipeline.settle();
    expect(
      sent()
        .map(({ userId }) => userId)
        .toSorted(),
    ).toEqual(['ada', 'bob', 'cyd']);
    expect(await recordOf(account, trackingId)).toMatchObject({ topic_accepted: 2, topic_ignored: 1 });
    expect(await recordOf(account, memberTrackingId(trackingId, 'bob'))).toMatchObject({
      ignored: 'THROTTLING',
    });
  });

  it('count toward caps separately, and the logs of those over a cap show it', async () => {
    const { account, sent, send: sendBy, key } = await newAccount();
    const { accountId, createdAt } = account.account;
    const caps = { messagesCap: 2, smsCap: 0, costCap: 1000, allowOverage: false, anchorDate: '2026-11-10' };
    const named = {
      organizationId: accountId,
      organizationType: 'paid',
      creator: 'a@example.com',
      name: 'Test',
    };
    const times = { createdAt, updatedAt: createdAt };
    await pipeline.database.put({ ...organizationKey(accountId), ...named, ...caps, ...times });
    // A cap of every channel refuses the whole; of one of two, members get the other.
    const byText = await call(send, { key, body: { ...TO_NEWS, forceChannels: ['SMS'] } });
    expect([byText.status, byText.json.error?.code]).toEqual([402, 'USAGE_LIMIT']);
    const { trackingId } = await sendBy({ ...TO_NEWS, forceChannels: ['SMS', 'EMAIL'] });
    await pipeline.settle();
    expect(sent()).toHaveLength(2);
    expect(await recordOf(account, trackingId)).toMatchObject({ topic_accepted: 2, topic_ignored: 1 });
    expect(await recordOf(account, memberTrackingId(trackingId, 'cyd'))).toMatchObject({
      failed_code: 'UNKNOWN',
      failed_internal: 'The messagesCap of the organization is reached for this billing period.',
    });
    pipeline.clock.nowMs += 11_000;
    const over = await call(send, { key, body: TO_NEWS });
    expect([over.status, over.json.error.code]).toEqual([402, 'USAGE_LIMIT']);
    const schedule = new Date(pipeline.clock.nowMs + HOUR_MS).toISOString();
    expect((await call(send, { key, body: { ...TO_NEWS, schedule } })).status).toBe(200);
  });

  it('receive nothing when they are deleted before their turn or delivery', async () => {
    const { key, account, sent, send: sendBy } = await newAccount();
    const { trackingId } = await sendBy({
      ...TO_NEWS,
      schedule: new Date(pipeline.clock.nowMs + HOUR_MS).toISOString(),
    });
    pipeline.clock.nowMs += 1000;
    await call(deleteUser, { key, path: { userId: 'bob' } });
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(sent().map(({ userId }) => userId)).toEqual(['ada', 'cyd']);
    expect(await recordOf(account, trackingId)).toMatchObject({ topic_members: 2 });
  });

  it('have separate digests and steps, which a cancelled notification does not reach', async () => {
    const { key, account, sent, send: sendBy, prefer } = await newAccount(['ada', 'bob']);
    const enabled = { enabled: true };
    const options = {
      EMAIL: { defaultDeliveryOption: 'instant', off: enabled, instant: enabled, hourly: enabled },
    };
    const type = { notificationId: 'news', title: 'News', channels: ['EMAIL'], options };
    await call(createType, { key, body: type });
    await prefer('bob', [{ notificationId: 'news', channel: 'EMAIL', delivery: 'hourly' }]);
    const { trackingId } = await sendBy(TO_NEWS);
    await pipeline.settle();
    expect(await recordOf(account, memberTrackingId(trackingId, 'bob'))).toMatchObject({
      email_routing: 'BATCH',
    });
    expect(sent().map(({ userId }) => userId)).toEqual(['ada']);
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(sent().map(({ userId }) => userId)).toEqual(['ada', 'bob']);
    expect(pipeline.errors).toEqual([]);
  });

  it('have separate quiet hours, steps and throttling windows', async () => {
    const { key, account, sent, send: sendBy } = await newAccount();
    const hour = (hours: number) =>
      new Date(pipeline.clock.nowMs + hours * HOUR_MS).toISOString().slice(11, 16);
    const quietHours = { from: hour(-1), to: hour(2) };
    await call(saveUser, { key, path: { userId: 'bob' }, body: { quietHours, timezone: 'UTC' } });
    const steps = [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT1H' }];
    const type = { notificationId: 'stepped', title: 'Stepped', channels: ['INAPP_WEB', 'EMAIL'], steps };
    expect((await call(createType, { key, body: type })).status).toBe(200);
    const { trackingId } = await sendBy({ ...TO_NEWS, type: 'stepped', inapp: { title: 'News' } });
    await pipeline.settle();
    const logOf = (userId: string) => recordOf(account, memberTrackingId(trackingId, userId));
    for (const userId of ['ada', 'bob', 'cyd']) {
      expect(await logOf(userId)).toMatchObject({
        inapp_sent_at: expect.any(String),
        email_routing: 'SCHEDULE',
        email_due_at: new Date(pipeline.clock.nowMs + HOUR_MS).toISOString(),
      });
    }
    const seen = { trackingIds: [memberTrackingId(trackingId, 'cyd')], opened: true };
    expect((await call(markInapp, { key, query: { userId: 'cyd' }, body: seen })).status).toBe(200);
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(sent().map(({ userId }) => userId)).toEqual(['ada']);
    expect(await logOf('bob')).toMatchObject({ email_held_until: expect.any(String) });
    expect(await logOf('cyd')).toMatchObject({ email_skipped_reason: 'SEEN' });
    await pipeline.goTo(pipeline.clock.nowMs + 2 * HOUR_MS);
    expect(sent().map(({ userId }) => userId)).toEqual(['ada', 'bob']);
    expect(pipeline.errors).toEqual([]);
  });
});
