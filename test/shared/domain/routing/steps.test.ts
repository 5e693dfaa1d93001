import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packSteps, unpackSteps } from '../../../../shared/domain/routing/packed-steps.ts';
import {
  advance,
  laterStepsOf,
  nextDueAtMs,
  plannedDueAtMs,
  progressOf,
  type StepEvent,
  type StepHead,
  waitingChannels,
} from '../../../../shared/domain/routing/steps.ts';
import { CHANNELS, type Channel } from '../../../../shared/schemas/channel.ts';
import type { Steps } from '../../../../shared/schemas/delivery/steps.ts';
import { durationMsOf } from '../../../../shared/schemas/fields/duration.ts';

const START_MS = 1_800_000_000_000;

const aPlan = fc
  .record({
    order: fc.shuffledSubarray([...CHANNELS], { minLength: 2 }),
    sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 5 }),
    after: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 5, maxLength: 5 }),
    when: fc.array(fc.constantFrom('unseen', 'undelivered', 'always'), { minLength: 5, maxLength: 5 }),
  })
  .map(({ order, sizes, after, when }): Steps => {
    const rest = [...order];
    return sizes.flatMap((size, index) => {
      const channels = rest.splice(0, size);
      if (channels.length === 0) return [];
      return [
        index === 0 ? { channels } : { channels, after: `PT${after[index]}M`, when: when[index] ?? 'always' },
      ];
    });
  })
  .filter((steps) => steps.length > 1);

function headOf(steps: Steps): StepHead {
  const later = laterStepsOf(steps);
  const routing = Object.fromEntries(
    steps.flatMap(({ channels }, index) =>
      channels.map((channel) => [
        channel,
        { routing: index === 0 ? ('SEND' as const) : ('SCHEDULE' as const) },
      ]),
    ),
  );
  return { state: 'accepted', receivedAtMs: START_MS, processedAtMs: START_MS, routing, steps: later };
}

type World = { seenAtMs: number; fates: Partial<Record<Channel, 'delivered' | 'failed' | 'silent'>> };

const aWorld: fc.Arbitrary<World> = fc.record({
  seenAtMs: fc.integer({ min: 0, max: 1500 }).map((minutes) => START_MS + minutes * 60_000),
  fates: fc.dictionary(fc.constantFrom(...CHANNELS), fc.constantFrom('delivered', 'failed', 'silent')),
});

/** Runs a notification to its end, as the due worker does. Returns when each channel started or was skipped. */
function run(head: StepHead, { seenAtMs, fates }: World) {
  const events: StepEvent[] = [];
  const started = new Map<Channel, number>();
  const skipped = new Map<Channel, number>();
  const end = (channel: Channel) =>
    events.push(
      { channel, stage: 'sent' },
      ...(fates[channel] === 'silent' || !fates[channel] ? [] : [{ channel, stage: fates[channel] }]),
    );
  for (const channel of CHANNELS) if (head.routing[channel]?.routing === 'SEND') end(channel);
  for (let turn = 0; turn < 20; turn += 1) {
    const progress = progressOf(head, events);
    if (!progress) break;
    const dueAtMs = nextDueAtMs(head, progress, events);
    if (dueAtMs === undefined) break;
    const nowMs = Math.max(dueAtMs, progress.stepAtMs);
    const next = advance(head, progress, { events, isSeen: seenAtMs <= nowMs, nowMs });
    for (const channel of next.starts) {
      expect(started.has(channel) || skipped.has(channel)).toBe(false);
      started.set(channel, nowMs);
    }
    for (const { channel } of next.skips) {
      expect(started.has(channel) || skipped.has(channel)).toBe(false);
      skipped.set(channel, nowMs);
    }
    for (const channel of next.starts) end(channel);
    for (const { channel } of next.skips) events.push({ channel, stage: 'skipped' });
    events.push({
      channel: undefined,
      stage: 'progress',
      progress: { ...next.progress, count: progress.count + 1 },
    });
  }
  return { started, skipped };
}

describe('any steps', () => {
  it('start or skip each channel of a later step exactly once', () => {
    fc.assert(
      fc.property(aPlan, aWorld, (steps, world) => {
        const head = headOf(steps);
        const { started, skipped } = run(head, world);
        const later = steps.slice(1).flatMap(({ channels }) => channels);
        expect([...started.keys(), ...skipped.keys()].sort()).toEqual([...later].sort());
      }),
    );
  });

  it('start nothing unseen after it was seen, and nothing early unless every earlier channel failed', () => {
    fc.assert(
      fc.property(aPlan, aWorld, (steps, world) => {
        const head = headOf(steps);
        const { started } = run(head, world);
        for (const [index, { channels, when }] of steps.slice(1).entries()) {
          for (const channel of channels) {
            const atMs = started.get(channel);
            if (atMs === undefined) continue;
            if (when === 'unseen') expect(atMs).toBeLessThan(world.seenAtMs);
            const earlier = steps.slice(0, index + 1).flatMap((step) => step.channels);
            const hasEarly = steps.slice(1).some((step) => step.when === 'undelivered');
            if (!hasEarly) expect(atMs).toBe(plannedDueAtMs(head.steps ?? [], channel, START_MS));
            if (when === 'undelivered')
              expect(
                earlier.some((each) => world.fates[each] === 'delivered' && wasSent(head, started, each)),
              ).toBe(false);
          }
        }
      }),
    );
  });

  it('wait for nothing once they are cancelled', () => {
    fc.assert(
      fc.property(aPlan, (steps) => {
        const head = headOf(steps);
        const progress = progressOf(head);
        const cancelled = progress && { ...progress, isCancelled: true };
        expect(cancelled && [nextDueAtMs(head, cancelled), waitingChannels(head, cancelled)]).toEqual([
          undefined,
          [],
        ]);
      }),
    );
  });
});

const wasSent = (head: StepHead, started: ReadonlyMap<Channel, number>, channel: Channel) =>
  head.routing[channel]?.routing === 'SEND' || started.has(channel);

describe('stored steps', () => {
  it('read as they were written', () => {
    fc.assert(
      fc.property(aPlan, (steps) => {
        const later = laterStepsOf(steps);
        expect(unpackSteps(packSteps(later))).toEqual(later);
      }),
    );
  });
});

it.each(['', '1800s', '1800x0', 'a1800s0', '1800s0b'])(
  'stored steps that are %j cannot be read',
  (packed) => {
    expect(() => unpackSteps(packed)).toThrow('cannot be read');
  },
);

describe('a duration', () => {
  it.each([
    ['PT30M', 1_800_000],
    ['PT1H30M', 5_400_000],
    ['P1DT12H', 129_600_000],
    ['P2W', 1_209_600_000],
    ['PT0S', 0],
    ['P1M', undefined],
    ['P1Y', undefined],
    ['PT', undefined],
    ['P', undefined],
    ['P1DT', undefined],
    ['30M', undefined],
    ['PT-5M', undefined],
    ['PT1.5H', undefined],
  ])('reads %s as %s ms', (text, expected) => {
    expect(durationMsOf(text)).toBe(expected);
  });
});
