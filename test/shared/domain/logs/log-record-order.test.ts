import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../../shared/domain/logs/log.ts';
import { buildLogRecord } from '../../../../shared/domain/logs/log-record.ts';
import { CHANNELS, LOG_PREFIX } from '../../../../shared/schemas/channel.ts';
import { LogFields, LogRecord } from '../../../../shared/schemas/logs/log-record.ts';
import type { Stage } from '../../../../shared/schemas/logs/stage.ts';
import { eventOf, headWith } from './log-record-setup.ts';

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
