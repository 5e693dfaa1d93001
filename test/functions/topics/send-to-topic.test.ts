import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as cancelScheduled } from '../../../functions/sending/cancel-scheduled.ts';
import { memberTrackingId } from '../../../functions/sending/members.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { organizationKey } from '../../../shared/database/keys.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { createPipeline, type Pipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';
import { accountLife } from './setup.ts';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await createPipeline();
});
afterAll(() => pipeline.stop());

const EMAIL = { subject: 'News for {{ user.id }}', html: '<p>{{ text }}</p>' };
const TO_NEWS = { type: 'news', to: { topic: 'news' }, parameters: { text: 'Hi' }, email: EMAIL };
const HOUR_MS = 3_600_000;

async function newAccount(members: readonly string[] = ['ada', 'bob', 'cyd']) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const life = accountLife(account, pipeline);
  for (const id of members) await life.saveUser(id);
  if (members.length > 0) await life.add(members);
  return { ...life, key, account };
}

describe('a notification to a topic', () => {
  it('reaches each member once, by their own data, and its log counts them', async () => {
    const { account, sent, ...life } = await newAccount();
    await life.add(['no-email']);
    await life.createType();
    await life.prefer('cyd', [{ notificationId: 'news', channel: 'EMAIL', delivery: 'off' }]);
    const { trackingId, messages } = await life.send(TO_NEWS);
    expect(messages).toEqual([]);
    expect(await recordOf(account, trackingId)).toMatchObject({
      topic: 'news',
      topic_state: 'accepted',
      topic_members: 0,
    });
    await pipeline.settle();
    expect(sent().map(({ userId, message }) => [userId, message.subject])).toEqual([
      ['ada', 'News for ada'],
      ['bob', 'News for bob'],
    ]);
    const parent = await recordOf(account, trackingId);
    expect(parent).toMatchObject({
      topic: 'news',
      topic_state: 'fanned_out',
      topic_members: 4,
      topic_accepted: 2,
      topic_ignored: 2,
      topic_fanned_out_at: '2026-11-21T08:30:00.000Z',
      request: expect.stringContaining('"topic":"news"'),
    });
    expect(parent).not.toHaveProperty('email_routing');
    const ada = await recordOf(account, memberTrackingId(trackingId, 'ada'));
    expect(ada).toMatchObject({
      user_id: 'ada',
      topic_tracking_id: trackingId,
      email_routing: 'SEND',
      email_sent_at: expect.any(String),
    });
    expect(JSON.parse(ada.request)).toEqual({ ...TO_NEWS, to: { id: 'ada' } });
    const cyd = await recordOf(account, memberTrackingId(trackingId, 'cyd'));
    expect(cyd).toMatchObject({ email_routing: 'IGNORE', email_routing_reason: 'IGNORE_BY_PREFERENCES' });
    const none = await recordOf(account, memberTrackingId(trackingId, 'no-email'));
    expect(none).toMatchObject({ email_failed_code: 'MISSING_EMAIL_RECIPIENT' });
  });

  it('is repeated by its idempotency key without another one, alone and in a bulk request', async () => {
    const { key, sent, send: sendBy } = await newAccount();
    const headers = { 'Idempotency-Key': 'once' };
    const first = await sendBy(TO_NEWS, headers);
    expect(await sendBy(TO_NEWS, headers)).toEqual(first);
    await pipeline.settle();
    expect(await sendBy(TO_NEWS, headers)).toEqual(first);
    await pipeline.settle();
    expect(sent()).toHaveLength(3);
    const body = {
      notifications: [TO_NEWS, { ...TO_NEWS, to: { id: 'ada' } }, { ...TO_NEWS, to: { topic: '' } }],
    };
    const bulk = () => call(sendBulk, { key, body, headers: { 'Idempotency-Key': 'bulk' } });
    const { json } = await bulk();
    expect(json.results[2].error.code).toBe('INVALID_REQUEST');
    expect((await bulk()).json).toEqual(json);
    await pipeline.settle();
    expect(sent()).toHaveLength(7);
  });

  it('waits for its schedule, goes to who is a member then, and may be moved, changed and cancelled', async () => {
    const { key, account, sent, add, send: sendBy } = await newAccount();
    const at = (ms: number) => new Date(pipeline.clock.nowMs + ms).toISOString();
    const { trackingId } = await sendBy({ ...TO_NEWS, schedule: at(HOUR_MS) });
    const cancelled = await sendBy({ ...TO_NEWS, schedule: at(HOUR_MS) });
    const toUser = await sendBy({ ...TO_NEWS, to: { id: 'ada' }, schedule: at(HOUR_MS) });
    const changed = await call(reschedule, {
      key,
      path: { trackingId },
      body: { schedule: at(2 * HOUR_MS), parameters: { text: 'Later' } },
    });
    expect(changed.status).toBe(200);
    expect((await call(cancelScheduled, { key, path: { trackingId: cancelled.trackingId } })).status).toBe(
      200,
    );
    const retopic = { key, path: { trackingId: toUser.trackingId }, body: { to: { topic: 'news' } } };
    expect((await call(reschedule, retopic)).status).toBe(200);
    await add(['dee']);
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(sent().map(({ userId }) => userId)).toEqual(['ada', 'bob', 'cyd']);
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(
      sent()
        .slice(3)
        .map(({ message }) => message.html),
    ).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('Later')));
    expect(await recordOf(account, trackingId)).toMatchObject({
      topic_members: 4,
      topic_state: 'fanned_out',
    });
    expect(await recordOf(account, cancelled.trackingId)).toMatchObject({ topic_state: 'cancelled' });
  });

  it('shows in a dry run the members and what the first one would get', async () => {
    const { sent, key } = await newAccount();
    const query = { dryRun: 'true' };
    const { json } = await call(send, { key, query, body: TO_NEWS });
    expect(json).toMatchObject({ topic: { members: 3, sampleUserId: 'ada' }, messages: [] });
    expect(json.routing).toContainEqual(
      expect.objectContaining({
        channel: 'EMAIL',
        routing: 'SEND',
        content: expect.objectContaining({ subject: 'News for ada' }),
      }),
    );
    const bulk = await call(sendBulk, { key, query, body: { notifications: [TO_NEWS] } });
    expect(bulk.json.results[0].topic).toEqual({ members: 3, sampleUserId: 'ada' });
    const empty = await call(send, { key, query, body: { ...TO_NEWS, to: { topic: 'none' } } });
    expect(empty.json).toMatchObject({
      topic: { members: 0 },
      messages: ['Nothing is sent: the topic has no members.'],
    });
    await pipeline.settle();
    expect(sent()).toEqual([]);
  });

  it('states why nothing is sent', async () => {
    const { key, account, send: sendBy, sent } = await newAccount();
    const unknown = await sendBy({ ...TO_NEWS, to: { topic: 'none' } });
    expect(unknown.messages).toEqual(['Nothing is sent: the topic has no members.']);
    const noType = await sendBy({ type: 'unheard', to: { topic: 'news' } });
    expect(noType.messages[0]).toContain('the notification type does not exist');
    const type = { notificationId: 'news', title: 'News', channels: ['EMAIL'] };
    await call(createType, { key, body: type });
    await call(updateType, { key, path: { notificationId: 'news' }, body: { enabled: false } });
    const disabled = await sendBy(TO_NEWS);
    expect(disabled.messages).toEqual(['Nothing is sent: the notification type is disabled.']);
    await pipeline.settle();
    expect(sent()).toEqual([]);
    expect(await recordOf(account, unknown.trackingId)).toMatchObject({
      topic_state: 'fanned_out',
      topic_members: 0,
    });
    expect(await recordOf(account, noType.trackingId)).toMatchObject({
      failed_code: 'MISSING_NOTIFICATION_TYPE',
    });
    expect(await recordOf(account, disabled.trackingId)).toMatchObject({ ignored: 'DISABLED_NOTIFICATION' });
  });

  it.each([
    { topic: 'news', id: 'ada' },
    { topic: 'news', email: 'a@example.com' },
    { topic: 7 },
    { topic: ' ' },
  ])('is rejected when to is %j', async (to) => {
    const account = await createTestAccount(pipeline);
    const { status, json } = await call(send, { key: account.secret.key, body: { ...TO_NEWS, to } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('body.to.topic');
  });

  it('does not exist for other accounts', async () => {
    const { key } = await newAccount();
    const other = await createTestAccount(pipeline);
    const body = { ...TO_NEWS, type: 'other' };
    const { json } = await call(send, { key: other.secret.key, body });
    expect(json.messages).toEqual(['Nothing is sent: the topic has no members.']);
    const { json: mine } = await call(send, { key, body: { ...TO_NEWS, schedule: '2026-12-01T00:00:00Z' } });
    const path = { trackingId: mine.trackingId };
    const foreign = await call(cancelScheduled, { key: other.secret.key, path });
    expect(foreign.json.error.code).toBe('SCHEDULE_RESOURCE_NOT_FOUND');
  });
});

describe('the members of a topic', () => {
  it('are deduplicated and throttled one by one', async () => {
    const { key, account, sent, send: sendBy } = await newAccount();
    const throttling = {
      max: 1,
      period: 1,
      unit: 'hours',
      forever: false,
      scope: ['userId', 'notificationId'],
    };
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

  it('count toward caps one by one, and the logs of those over a cap say so', async () => {
    const { account, sent, send: sendBy, key } = await newAccount();
    const { accountId, createdAt } = account.account;
    const caps = { messagesCap: 2, costCap: 1000, allowOverage: false, anchorDate: '2026-11-10' };
    const named = {
      organizationId: accountId,
      organizationType: 'paid',
      creator: 'a@example.com',
      name: 'Test',
    };
    const times = { createdAt, updatedAt: createdAt };
    await pipeline.database.put({ ...organizationKey(accountId), ...named, ...caps, ...times });
    const { trackingId } = await sendBy(TO_NEWS);
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
  });

  it('who are deleted before their turn or their delivery get nothing', async () => {
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

  it('have digests and steps of their own, which a cancelled notification does not reach', async () => {
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

  it('have quiet hours of their own, and each starts the steps and keeps the window of the type', async () => {
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
