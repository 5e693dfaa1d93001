import { defined } from '../../runtime/defined.ts';
import type { FailureCode } from '../../schemas/failure-codes.ts';
import type { LogFields } from '../../schemas/log-record.ts';
import type { DeliveryOutcome } from '../channel.ts';
import type { NotAccepted } from '../not-accepted.ts';

/** A failure code of EMAIL. */
export type EmailFailureCode = FailureCode<'EMAIL'>;

/** An outcome that is a failure. */
export type EmailFailure = Exclude<DeliveryOutcome<'EMAIL'>, { kind: 'sent' | 'postponed' }>;

/** The maximum length of a failure's internal text. */
export const INTERNAL_LENGTH_MAX = 1000;

/** A final failure; `internal` is the provider's own code and text, cut at 1,000 characters. */
export function reject(code: EmailFailureCode, internal: string, fields?: LogFields): EmailFailure {
  const text = internal.slice(0, INTERNAL_LENGTH_MAX);
  return { kind: 'rejected', code, internal: text, ...defined({ fields }) };
}

/** Details of a temporary failure besides its code: see `DeliveryOutcome`. */
type Retrying = Pick<Extract<EmailFailure, { kind: 'retry' }>, 'afterSeconds' | 'fields' | 'triesMax'>;

/** A temporary failure, recorded as `code` after the last retry. */
export function tryAgain(code: EmailFailureCode, internal: string, retrying: Retrying = {}): EmailFailure {
  return { kind: 'retry', code, internal: internal.slice(0, INTERNAL_LENGTH_MAX), ...retrying };
}

/** The failure with what it proves, if anything. */
export function proving(failure: EmailFailure, notAccepted: NotAccepted | undefined): EmailFailure {
  return notAccepted ? { ...failure, notAccepted } : failure;
}
