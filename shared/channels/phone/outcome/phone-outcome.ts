import { isPassingStatus } from '../../../http-client/passing-status.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { CATCH_ALL_CODE, type FailureCode } from '../../../schemas/logs/failure-codes.ts';
import type { DeliveryOutcome } from '../../channel.ts';
import { internalText } from '../../failure/internal-text.ts';
import type { Cause, NotAccepted } from '../../failure/not-accepted.ts';

export type PhoneFailureCode = FailureCode<'SMS'>;

/**
 * The outcome of a provider code: final, or retried; `code` is recorded after the last retry. Without a `cause`, the response's
 * status decides whether another provider is tried.
 */
export type PhoneOutcome = {
  kind: 'rejected' | 'retry';
  code: PhoneFailureCode;
  cause?: Cause;
  /** Of a row of a provider's table. */
  meaning?: string;
};

export type OutcomeTable = Readonly<Record<string, PhoneOutcome>>;

export type PhoneFailure = Exclude<DeliveryOutcome<'SMS' | 'CALL'>, { kind: 'sent' | 'postponed' }>;

/** The code of every failure that no table lists. */
export const UNKNOWN_CODE = CATCH_ALL_CODE.SMS;

export function reject(code: PhoneFailureCode): PhoneOutcome {
  return { kind: 'rejected', code, cause: 'message' };
}

/** An outcome to retry, recorded as `code` after the last retry. */
export function retry(code: PhoneFailureCode = UNKNOWN_CODE): PhoneOutcome {
  return { kind: 'retry', code };
}

export function final(code: PhoneFailureCode, cause: Cause, meaning: string): PhoneOutcome {
  return { kind: 'rejected', code, cause, meaning };
}

/** A row of a failure to retry, recorded as `code` after the last retry. */
export function passing(code: PhoneFailureCode, meaning: string): PhoneOutcome {
  return { kind: 'retry', code, meaning };
}

/** The row of `code`, when the table has one. */
export function findOutcome(table: OutcomeTable, code: string | undefined): PhoneOutcome | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}

/** The outcome of an HTTP status without a known code. */
export function outcomeOfStatus(status: number): PhoneOutcome {
  return { kind: isPassingStatus(status) ? 'retry' : 'rejected', code: UNKNOWN_CODE };
}

/** The failure of an outcome; `internal` is the provider's own code and text. */
export function toFailure(
  outcome: PhoneOutcome,
  internal: string,
  {
    afterSeconds,
    notAccepted,
  }: { afterSeconds?: number | undefined; notAccepted?: NotAccepted | undefined } = {},
): PhoneFailure {
  const { kind, code } = outcome;
  const common = {
    code,
    internal: internalText(internal),
    ...defined({ notAccepted }),
  };
  if (kind === 'rejected') return { kind, ...common };
  return { kind, ...common, ...defined({ afterSeconds }) };
}
