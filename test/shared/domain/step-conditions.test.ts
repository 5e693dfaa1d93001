import { describe, expect, it } from 'vitest';
import {
  isLastDue,
  nextDueAtMs,
  progressOf,
  type StepEvent,
  type StepHead,
  skipReasonOf,
} from '../../../shared/domain/routing/steps.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { Routing } from '../../../shared/schemas/logs/log-record.ts';

const START_MS = 1_800_000_000_000;
const AFTER_MS = 1_800_000;

/** A first channel, and a text message half an hour later if the first was not delivered. */
function headOf(channel: Channel, routing: Routing = 'SEND'): StepHead {
  return {
    state: 'accepted',
    receivedAtMs: START_MS,
    routing: { [channel]: { routing }, SMS: { routing: 'SCHEDULE' } },
    steps: [{ channels: ['SMS'], afterMs: AFTER_MS, when: 'undelivered' }],
  };
}

function dueAfter(head: StepHead, events: StepEvent[] = []): number {
  const progress = progressOf(head, events);
  return (progress && (nextDueAtMs(head, progress, events) ?? 0) - START_MS) ?? 0;
}

describe('a step after a call', () => {
  it.each([
    [{ call_delivered_code: 'COMPLETED' }, 'DELIVERED'],
    [{ call_delivered_code: 'COMPLETED', call_answered_by: 'human' }, 'DELIVERED'],
    [{ call_delivered_code: 'COMPLETED', call_answered_by: 'unknown' }, 'DELIVERED'],
    [{ call_delivered_code: 'COMPLETED', call_answered_by: 'machine' }, undefined],
    [{ call_delivered_code: 'BUSY' }, undefined],
    [{ call_delivered_code: 'NO_ANSWER' }, undefined],
  ] as const)('that ended with %j', (fields, reason) => {
    const events: StepEvent[] = [
      { channel: 'CALL', stage: 'sent' },
      { channel: 'CALL', stage: 'delivered', fields },
    ];
    expect(skipReasonOf(headOf('CALL'), 'SMS', { events, isSeen: false })).toBe(reason);
  });

  it('that a machine answered according to an earlier report is not skipped', () => {
    const events: StepEvent[] = [
      { channel: 'CALL', stage: 'sent_update', fields: { call_answered_by: 'machine' } },
      { channel: 'CALL', stage: 'delivered', fields: { call_delivered_code: 'COMPLETED' } },
    ];
    expect(skipReasonOf(headOf('CALL'), 'SMS', { events, isSeen: false })).toBeUndefined();
  });
});

describe('a step after an undelivered one', () => {
  it.each(['PUSH', 'WEB_PUSH', 'CHAT'] as const)(
    'is skipped once %s, which has no receipts, was sent',
    (channel) => {
      const events: StepEvent[] = [{ channel, stage: 'sent' }];
      const facts = { events, isSeen: false };
      expect(skipReasonOf(headOf(channel), 'SMS', facts)).toBe('DELIVERED');
      events.push({ channel, stage: 'failed' });
      expect(skipReasonOf(headOf(channel), 'SMS', facts)).toBeUndefined();
    },
  );

  it.each(['EMAIL', 'CALL', 'INAPP_WEB'] as const)('is not skipped because %s was sent', (channel) => {
    const facts = { events: [{ channel, stage: 'sent' }] satisfies StepEvent[], isSeen: false };
    expect(skipReasonOf(headOf(channel), 'SMS', facts)).toBeUndefined();
  });

  it.each(['SEND', 'BATCH', 'SCHEDULE'] as const)(
    'waits its time while the first channel waits as %s',
    (routing) => {
      expect(dueAfter(headOf('EMAIL', routing))).toBe(AFTER_MS);
    },
  );

  it.each(['failed', 'withheld', 'skipped'] as const)(
    'starts early once the first channel has %s',
    (stage) => {
      expect(dueAfter(headOf('EMAIL'), [{ channel: 'EMAIL', stage }])).toBe(0);
    },
  );
});

describe('a notification with a held channel', () => {
  const held = (afterMs: number) => ({
    count: 1,
    step: 0,
    stepAtMs: START_MS,
    held: { EMAIL: START_MS + afterMs, PUSH: START_MS + afterMs },
  });

  it.each([
    ['the held channels', AFTER_MS - 1, AFTER_MS - 1],
    ['the step', AFTER_MS + 1, AFTER_MS],
  ])('is due with whatever comes first: %s', (_, heldMs, dueMs) => {
    expect(nextDueAtMs(headOf('EMAIL'), held(heldMs))).toBe(START_MS + dueMs);
  });

  it('is last due when only channels of one time wait', () => {
    const { EMAIL, PUSH } = { EMAIL: START_MS, PUSH: START_MS };
    const only = (waiting: Record<string, number>) => ({
      count: 1,
      step: 1,
      stepAtMs: START_MS,
      held: waiting,
    });
    expect(isLastDue(headOf('EMAIL'), only({ EMAIL, PUSH }))).toBe(true);
    expect(isLastDue(headOf('EMAIL'), only({ EMAIL, PUSH: PUSH + 1 }))).toBe(false);
    expect(isLastDue(headOf('EMAIL'), held(1))).toBe(false);
  });
});
