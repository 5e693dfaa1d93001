import { describe, expect, it } from 'vitest';
import {
  advance,
  isLastDue,
  isPausedHold,
  isVisited,
  laterStepsOf,
  movedProgress,
  nextDueAtMs,
  type Progress,
  progressOf,
  type StepEvent,
  type StepHead,
  skipReasonOf,
  waitingChannels,
} from '../../../shared/domain/routing/steps.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { Routing } from '../../../shared/schemas/logs/log-record.ts';
import type { Stage } from '../../../shared/schemas/logs/stage.ts';

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

  it.each<[Channel, Channel, Stage]>([
    ['EMAIL', 'EMAIL', 'sent'],
    ['CALL', 'CALL', 'sent'],
    ['INAPP_WEB', 'INAPP_WEB', 'sent'],
    ['PUSH', 'PUSH', 'attempt'],
    ['EMAIL', 'SMS', 'delivered'],
  ])('is not skipped after %s because %s was %s', (first, channel, stage) => {
    const facts = { events: [{ channel, stage }] satisfies StepEvent[], isSeen: false };
    expect(skipReasonOf(headOf(first), 'SMS', facts)).toBeUndefined();
  });

  it.each(['SEND', 'BATCH', 'SCHEDULE'] as const)(
    'waits its time while the first channel waits as %s',
    (routing) => {
      expect(dueAfter(headOf('EMAIL', routing))).toBe(AFTER_MS);
    },
  );

  it.each(['OFF', 'IGNORE', 'THROTTLED', 'DEDUPLICATED'] as const)(
    'starts early when the first channel is %s',
    (routing) => {
      expect(dueAfter(headOf('EMAIL', routing))).toBe(0);
    },
  );

  it('waits its time until each of the first channels has failed', () => {
    const head = headOf('EMAIL');
    const both = { ...head, routing: { ...head.routing, PUSH: { routing: 'SEND' as const } } };
    const [email, push] = (['EMAIL', 'PUSH'] as const).map((channel) => ({
      channel,
      stage: 'failed' as const,
    }));
    expect(dueAfter(both, email && [email])).toBe(AFTER_MS);
    expect(dueAfter(both, email && push && [email, push])).toBe(0);
    expect(dueAfter(head, [{ channel: 'EMAIL', stage: 'sent' }])).toBe(AFTER_MS);
  });

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

describe('what waits', () => {
  const first = headOf('EMAIL');
  const paused = { routing: 'SCHEDULE', heldUntilMs: START_MS + 9, isPaused: true } as const;
  const progressAt = (over: Partial<Progress> = {}): Progress => ({
    ...{ count: 1, step: 0, stepAtMs: START_MS, held: {} },
    ...over,
  });

  it.each<[string, object, StepEvent[], Partial<Progress> | undefined]>([
    ['a step', {}, [], { count: 0, step: 0, held: {} }],
    ['a held channel', { steps: [], routing: { EMAIL: paused } }, [], { held: { EMAIL: START_MS + 9 } }],
    ['a held channel alone', { steps: undefined, routing: { EMAIL: paused } }, [], { step: 0 }],
    ['nothing of one without either', { steps: [] }, [], undefined],
    ['nothing of one that is scheduled', { state: 'scheduled', routing: { EMAIL: paused } }, [], undefined],
    [
      'what the last record says',
      {},
      [3, 5, 4].map((count) => ({ channel: undefined, stage: 'progress', progress: progressAt({ count }) })),
      { count: 5 },
    ],
  ])('is %s', (_, head, events, expected) => {
    const progress = progressOf({ ...first, ...head }, events);
    if (expected) expect(progress).toMatchObject(expected);
    else expect(progress).toBeUndefined();
  });

  it('is due at no time when it is nothing', () => {
    expect(nextDueAtMs(first, progressAt({ step: 1 }))).toBeUndefined();
    const head = { ...first, steps: undefined } as never;
    expect(nextDueAtMs(head, progressAt({ held: { EMAIL: 7 } }))).toBe(7);
  });

  it('is each held channel and each channel of a step that has not started', () => {
    const routing = { ...first.routing, EMAIL: paused, PUSH: { routing: 'IGNORE' as const } };
    const head = { ...first, routing };
    const held = { EMAIL: 5, PUSH: 5 };
    expect(waitingChannels(head, progressAt())).toEqual(['SMS']);
    expect(waitingChannels(head, progressAt({ held }))).toEqual(['EMAIL', 'SMS']);
    expect(waitingChannels(head, progressAt({ held, step: 1 }))).toEqual(['EMAIL']);
  });

  it('is held by a pause until its time is moved, but for what a pause held before', () => {
    const head = { ...first, routing: { ...first.routing, EMAIL: paused } };
    const held = progressAt({ held: { EMAIL: START_MS + 9, PUSH: START_MS + 9 } });
    expect([isPausedHold(head, held, 'EMAIL'), isPausedHold(head, held, 'PUSH')]).toEqual([true, false]);
    expect(isPausedHold(head, progressAt({ held: { EMAIL: 1 } }), 'EMAIL')).toBe(false);
    expect(isPausedHold(first, { ...held, paused: ['EMAIL'] }, 'EMAIL')).toBe(true);
    const toMs = START_MS + 50;
    expect(movedProgress(head, { ...held, released: ['CALL'] }, toMs)).toEqual({
      ...{ count: 2, step: 0, stepAtMs: START_MS, held: { EMAIL: toMs, PUSH: toMs } },
      ...{ paused: ['EMAIL'], released: ['CALL', 'EMAIL', 'PUSH'] },
    });
  });

  it('moves with its step, and later channels stay', () => {
    const later = { EMAIL: START_MS + AFTER_MS + 1 };
    expect(movedProgress(first, progressAt({ held: later }), START_MS + 5)).toEqual({
      ...{ count: 2, step: 0, stepAtMs: START_MS + 5 - AFTER_MS, held: later, released: [] },
    });
    expect(movedProgress({ ...first, steps: [] }, progressAt({ held: { EMAIL: 4 } }), 5)).toMatchObject({
      ...{ stepAtMs: START_MS, held: { EMAIL: 5 }, released: ['EMAIL'] },
    });
  });
});

describe('an advance', () => {
  const head: StepHead = {
    ...headOf('EMAIL'),
    routing: {
      ...{ EMAIL: { routing: 'SCHEDULE' }, SMS: { routing: 'SCHEDULE' }, CALL: { routing: 'SCHEDULE' } },
      PUSH: { routing: 'IGNORE' },
    },
    steps: [
      { channels: ['SMS', 'PUSH'], afterMs: AFTER_MS, when: 'unseen' },
      { channels: ['CALL'], afterMs: AFTER_MS, when: 'unseen' },
    ],
  };
  const held = { EMAIL: START_MS + 10 };
  const isLastNeeded = {
    ...head,
    steps: (head.steps ?? []).map((step, index) =>
      index === 1 ? { ...step, when: 'always' as const } : step,
    ),
  };
  const seen = (channel: Channel) => ({ channel, reason: 'SEEN' });
  type Given = { isRecheck?: boolean; isSeen?: boolean; progress?: Partial<Progress>; of?: StepHead };

  it.each<[string, number, Given, object]>([
    ['starts nothing early', 9, {}, {}],
    ['releases a channel at its time', 10, {}, { starts: ['EMAIL'], held: {} }],
    [
      'releases it early for changed settings',
      ...([9, { isRecheck: true }] as const),
      { starts: ['EMAIL'], isEarly: true, held: {} },
    ],
    ['leaves a time that a caller chose', 9, { isRecheck: true, progress: { released: ['EMAIL'] } }, {}],
    [
      'releases only what is due',
      ...([10, { progress: { held: { ...held, CHAT: START_MS + 11 } } }] as const),
      { starts: ['EMAIL'], held: { CHAT: START_MS + 11 } },
    ],
    [
      'skips a released channel of a step that is no longer needed',
      ...([5, { isSeen: true, progress: { step: 2, held: { CALL: START_MS + 5 } } }] as const),
      { skips: [seen('CALL')], held: {}, step: 2 },
    ],
    [
      'starts the channels of a step that wait',
      ...([AFTER_MS, { progress: { held: {} } }] as const),
      { starts: ['SMS'], held: {}, step: 1, stepAtMs: START_MS + AFTER_MS },
    ],
    [
      'skips all steps as soon as none is needed',
      ...([5, { isSeen: true, progress: { held: {} } }] as const),
      { skips: [seen('SMS'), seen('CALL')], isEarly: true, held: {}, step: 2, stepAtMs: START_MS + 5 },
    ],
    [
      'skips no step before its time while a later one is needed',
      ...([5, { isSeen: true, progress: { held: {} }, of: isLastNeeded }] as const),
      { held: {} },
    ],
    [
      'needs no steps',
      ...([10, { of: { ...head, steps: undefined } as never }] as const),
      { starts: ['EMAIL'], held: {} },
    ],
  ])('%s', (_, ms, { progress, of = head, isSeen = false, ...given }, expected) => {
    const before = { count: 1, step: 0, stepAtMs: START_MS, held, ...progress };
    const advanced = advance(of, before, { events: [], isSeen, nowMs: START_MS + ms, ...given });
    const { progress: next, ...done } = advanced;
    const { step, stepAtMs } = next;
    expect({ ...done, held: next.held, step, stepAtMs }).toEqual({
      ...{ starts: [], skips: [], isEarly: false, held, step: 0, stepAtMs: START_MS },
      ...expected,
    });
  });
});

describe('a step', () => {
  it('counts only those after the first, without a time at once, and while it is unseen', () => {
    const steps = [{ channels: ['EMAIL' as const] }, { channels: ['SMS' as const] }];
    expect(laterStepsOf(steps)).toEqual([{ channels: ['SMS'], afterMs: 0, when: 'unseen' }]);
  });

  it.each(['always', 'undelivered'] as const)('is sent %s after it was seen', (when) => {
    const head = { ...headOf('EMAIL'), steps: [{ channels: ['SMS' as const], afterMs: AFTER_MS, when }] };
    expect(skipReasonOf(head, 'SMS', { events: [], isSeen: true })).toBeUndefined();
    const events: StepEvent[] = [{ channel: 'EMAIL', stage: 'delivered' }];
    const reason = skipReasonOf(head, 'SMS', { events, isSeen: false });
    expect(reason).toBe(when === 'undelivered' ? 'DELIVERED' : undefined);
    expect(
      skipReasonOf({ ...head, steps: undefined } as never, 'SMS', { events, isSeen: true }),
    ).toBeUndefined();
  });
});

describe('a notification is visited', () => {
  const click = (link: string, atMs = 0, channel: Channel = 'EMAIL') => ({
    ...{ channel, atMs, stage: 'clicked' as const, fields: { email_clicked_link: link } },
  });
  it.each([
    [true, [{ channel: 'EMAIL' as const, stage: 'opened' as const, atMs: 0 }]],
    [true, [{ channel: 'EMAIL' as const, stage: 'sent' as const, atMs: 0 }, click('a')]],
    [true, [click('a'), click('b', 5000)]],
    [true, [click('a'), click('b', 0, 'SMS')]],
    [false, [click('a'), click('b')]],
    [false, [{ channel: 'EMAIL' as const, stage: 'sent' as const, atMs: 0 }]],
    [false, []],
  ])('%s: %j', (isSeen, events) => {
    expect(isVisited(events)).toBe(isSeen);
  });
});
