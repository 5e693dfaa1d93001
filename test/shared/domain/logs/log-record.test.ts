import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { LogEvent, LogHead } from '../../../../shared/domain/logs/log.ts';
import { buildLogRecord } from '../../../../shared/domain/logs/log-record.ts';
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
          EMAIL: { routing: 'IGNORE', failureCode: 'MISSING_EMAIL_RECIPIENT' },
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
      sms_routing: 'IGNORE',
      sms_routing_reason: 'IGNORE_BY_PREFERENCES',
      chat_routing: 'DEDUPLICATED',
    });
  });
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
      headWith({ routing: { EMAIL: { routing: 'BATCH' } }, processedAtMs }),
    ];
    for (const head of deferred) expect(buildLogRecord(head, events).email_sent_after).toBe(100);
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
    afterMs: fc.integer({ min: -1000, max: 5000 }),
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
