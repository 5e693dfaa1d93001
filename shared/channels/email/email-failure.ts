import { defined } from '../../runtime/values/defined.ts';
import type { FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { LogFields } from '../../schemas/logs/log-record.ts';
import type { DeliveryOutcome } from '../channel.ts';
import { internalText } from '../failure/internal-text.ts';
import type { NotAccepted } from '../failure/not-accepted.ts';

export type EmailFailureCode = FailureCode<'EMAIL'>;

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

const DOUBTFUL_TRIES_MAX = 5;
const DOUBTFUL_SECONDS_MAX = 900;

/** A failure after which the message may have been accepted, and each retry may repeat it: few retries, far apart. */
export function doubt(code: EmailFailureCode, internal: string, attempt: number, random = 0): EmailFailure {
  const base = Math.min(DOUBTFUL_SECONDS_MAX, 5 ** Math.max(1, attempt));
  const afterSeconds = Math.round(base * (1 + random / 2));
  return retry(code, internal, { afterSeconds, triesMax: DOUBTFUL_TRIES_MAX });
}

/** The failure with what it proves, if anything. */
export function proving(failure: EmailFailure, notAccepted: NotAccepted | undefined): EmailFailure {
  return notAccepted ? { ...failure, notAccepted } : failure;
}
