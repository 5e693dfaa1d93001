import { describe, expect, it } from 'vitest';
import { messageName } from './in-flight.ts';
import { type Evidence, isGood, verdictOf } from './verdict.ts';

const reported = { email_sent_at: 'x', email_delivered_at: 'x', sms_sent_at: 'x', sms_delivered_at: 'x' };
const email = { trackingId: 'one', userId: 'ada', channel: 'EMAIL' };
const sms = { trackingId: 'one', userId: 'ada', channel: 'SMS' };

function evidence(changes: Partial<Evidence>): Evidence {
  return {
    accepted: [{ userId: 'ada', trackingId: 'one' }],
    delivered: [email, sms],
    logs: new Map([['one', reported]]),
    inFlight: [],
    counted: { EMAIL: 1, SMS: 1 },
    ...changes,
  };
}

describe('the verdict on a crash run', () => {
  it('passes when each message was delivered once and the log shows it', () => {
    expect(isGood(verdictOf(evidence({})), 1)).toBe(true);
  });

  it.each<[string, Partial<Evidence>]>([
    ['an accepted notification without a log', { logs: new Map() }],
    ['an accepted notification that never reached a provider', { delivered: [email] }],
    [
      'a log without the delivery',
      { logs: new Map([['one', { ...reported, sms_delivered_at: undefined }]]) },
    ],
    ['a message delivered twice that was not under way at a kill', { delivered: [email, email, sms] }],
    ['a user with two notifications', { delivered: [email, sms, { ...email, trackingId: 'two' }] }],
    ['a usage that is not what was sent', { counted: { EMAIL: 2, SMS: 1 } }],
    ['fewer accepted than sent', { accepted: [] }],
  ])('fails for %s', (_, changes) => {
    expect(isGood(verdictOf(evidence(changes)), 1)).toBe(false);
  });

  it('allows a duplicate of a message that was under way at a kill', () => {
    const inFlight = [new Set([messageName('one', 'EMAIL')])];
    expect(isGood(verdictOf(evidence({ delivered: [email, email, sms], inFlight })), 1)).toBe(true);
  });
});
