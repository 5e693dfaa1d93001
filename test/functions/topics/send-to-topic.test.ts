import { describe, expect, it } from 'vitest';
import { handler as cancelScheduled } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { memberTrackingId } from '../../../functions/sending/waiting/members.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { recordOf } from '../../support/workers.ts';
import { CREATED } from '../sending/full-body.ts';
import { HOUR_MS, newAccount, pipeline, TO_NEWS, useTopics } from './topic-send-setup.ts';

useTopics();

describe('a notification to a topic', () => {
  it('reaches each member once with their own data, and its log counts them', async () => {
    const { account, sent, ...life } = await newAccount();
    await life.add(['no-email']);
    await life.createType();
    await life.prefer('cyd', [{ notificationId: 'news', channel: 'EMAIL', delivery: 'off' }]);
    await pipeline.pause();
    const { trackingId, messages } = await life.send(TO_NEWS);
    expect(messages).toEqual([]);
    expect(await recordOf(account, trackingId)).toMatchObject({
      topic: 'news',
      topic_state: 'accepted',
      topic_members: 0,
    });
    pipeline.resume();
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

  it('goes out once under one idempotency key, alone or in a bulk request', async () => {
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

  it('goes out to the members at its scheduled time, and can be moved, changed and cancelled', async () => {
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

  it('shows the members and the content of the first one in a dry run', async () => {
    const { sent, key } = await newAccount();
    const query = { dryRun: 'true' };
    const { json } = await call(send, { key, query, body: TO_NEWS });
    expect(json).toMatchObject({ topic: { members: 3, sampleUserId: 'ada' }, messages: [CREATED] });
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
      messages: [CREATED, 'Nothing is sent: the topic has no members.'],
    });
    await pipeline.settle();
    expect(sent()).toEqual([]);
  });

  it.each([
    [['bob'], ['ada', 'cyd']],
    [
      ['ada', 'ada', 'nobody'],
      ['bob', 'cyd'],
    ],
    [[], ['ada', 'bob', 'cyd']],
    [['ada', 'cyd', ...Array.from({ length: 98 }, (_, index) => `other-${index}`)], ['bob']],
  ])('leaves out those whom the request excludes: %j', async (exclude, reached) => {
    const { account, key, sent, send: sendBy } = await newAccount();
    const body = { ...TO_NEWS, to: { topic: 'news', exclude } };
    const { json } = await call(send, { key, query: { dryRun: 'true' }, body });
    expect(json.topic).toEqual({ members: reached.length, sampleUserId: reached[0] });
    const { trackingId } = await sendBy(body);
    const later = await sendBy({ ...body, schedule: new Date(pipeline.clock.nowMs + HOUR_MS).toISOString() });
    await call(sendBulk, { key, body: { notifications: [body] } });
    await pipeline.settle();
    expect(sent().map(({ userId }) => userId)).toEqual([...reached, ...reached].sort());
    expect(await recordOf(account, trackingId)).toMatchObject({ topic_members: reached.length });
    await call(reschedule, {
      key,
      path: { trackingId: later.trackingId },
      body: { parameters: { text: 'B' } },
    });
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(sent()).toHaveLength(3 * reached.length);
  });

  it('says so when it excludes every member', async () => {
    const { send: sendBy } = await newAccount();
    const { messages } = await sendBy({
      ...TO_NEWS,
      to: { topic: 'news', exclude: ['cyd', 'bob', 'ada', 'x'] },
    });
    expect(messages).toEqual([
      CREATED,
      'Nothing is sent: the topic has no other members than those to exclude.',
    ]);
  });

  it.each([
    { topic: 'news', exclude: 'ada' },
    { topic: 'news', exclude: [''] },
    { topic: 'news', exclude: [7] },
    { topic: 'news', exclude: Array.from({ length: 101 }, (_, index) => `u${index}`) },
    { id: 'ada', exclude: ['bob'] },
    { exclude: ['bob'] },
  ])('returns 400 for the users to exclude of %j', async (to) => {
    const { key } = await newAccount();
    const { status, json } = await call(send, { key, body: { ...TO_NEWS, to } });
    expect(status).toBe(400);
    expect(JSON.stringify(json.error)).toContain('to.exclude');
  });

  it('gives the reason when nothing is sent', async () => {
    const { key, account, send: sendBy, sent } = await newAccount();
    const unknown = await sendBy({ ...TO_NEWS, to: { topic: 'none' } });
    expect(unknown.messages).toEqual([CREATED, 'Nothing is sent: the topic has no members.']);
    const noType = await sendBy({ type: 'unheard', to: { topic: 'news' } });
    expect(noType.messages[0]).toContain('the notification type does not exist');
    const type = { notificationId: 'news', title: 'News', channels: ['EMAIL'] };
    await call(createType, { key, body: type });
    await call(updateType, { key, path: { notificationId: 'news' }, body: { enabled: false } });
    const disabled = await sendBy(TO_NEWS);
    expect(disabled.messages).toEqual(['Nothing is sent: the notification type is disabled.']);
    await call(updateType, { key, path: { notificationId: 'news' }, body: { enabled: true, channels: [] } });
    const silent = await sendBy(TO_NEWS);
    expect(silent.messages).toEqual(['Nothing is sent: the notification type has no channel enabled.']);
    await pipeline.settle();
    expect(sent()).toEqual([]);
    expect(await recordOf(account, unknown.trackingId)).toMatchObject({
      topic_fanned_out_at: expect.any(String),
      topic_state: 'fanned_out',
      topic_members: 0,
    });
    const withheld = [
      [noType, { failed_code: 'MISSING_NOTIFICATION_TYPE' }],
      [disabled, { ignored: 'DISABLED_NOTIFICATION' }],
      [silent, { ignored: 'ALL_CHANNELS_IGNORED' }],
    ] as const;
    for (const [{ trackingId }, expected] of withheld) {
      const log = await recordOf(account, trackingId);
      expect(log).toMatchObject(expected);
      expect(log).not.toHaveProperty('topic_fanned_out_at');
    }
  });

  it.each([
    { topic: 'news', id: 'ada' },
    { topic: 'news', email: 'a@example.com' },
    { topic: 7 },
    { topic: ' ' },
  ])('returns 400 when to is %j', async (to) => {
    const account = await createTestAccount(pipeline);
    const { status, json } = await call(send, { key: account.secret.key, body: { ...TO_NEWS, to } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('body.to.topic');
  });

  it('stays unknown to other accounts', async () => {
    const { key } = await newAccount();
    const other = await createTestAccount(pipeline);
    const body = { ...TO_NEWS, type: 'other' };
    const { json } = await call(send, { key: other.secret.key, body });
    expect(json.messages).toEqual([CREATED, 'Nothing is sent: the topic has no members.']);
    const { json: mine } = await call(send, { key, body: { ...TO_NEWS, schedule: '2026-12-01T00:00:00Z' } });
    const path = { trackingId: mine.trackingId };
    const foreign = await call(cancelScheduled, { key: other.secret.key, path });
    expect(foreign.json.error.code).toBe('SCHEDULE_RESOURCE_NOT_FOUND');
  });
});
