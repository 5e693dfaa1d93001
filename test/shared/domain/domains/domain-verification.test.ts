import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceVerification,
  type DomainFinding,
  GIVE_UP_AFTER_MS,
  isReminderDue,
  type Verification,
} from '../../../../shared/domain/domains/domain-verification.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-11-21T08:30:00.000Z');
const waiting: Verification = {
  status: 'PENDING',
  mailFromDomainStatus: 'PENDING',
  sinceMs: START,
  polls: 0,
};
const found = (status: 'SUCCESS' | 'PENDING' | 'FAILED' | 'TEMPORARY_FAILURE', mailFrom = status) =>
  ({ kind: 'known', status, mailFromDomainStatus: mailFrom, isRegistered: true }) satisfies DomainFinding;

describe('domain verification', () => {
  it('checks again after 5, 15 and then every 60 minutes', () => {
    let current: Verification = waiting;
    let nowMs = START;
    const waits: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      const next = advanceVerification(current, found('PENDING'), nowMs);
      waits.push((next.nextPollMs ?? 0) - nowMs);
      nowMs = next.nextPollMs ?? 0;
      current = next;
    }
    expect(waits.map((ms) => ms / MINUTE)).toEqual([5, 15, 60, 60, 60]);
  });

  it('ends as FAILED after 72 hours without success', () => {
    const before = advanceVerification(waiting, found('PENDING'), START + GIVE_UP_AFTER_MS - 1);
    expect(before).toMatchObject({ status: 'PENDING', nextPollMs: expect.any(Number) });
    const after = advanceVerification(waiting, found('PENDING'), START + GIVE_UP_AFTER_MS);
    expect(after).toMatchObject({ status: 'FAILED', mailFromDomainStatus: 'FAILED' });
    expect(after.nextPollMs).toBeUndefined();
    const unreachable = advanceVerification(waiting, { kind: 'unknown' }, START + GIVE_UP_AFTER_MS);
    expect(unreachable.status).toBe('FAILED');
  });

  it('succeeds at any time and then checks daily', () => {
    const next = advanceVerification(waiting, found('SUCCESS'), START + 100 * HOUR);
    const settled = { status: 'SUCCESS', mailFromDomainStatus: 'SUCCESS', polls: 0 };
    expect(next).toMatchObject({ ...settled, nextPollMs: START + 124 * HOUR });
    const { mailFromDomainStatus: _, ...bare } = found('SUCCESS');
    expect(advanceVerification(next, bare, START + 124 * HOUR)).toMatchObject(settled);
    const without = { status: 'PENDING' as const, sinceMs: START, polls: 0 };
    const since = advanceVerification(without, bare, START + 100 * HOUR);
    expect(since.mailFromDomainStatus).toBeUndefined();
  });

  it('checks sooner while the MAIL FROM subdomain of a verified domain is pending, for up to 72 hours', () => {
    const next = advanceVerification(waiting, found('SUCCESS', 'PENDING'), START);
    expect(next).toMatchObject({ status: 'SUCCESS', mailFromDomainStatus: 'PENDING' });
    expect(next.nextPollMs).toBe(START + 5 * MINUTE);
    const polled = { ...waiting, polls: 4 };
    expect(advanceVerification(polled, found('SUCCESS', 'PENDING'), START)).toEqual(next);
    expect(advanceVerification(next, found('SUCCESS', 'TEMPORARY_FAILURE'), START)).toMatchObject({
      ...{ polls: 2, nextPollMs: START + 15 * MINUTE },
    });
    const own = advanceVerification(waiting, found('PENDING', 'SUCCESS'), START);
    expect(own.nextPollMs).toBe(START + 5 * MINUTE);
    const given = advanceVerification(next, found('SUCCESS', 'PENDING'), START + GIVE_UP_AFTER_MS);
    expect(given).toMatchObject({ status: 'SUCCESS', mailFromDomainStatus: 'FAILED' });
    expect(given.nextPollMs).toBe(START + GIVE_UP_AFTER_MS + 24 * HOUR);
  });

  it('remains verified when a check fails', () => {
    const verified: Verification = { ...waiting, status: 'SUCCESS', mailFromDomainStatus: 'SUCCESS' };
    const next = advanceVerification(verified, { kind: 'unknown' }, START + 500 * HOUR);
    expect(next).toMatchObject({ status: 'SUCCESS', nextPollMs: START + 500 * HOUR + 5 * MINUTE });
    expect(next.mailFromDomainStatus).toBe('SUCCESS');
  });

  it('reports a failed check of a pending domain as TEMPORARY_FAILURE', () => {
    expect(advanceVerification(waiting, { kind: 'unknown' }, START).status).toBe('TEMPORARY_FAILURE');
  });

  it('allows a domain without its records 72 hours from then', () => {
    const verified: Verification = { ...waiting, status: 'SUCCESS', polls: 3 };
    const lostAt = START + 900 * HOUR;
    const lost = advanceVerification(verified, found('TEMPORARY_FAILURE'), lostAt);
    expect(lost).toMatchObject({ status: 'TEMPORARY_FAILURE', sinceMs: lostAt, polls: 1 });
    expect(advanceVerification(lost, found('PENDING'), lostAt + 71 * HOUR).status).toBe('PENDING');
    expect(advanceVerification(lost, found('PENDING'), lostAt + 72 * HOUR).status).toBe('FAILED');
  });

  it('sends a reminder only after 24 hours of waiting', () => {
    expect(isReminderDue(waiting, START + 24 * HOUR - 1)).toBe(false);
    expect(isReminderDue(waiting, START + 24 * HOUR)).toBe(true);
    expect(isReminderDue({ ...waiting, status: 'SUCCESS' }, START + 48 * HOUR)).toBe(false);
    expect(isReminderDue({ ...waiting, status: 'FAILED' }, START + 80 * HOUR)).toBe(false);
  });

  it('always has its next check in the future, unless it is FAILED', () => {
    const statuses = ['SUCCESS', 'PENDING', 'FAILED', 'TEMPORARY_FAILURE'] as const;
    const finding = fc.oneof(
      fc.constant<DomainFinding>({ kind: 'unknown' }),
      fc.tuple(fc.constantFrom(...statuses), fc.constantFrom(...statuses)).map(([a, b]) => found(a, b)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(finding, fc.nat(100 * HOUR)), { minLength: 1 }), (checks) => {
        let current: Verification = waiting;
        let nowMs = START;
        for (const [each, later] of checks) {
          nowMs += later;
          const next = advanceVerification(current, each, nowMs);
          expect(next.nextPollMs === undefined).toBe(next.status === 'FAILED');
          if (next.nextPollMs !== undefined) expect(next.nextPollMs).toBeGreaterThan(nowMs);
          if (next.status === 'FAILED') return;
          current = next;
        }
      }),
    );
  });
});
