import { defined } from '../../runtime/defined.ts';
import type { FailureCode } from '../../schemas/failure-codes.ts';
import type { LogFields } from '../../schemas/log-record.ts';
import type { DeliveryOutcome } from '../channel.ts';
import { internalText } from '../internal-text.ts';
import type { NotAccepted } from '../not-accepted.ts';

/** A failure code of EMAIL. */
export type EmailFailureCode = FailureCode<'EMAIL'>;

/** An outcome that is a failure. */
export type EmailFailure = Exclude<DeliveryOutcome<'EMAIL'>, { kind: 'sent' | 'postponed' }>;

/** A final failure; `internal` is the provider's own code and text. */
export function reject(code: EmailFailureCode, internal: string, fields?: LogFields): EmailFailure {
  return { kind: 'rejected', code, internal: internalText(internal), ...defined({ fields }) };
}

/** Details of a temporary failure besides its code: see `DeliveryOutcome`. */
type Retrying = Pick<Extract<EmailFailure, { kind: 'retry' }>, 'afterSeconds' | 'fields' | 'triesMax'>;

/** A temporary failure, recorded as `code` after the last retry. */
export function retry(code: EmailFailureCode, internal: string, retrying: Retrying = {}): EmailFailure {
  return { kind: 'retry', code, internal: internalText(internal), ...retrying };
}

/** The failure with what it proves, if anything. */
export function proving(failure: EmailFailure, notAccepted: NotAccepted | undefined): EmailFailure {
  return notAccepted ? { ...failure, notAccepted } : failure;
}
