import type {
  CheckedRecords,
  DomainProblem,
  DomainStatus,
  MailFromStatus,
} from '../../schemas/domains/sender-domain.ts';

/** The state of a sender domain's verification. */
export type Verification = {
  status: DomainStatus;
  mailFromDomainStatus?: MailFromStatus | undefined;
  /** Since when the domain waits: its start, or the time when a verified domain was lost. */
  sinceMs: number;
  /** Checks without success since then. */
  polls: number;
};

/**
 * The result of checking a sender domain; `unknown`: the check itself failed, which does not affect the
 * domain.
 */
export type DomainFinding =
  | {
      kind: 'known';
      status: DomainStatus;
      mailFromDomainStatus?: MailFromStatus;
      verificationTokens?: string[];
      /** The verifier has the domain with this account's key. */
      isRegistered: boolean;
      /** `IN_USE`: the name belongs to another application of the AWS account. */
      problem?: DomainProblem;
      /** What DNS has for each record. */
      records?: CheckedRecords;
    }
  | { kind: 'unknown' };

/** A verification after a check; `nextPollMs` absent: it has ended until it is restarted. */
export type AdvancedVerification = Verification & { nextPollMs?: number };

const MINUTE_MS = 60_000;
const BACK_OFF_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A domain waits this long for its records; afterwards it is FAILED, as with SES. */
export const GIVE_UP_AFTER_MS = 72 * 60 * MINUTE_MS;

/** Delay of the single reminder after the start. */
const REMIND_AFTER_MS = DAY_MS;

/**
 * Updates a verification with the result of a check. A verified domain stays so if a check fails, is checked
 * daily, and waits again from the time when its records are missing. A waiting domain is checked after 5, 15,
 * then every 60 minutes.
 */
export function advanceVerification(
  current: Verification,
  finding: DomainFinding,
  nowMs: number,
): AdvancedVerification {
  const wasVerified = current.status === 'SUCCESS';
  const status = statusAfter(current.status, finding);
  const sinceMs = wasVerified && status !== 'SUCCESS' ? nowMs : current.sinceMs;
  const isOver = status !== 'SUCCESS' && nowMs - sinceMs >= GIVE_UP_AFTER_MS;
  const mailFrom = mailFromAfter(current.mailFromDomainStatus, finding, nowMs - sinceMs);
  const next = { mailFromDomainStatus: mailFrom, sinceMs };
  if (isOver || status === 'FAILED') return { ...next, status: 'FAILED', polls: current.polls };
  const isSettled = status === 'SUCCESS' && mailFrom !== 'PENDING' && mailFrom !== 'TEMPORARY_FAILURE';
  if (isSettled && finding.kind === 'known') return { ...next, status, polls: 0, nextPollMs: nowMs + DAY_MS };
  const restarted = wasVerified !== (status === 'SUCCESS');
  const polls = restarted ? 0 : current.polls;
  return { ...next, status, polls: polls + 1, nextPollMs: nowMs + backOffMs(polls) };
}

function statusAfter(current: DomainStatus, finding: DomainFinding): DomainStatus {
  if (finding.kind === 'known') return finding.status;
  return current === 'SUCCESS' ? 'SUCCESS' : 'TEMPORARY_FAILURE';
}

function mailFromAfter(
  current: MailFromStatus | undefined,
  finding: DomainFinding,
  waitedMs: number,
): MailFromStatus | undefined {
  const found = finding.kind === 'known' ? (finding.mailFromDomainStatus ?? current) : current;
  return found !== undefined && found !== 'SUCCESS' && waitedMs >= GIVE_UP_AFTER_MS ? 'FAILED' : found;
}

function backOffMs(polls: number): number {
  return BACK_OFF_MS[Math.min(polls, BACK_OFF_MS.length - 1)] ?? DAY_MS;
}

export function isReminderDue(current: Verification, nowMs: number): boolean {
  const isWaiting = current.status !== 'SUCCESS' && current.status !== 'FAILED';
  return isWaiting && nowMs - current.sinceMs >= REMIND_AFTER_MS;
}
