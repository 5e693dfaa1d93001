import { describe, expect, it } from 'vitest';
import { costEventOf, replacedEstimate } from '../../../../shared/domain/costs/event-cost.ts';
import {
  callingCodeOf,
  textFacts,
  unitsOfCall,
  unitsOfText,
} from '../../../../shared/domain/costs/phone-costs.ts';
import { type Cap, exceededCaps, findHitCap, freeCaps } from '../../../../shared/domain/costs/usage-caps.ts';
import type { LogEvent } from '../../../../shared/domain/logs/log.ts';
import { byChannel, type Channel } from '../../../../shared/schemas/channel.ts';
import { withSettings } from '../../../support/workers.ts';

describe('the caps of an account', () => {
  const caps = { messagesCap: 10, smsCap: 3, callCap: 2, costCap: 5, allowOverage: false };
  const reached = (counts: object, costUsd: number, over: object = {}) =>
    exceededCaps({ ...caps, ...over }, { counts: { ...byChannel(() => 0), ...counts }, costUsd });

  it.each<[object, number, object, Cap[]]>([
    [{ EMAIL: 5, SMS: 2, CALL: 1 }, 4.99, {}, []],
    [{ EMAIL: 5, CHAT: 5 }, 0, {}, ['messagesCap']],
    [{ SMS: 3 }, 0, {}, ['smsCap']],
    [{ CALL: 2 }, 0, {}, ['callCap']],
    [{}, 5, {}, ['costCap']],
    [{ SMS: 5, CALL: 5 }, 0, { smsCap: undefined, callCap: undefined }, ['messagesCap']],
    [{ SMS: 50, CALL: 50 }, 500, { allowOverage: true }, []],
  ])('are compared with %j and %d USD; %j', (counts, costUsd, over, expected) => {
    expect(reached(counts, costUsd, over)).toEqual(expected);
  });

  it.each<[Cap[], Channel[], Cap | undefined]>([
    [['smsCap', 'costCap'], ['EMAIL', 'CALL'], 'costCap'],
    [['callCap', 'costCap'], ['SMS'], 'costCap'],
    [['callCap'], ['SMS', 'EMAIL'], undefined],
    [['messagesCap'], ['EMAIL'], 'messagesCap'],
    [['messagesCap'], [], undefined],
  ])('stop, of %j, for %j: %s', (exceeded, channels, cap) => {
    expect(findHitCap(exceeded, channels)).toBe(cap);
  });

  it('are those of the free plan, of which a negative one is none', async () => {
    const settings = {
      FREE_MESSAGES_CAP: '7',
      FREE_COST_CAP_USD: '8',
      FREE_SMS_CAP: '0',
      FREE_CALL_CAP: '-1',
    };
    const free = { messagesCap: 7, costCap: 8, allowOverage: false };
    await withSettings(settings, async () => expect(freeCaps()).toEqual({ ...free, smsCap: 0 }));
    const other = { ...settings, FREE_SMS_CAP: '-1', FREE_CALL_CAP: '0' };
    await withSettings(other, async () => expect(freeCaps()).toEqual({ ...free, callCap: 0 }));
  });
});

describe('the price of a message', () => {
  it.each([
    ['+14155550123', '1'],
    ['79161234567', '7'],
    ['+201001234567', '20'],
    ['+2348012345678', '234'],
    ['+4915112345678', '49'],
    ['+35312345678', '353'],
  ])('is that of the calling code of %s: %s', (number, code) => {
    expect(callingCodeOf(number)).toBe(code);
  });

  it('counts segments of a text, three of them for each file, and the minutes of a call that begin', () => {
    expect([unitsOfText('a'.repeat(161), 0), unitsOfText('a'.repeat(161), 1), unitsOfText('', 2)]).toEqual([
      2, 3, 6,
    ]);
    const calls = [
      unitsOfCall(''),
      unitsOfCall('a'.repeat(900)),
      unitsOfCall('a'.repeat(901)),
      unitsOfCall('a'.repeat(450), 3),
    ];
    expect(calls).toEqual([1, 1, 2, 2]);
  });

  it.each([
    [
      { message: 'a😀' },
      { encoding: 'UCS-2', characters: 2, segments: 1, estimatedPrice: 0.07, ucs2Character: '😀' },
    ],
    [
      { message: 'a€', mediaUrls: ['a', 'b'] },
      { encoding: 'GSM-7', characters: 2, segments: 1, estimatedPrice: 0.42 },
    ],
    [{}, { encoding: 'GSM-7', characters: 0, segments: 1, estimatedPrice: 0.07 }],
  ])('of %j is %j', (content, facts) => {
    expect(textFacts(content, 7)).toEqual(facts);
  });
});

describe('the cost of a sent message', () => {
  const estimate = { code: '49', units: 2, estimatedMicros: 90 };
  const sent = (over: object = {}): LogEvent => ({
    ...{ channel: 'SMS', stage: 'sent', atMs: 5, fields: { sms_sent_messageId: 'm1' }, estimate },
    ...over,
  });

  it.each<[object, object | undefined]>([
    [{}, undefined],
    [{ fields: { sms_sent_cost: 1, sms_sent_messageId: 'm1' } }, { seq: 'm1', fields: { sms_sent_cost: 1 } }],
    [{ fields: { sms_sent_cost: 0 } }, { fields: { sms_sent_cost: 0 } }],
    [{ fields: { sms_sent_cost: 1, sms_sent_messageId: '' } }, { fields: { sms_sent_cost: 1 } }],
    [
      { channel: 'CALL', delivered: { call_delivered_cost: 2 } },
      { channel: 'CALL', fields: { call_delivered_cost: 2 } },
    ],
  ])('%j is an event of its own: %j', (over, event) => {
    expect(costEventOf(sent(over))).toEqual(event && { channel: 'SMS', stage: 'cost', atMs: 5, ...event });
  });

  it.each<[object, string | undefined, object | undefined]>([
    [{}, undefined, { ...estimate, sentAtMs: 5 }],
    [{}, 'm1', { ...estimate, sentAtMs: 5 }],
    [{}, 'm2', { code: '49', units: 0, estimatedMicros: 0, sentAtMs: 5 }],
    [{ fields: { sms_sent_cost: 1 } }, undefined, { ...estimate, estimatedMicros: 0, sentAtMs: 5 }],
    [{ estimate: undefined }, undefined, undefined],
  ])('%j replaces its estimate for message %s: %j', (over, seq, replaced) => {
    expect(replacedEstimate(sent(over), seq === undefined ? {} : { seq })).toEqual(replaced);
  });
});
