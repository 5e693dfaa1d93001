import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { LogEvent, LogHead } from '../../../../shared/domain/logs/log.ts';
import { buildLogRecord } from '../../../../shared/domain/logs/log-record.ts';
import type { Progress } from '../../../../shared/domain/routing/steps.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../../shared/schemas/channel.ts';
import { LogFields, LogRecord } from '../../../../shared/schemas/logs/log-record.ts';
import type { Stage } from '../../../../shared/schemas/logs/stage.ts';

const RECEIVED_MS = Date.parse('2026-11-21T08:30:00.000Z');

function headWith(overrides: Partial<LogHead> = {}): LogHead {
  return {
    trackingId: 'tracking',
    accountId: 'account',
    environmentId: 'environment',
    userId: 'ada',
    notificationId: 'welcome',
    state: 'accepted',
    receivedAtMs: RECEIVED_MS,
    processedAtMs: RECEIVED_MS,
    routing: { EMAIL: { routing: 'SEND' } },
    messages: [],
    request: { type: 'welcome', to: { id: 'ada' } },
    ...overrides,
  };
}

const timeAt = (afterMs: number) => new Date(RECEIVED_MS + afterMs).toISOString();
const eventOf = (channel: Channel, stage: Stage, afterMs: number, fields: LogFields = {}): LogEvent => ({
  channel,
  stage,
  atMs: RECEIVED_MS + afterMs,
  fields,
});

describe('the head of a log', () => {
  it('becomes every general field of the record, with the documented names and types', () => {
    const head = headWith({
      state: 'scheduled',
      scheduledForMs: RECEIVED_MS + 5000,
      scheduleUpdatedAtMs: RECEIVED_MS + 1000,
      scheduleUpdatedToMs: RECEIVED_MS + 5000,
      scheduleDeletedAtMs: RECEIVED_MS + 2000,
      email: 'ada@example.com',
      number: '+14155550123',
      ip: '203.0.113.7',
      agent: 'agent',
      test: true,
      ignored: 'THROTTLING',
      failedAtMs: RECEIVED_MS + 3000,
      failedCode: 'SPAM_CONTENT',
      failedInternal: 'why',
    });
    const record = buildLogRecord(head, []);
    expect(v.parse(LogRecord, record)).toEqual(record);
    expect(record).toEqual({
      trackingId: 'tracking',
      accountId: 'account',
      received_at: '2026-11-21T08:30:00.000Z',
      processed_at: '2026-11-21T08:30:00.000Z',
      scheduled_for: '2026-11-21T08:30:05.000Z',
      schedule_updated_at: '2026-11-21T08:30:01.000Z',
      schedule_updated_to: '2026-11-21T08:30:05.000Z',
      schedule_deleted_at: '2026-11-21T08:30:02.000Z',
      type: 'welcome',
      envId: 'environment',
      clientId: 'environment',
      agent: 'agent',
      ip: '203.0.113.7',
      request: '{"type":"welcome","to":{"id":"ada"}}',
      test: true,
      user_id: 'ada',
      user_email: 'ada@example.com',
      user_number: '+14155550123',
      ignored: 'THROTTLING',
      failed_at: '2026-11-21T08:30:03.000Z',
      failed_code: 'SPAM_CONTENT',
      failed_internal: 'why',
      email_routing: 'SEND',
      inapp_routing: 'OFF',
      sms_routing: 'OFF',
      call_routing: 'OFF',
      mobile_push_routing: 'OFF',
      web_push_routing: 'OFF',
      chat_routing: 'OFF',
    });
  });

  it('shows the decision, its reason and its failure per channel', () => {
    const record = buildLogRecord(
      headWith({
        routing: {
          EMAIL: {
            routing: 'IGNORE',
            failureCode: 'MISSING_EMAIL_RECIPIENT',
            template: 'a@b@3',
            locale: 'de',
          },
          SMS: { routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES' },
          CHAT: { routing: 'DEDUPLICATED' },
        },
      }),
      [],
    );
    expect(record).toMatchObject({
      email_routing: 'IGNORE',
      email_failed_code: 'MISSING_EMAIL_RECIPIENT',
      email_failed_at: '2026-11-21T08:30:00.000Z',
      email_template: 'a@b',
      email_locale: 'de',
      sms_routing: 'IGNORE',
      sms_routing_reason: 'IGNORE_BY_PREFERENCES',
      chat_routing: 'DEDUPLICATED',
    });
  });
});

it('shows which channels of a withdrawn schedule were cancelled', () => {
  const head = headWith({
    ...{ state: 'cancelled', routing: { EMAIL: { routing: 'IGNORE' }, SMS: { routing: 'SCHEDULE' } } },
    scheduleDeletedAtMs: RECEIVED_MS + 7,
  });
  const canceled = { sms_routing: 'IGNORE', sms_skipped_at: timeAt(7), sms_skipped_reason: 'CANCELED' };
  const record = buildLogRecord(head, []);
  expect(record).toMatchObject({ ...canceled, email_routing: 'IGNORE' });
  expect(record.email_skipped_at).toBeUndefined();
  for (const over of [{ state: 'scheduled' as const }, { scheduleDeletedAtMs: undefined as never }])
    expect(buildLogRecord({ ...head, ...over }, []).sms_routing).toBe('SCHEDULE');
});

describe('the events of a log', () => {
  it('become the time of their stage and the milliseconds since acceptance', () => {
    const events = [
      eventOf('EMAIL', 'sent', 210, { email_sent_message_id: 'm' }),
      eventOf('EMAIL', 'delivered', 510),
    ];
    expect(buildLogRecord(headWith(), events)).toMatchObject({
      email_sent_at: '2026-11-21T08:30:00.210Z',
      email_sent_after: 210,
      email_sent_message_id: 'm',
      email_delivered_at: '2026-11-21T08:30:00.510Z',
      email_delivered_after: 510,
    });
  });

  it('count from the final routing for scheduled and collected notifications', () => {
    const processedAtMs = RECEIVED_MS + 60_000;
    const events = [eventOf('EMAIL', 'sent', 60_100)];
    const deferred = [
      headWith({ scheduledForMs: processedAtMs, processedAtMs }),
      headWith({ routing: { EMAIL: { routing: 'BATCH' }, SMS: { routing: 'SEND' } }, processedAtMs }),
    ];
    for (const head of deferred) expect(buildLogRecord(head, events).email_sent_after).toBe(100);
    expect(buildLogRecord(headWith({ processedAtMs }), events).email_sent_after).toBe(60_100);
  });

  it("never have a negative duration when a provider's clock is slow", () => {
    expect(buildLogRecord(headWith(), [eventOf('SMS', 'delivered', -500)])).toMatchObject({
      sms_delivered_at: '2026-11-21T08:29:59.500Z',
      sms_delivered_after: 0,
    });
  });

  it('keep the first delivered_at when the event repeats', () => {
    const events = [eventOf('EMAIL', 'delivered', 900), eventOf('EMAIL', 'delivered', 300)];
    expect(buildLogRecord(headWith(), events).email_delivered_after).toBe(300);
  });

  it('show the latest reason, and a failure time only for a failure, not for a delay', () => {
    const delay = eventOf('EMAIL', 'delayed', 300, { email_failed_internal: 'slow' });
    const delayed = buildLogRecord(headWith(), [delay]);
    expect(delayed).toMatchObject({ email_failed_internal: 'slow' });
    expect(delayed.email_failed_at).toBeUndefined();
    const failed = eventOf('EMAIL', 'failed', 900, { email_failed_internal: 'full' });
    expect(buildLogRecord(headWith(), [delay, failed])).toMatchObject({ email_failed_internal: 'full' });
  });

  it('become two stages with the same time for a message reported sent and delivered in one', () => {
    const together = { ...eventOf('CHAT', 'sent', 250), delivered: { chat_delivered_internal: '{}' } };
    const apart = [eventOf('CHAT', 'sent', 250), eventOf('CHAT', 'delivered', 250, together.delivered)];
    expect(buildLogRecord(headWith(), [together])).toEqual(buildLogRecord(headWith(), apart));
    expect(buildLogRecord(headWith(), [together])).toMatchObject({
      chat_delivered_after: 250,
      chat_delivered_internal: '{}',
    });
  });

  it('show the first of several replies and not the later ones', () => {
    const replies = [
      eventOf('EMAIL', 'inbound', 100, { email_inbound_from: 'ada@example.com' }),
      eventOf('EMAIL', 'inbound', 200, { email_inbound_cc: 'bob@example.com', email_inbound_subject: 'Re' }),
    ];
    const record = buildLogRecord(headWith(), replies);
    expect(record.email_inbound_from).toBe('ada@example.com');
    expect(record).not.toHaveProperty('email_inbound_cc');
    expect(record).not.toHaveProperty('email_inbound_subject');
  });

  it('replace a routing that was corrected later', () => {
    const events = [eventOf('EMAIL', 'withheld', 10, { email_routing: 'IGNORE' })];
    expect(buildLogRecord(headWith(), events).email_routing).toBe('IGNORE');
  });
});

describe('what came back of an email', () => {
  const FAILED = {
    email_failed_code: 'TRANSIENT_GENERAL_BOUNCE',
    email_failed_recipient: 'Ada@example.com',
    email_failed_internal: 'away',
  } as const;
  const failed = (fields: LogFields = {}, stage: Stage = 'failed') =>
    eventOf('EMAIL', stage, 900, { ...FAILED, ...fields });
  const delivered = (to: string) => eventOf('EMAIL', 'delivered', 300, { email_delivered_recipients: to });

  it.each([
    [[failed(), delivered('bob@example.com,ada@example.com')]],
    [[failed({ email_failed_code: 'UNDETERMINED_BOUNCE' }), delivered('ada@example.com')]],
    [[failed(), eventOf('EMAIL', 'delivered', 300)]],
  ])('is a note where it was delivered: %j', (list) => {
    const record = buildLogRecord(headWith(), list);
    expect([record.email_failed_at, record.email_delivered_internal]).toEqual([undefined, 'away']);
  });

  it.each([
    [[failed()]],
    [[failed(), delivered('bob@example.com')]],
    [[failed({ email_failed_recipient: 'ada@example.com,bob@example.com' }), delivered('ada@example.com')]],
    [[failed({ email_failed_code: 'PERMANENT_GENERAL_BOUNCE' }), delivered('ada@example.com')]],
    [[failed(), { ...delivered('ada@example.com'), channel: 'CHAT' as const }]],
    [[failed(), { ...delivered('ada@example.com'), stage: 'opened' as const }]],
  ])('is a failure elsewhere: %j', (list) => {
    const { email_failed_at, email_failed_code } = buildLogRecord(headWith(), list);
    expect([email_failed_at, email_failed_code]).toEqual([timeAt(900), list[0]?.fields.email_failed_code]);
  });

  it('shows of a copy who did not get it and why, and of its delivery nothing', () => {
    const code = 'PERMANENT_GENERAL_BOUNCE';
    const record = buildLogRecord(headWith(), [
      failed({ email_failed_code: code, email_failed_at: timeAt(900) }, 'copy_failed'),
      eventOf('EMAIL', 'copy_delivered', 5, { email_delivered_recipients: 'x' }),
    ]);
    expect(record).toMatchObject({ email_failed_internal: 'away' });
    const { email_failed_at, email_failed_code, email_delivered_recipients } = record;
    expect([email_failed_at, email_failed_code, email_delivered_recipients]).toEqual(
      Array(3).fill(undefined),
    );
  });

  it('shows of a visit by a machine only that there was one', () => {
    const fields = { email_opened_ip: '203.0.113.7' };
    const visits = (['opened_machine', 'clicked_machine'] as const).map((stage) =>
      eventOf('EMAIL', stage, 5, fields),
    );
    const record = buildLogRecord(headWith(), visits);
    expect(record).toMatchObject({ email_opened_machine: true, email_clicked_machine: true });
    expect([record.email_opened_at, record.email_opened_ip]).toEqual([undefined, undefined]);
  });
});

describe('what is current', () => {
  const tries = [10, 20].map((afterMs) =>
    eventOf('EMAIL', 'next_try', afterMs, { email_next_try_at: timeAt(afterMs) }),
  );

  it.each<[string, LogEvent[], string | undefined]>([
    ['the last time of a next try', tries, timeAt(20)],
    ['no next try once it was sent', [...tries, eventOf('EMAIL', 'sent', 30)], undefined],
    ['a next try after another stage', [...tries, eventOf('EMAIL', 'attempt', 30)], timeAt(20)],
    ['a next try after another channel was sent', [...tries, eventOf('SMS', 'sent', 30)], timeAt(20)],
  ])('is %s', (_, list, expected) => {
    expect(buildLogRecord(headWith(), list).email_next_try_at).toBe(expected);
  });

  it('is the last opt-out', () => {
    const list = [10, 20].map((afterMs) => eventOf('SMS', 'unsubscribe', afterMs));
    expect(buildLogRecord(headWith(), list).sms_unsubscribe_at).toBe(timeAt(20));
  });
});

describe('a channel that waits', () => {
  const head = headWith({
    routing: {
      ...{ EMAIL: { routing: 'SEND' }, SMS: { routing: 'SCHEDULE', dueAtMs: RECEIVED_MS + 60_000 } },
      PUSH: { routing: 'SCHEDULE', heldUntilMs: RECEIVED_MS + 90_000 },
      CALL: { routing: 'SCHEDULE', dueAtMs: RECEIVED_MS + 120_000 },
    },
    steps: (['SMS', 'CALL'] as const).map((channel) => ({
      ...{ channels: [channel], afterMs: 60_000, when: 'unseen' },
    })),
  });
  const progress = (over: Partial<Progress> = {}): LogEvent => ({
    ...{ channel: undefined, stage: 'progress', atMs: RECEIVED_MS, fields: {} },
    progress: { count: 1, step: 0, stepAtMs: RECEIVED_MS, held: { PUSH: RECEIVED_MS + 90_000 }, ...over },
  });
  const cancelled = progress({ stepAtMs: RECEIVED_MS + 5000, isCancelled: true });
  const skipped = (prefix: string, at: number, reason: string) => ({
    ...{ [`${prefix}_skipped_at`]: timeAt(at), [`${prefix}_skipped_reason`]: reason },
  });
  const STATE = {
    ...{ sms_routing: 'SCHEDULE', sms_due_at: timeAt(60_000) },
    ...{ mobile_push_routing: 'SCHEDULE', mobile_push_held_until: timeAt(90_000) },
    ...{ email_routing: 'SEND', call_routing: 'SCHEDULE', call_due_at: timeAt(120_000) },
  };
  const rest = { ...skipped('mobile_push', 5000, 'CANCELED'), ...skipped('call', 5000, 'CANCELED') };
  const canceled = { ...skipped('sms', 5000, 'CANCELED'), ...rest };

  it.each<[string, LogEvent[], object]>([
    ['shows when it is due', [], {}],
    [
      'shows when it is due since its time was moved',
      [progress({ stepAtMs: RECEIVED_MS + 30_000, held: { PUSH: RECEIVED_MS + 95_000 } })],
      { sms_due_at: timeAt(90_000), mobile_push_held_until: timeAt(95_000), call_due_at: timeAt(150_000) },
    ],
    [
      'is sent',
      [progress({ step: 1, stepAtMs: RECEIVED_MS + 61_000 }), eventOf('SMS', 'sent', 61_000)],
      { sms_routing: 'SEND', sms_sent_after: 1000, call_due_at: timeAt(121_000) },
    ],
    [
      'is released',
      [eventOf('PUSH', 'sent', 91_000)],
      { mobile_push_routing: 'SEND', mobile_push_sent_after: 1000 },
    ],
    ['is tried', [eventOf('SMS', 'attempt', 61_000)], { sms_routing: 'SEND' }],
    ['has failed', [eventOf('PUSH', 'failed', 91_000)], { mobile_push_routing: 'SEND' }],
    ['is collected', [eventOf('SMS', 'collected', 61_000)], { sms_routing: 'BATCH', sms_due_at: undefined }],
    ['is in a digest', [eventOf('SMS', 'digest', 61_000)], { sms_routing: 'BATCH', sms_due_at: undefined }],
    ['is cancelled', [cancelled], canceled],
    [
      'is not cancelled once it was sent',
      [cancelled, eventOf('SMS', 'sent', 61_000)],
      { ...rest, sms_routing: 'SEND', sms_sent_after: 1000 },
    ],
    [
      'is not cancelled once it was withheld',
      [cancelled, eventOf('SMS', 'withheld', 61_000, { sms_routing: 'IGNORE' })],
      { ...rest, sms_routing: 'IGNORE' },
    ],
    [
      'is not cancelled once it was skipped',
      [cancelled, eventOf('SMS', 'skipped', 4000, skipped('sms', 4000, 'SEEN'))],
      { ...canceled, ...skipped('sms', 4000, 'SEEN') },
    ],
    [
      'is not skipped if it was sent at the same time',
      [eventOf('SMS', 'skipped', 4000, skipped('sms', 4000, 'SEEN')), eventOf('SMS', 'sent', 61_000)],
      { sms_routing: 'SEND', sms_sent_after: 1000 },
    ],
  ])('%s', (_, list, expected) => {
    const record = Object.entries(buildLogRecord(head, list));
    const state = record.filter(([name]) =>
      /^(email|sms|call|mobile_push)_(routing|due_at|held_until|skipped_at|skipped_reason|sent_after)$/.test(
        name,
      ),
    );
    expect(Object.fromEntries(state)).toEqual({ ...STATE, ...expected });
  });

  it('of a digest counts from when the digest was evaluated', () => {
    const list = [9000, 5000].map((since, index) => ({
      ...eventOf(index === 0 ? 'EMAIL' : 'SMS', 'sent', 9500),
      sinceMs: RECEIVED_MS + since,
    }));
    expect(buildLogRecord(head, list)).toMatchObject({
      ...{ processed_at: timeAt(9000), email_sent_after: 500, sms_sent_after: 4500 },
    });
  });
});

describe('the log of a topic', () => {
  const fanOut = { dueAtMs: 0, members: 0, accepted: 0, ignored: 0, channels: [] };
  const COUNTS = { topic: 't', topic_members: 0, topic_accepted: 0, topic_ignored: 0 };

  it.each<[Partial<LogHead>, object]>([
    [{}, { topic_state: 'accepted' }],
    [
      { fanOut: { ...fanOut, members: 5, accepted: 3, ignored: 2 } },
      { topic_state: 'fanning_out', topic_members: 5, topic_accepted: 3, topic_ignored: 2 },
    ],
    [
      { fanOut: { ...fanOut, endedAtMs: RECEIVED_MS + 7 } },
      { topic_state: 'fanned_out', topic_fanned_out_at: timeAt(7) },
    ],
    [{ ignored: 'DISABLED_NOTIFICATION' }, { topic_state: 'fanned_out' }],
    [{ failedAtMs: RECEIVED_MS }, { topic_state: 'fanned_out' }],
    [{ state: 'cancelled', fanOut: { ...fanOut, endedAtMs: RECEIVED_MS } }, { topic_state: 'cancelled' }],
  ])('with %j shows %j, and no channel', (over, expected) => {
    const record = buildLogRecord(headWith({ topicId: 't', ...over }), []);
    const { topic_fanned_out_at: _, ...known } = { ...COUNTS, topic_fanned_out_at: '', ...expected };
    expect(record).toMatchObject(expected);
    expect(record).toMatchObject(known);
    expect(Object.keys(record).filter((name) => name.endsWith('_routing'))).toEqual([]);
  });

  it('is named by those of its members', () => {
    const record = buildLogRecord(headWith({ parentId: 'p' }), []);
    expect([record.topic_tracking_id, record.topic_state, record.email_routing]).toEqual([
      'p',
      undefined,
      'SEND',
    ]);
  });
});

const SEEN_STAGES = [
  'sent',
  'delivered',
  'failed',
  'opened',
  'clicked',
  'inbound',
  'replied',
  'withheld',
] as const satisfies readonly Stage[];

const events: fc.Arbitrary<LogEvent> = fc
  .record({
    channel: fc.constantFrom(...CHANNELS),
    stage: fc.constantFrom(...SEEN_STAGES),
    afterMs: fc.oneof(fc.integer({ min: -1000, max: 5000 }), fc.constantFrom(0, 1)),
    text: fc.string({ maxLength: 5 }),
    seq: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  })
  .map(({ channel, stage, afterMs, text, seq }) => {
    const prefix = LOG_PREFIX[channel];
    const internal = `${prefix}_${stage}_internal`;
    const preview = `${prefix}_preview`;
    const fields: Record<string, unknown> = { [preview]: text };
    if (Object.hasOwn(LogFields.entries, internal)) fields[internal] = text;
    if (stage === 'withheld') fields[`${prefix}_routing`] = text.length > 2 ? 'IGNORE' : 'SEND';
    return { ...eventOf(channel, stage, afterMs, fields), ...(seq ? { seq } : {}) };
  });

/** A list with some of its entries repeated, and two orders of it. */
const shuffled = fc
  .tuple(fc.array(events, { maxLength: 25 }), fc.array(fc.nat(24), { maxLength: 10 }))
  .chain(([list, repeats]) => {
    const repeated = [...list, ...repeats.flatMap((at) => list[at] ?? [])];
    const order = fc.shuffledSubarray(repeated, { minLength: repeated.length });
    return fc.tuple(fc.constant(list), order, order);
  });

describe('events in any order, repeated or not', () => {
  it('produce the same record', () => {
    fc.assert(
      fc.property(shuffled, ([list, one, other]) => {
        const record = buildLogRecord(headWith(), list);
        expect(buildLogRecord(headWith(), one)).toEqual(record);
        expect(buildLogRecord(headWith(), other)).toEqual(record);
      }),
      { numRuns: 500 },
    );
  });

  it('produce a documented record with the earliest time of every stage', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 25 }), (list) => {
        const record = buildLogRecord(headWith(), list);
        expect(v.parse(LogRecord, record)).toEqual(record);
        expect(Object.keys(record).filter((name) => !Object.hasOwn(LogRecord.entries, name))).toEqual([]);
        for (const { channel, stage } of list) {
          const name = `${channel && LOG_PREFIX[channel]}_${stage}_at`;
          if (!Object.hasOwn(LogFields.entries, name)) continue;
          const same = list.filter((each) => each.channel === channel && each.stage === stage);
          const first = Math.min(...same.map(({ atMs }) => atMs));
          expect(new Map(Object.entries(record)).get(name)).toBe(new Date(first).toISOString());
        }
      }),
      { numRuns: 300 },
    );
  });
});
