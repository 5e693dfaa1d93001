import { defined } from '../../runtime/defined.ts';
import { CATCH_ALL_CODE, type FailureCode } from '../../schemas/failure-codes.ts';
import type { DeliveryOutcome } from '../channel.ts';
import { internalText } from '../internal-text.ts';
import { type NotAccepted, notAcceptedBy, PROOFS, proofOf } from '../not-accepted.ts';

/** A failure code of SMS and CALL: the two channels share one list. */
export type PhoneFailureCode = FailureCode<'SMS'>;

/** The meaning of one provider code: final, or retried; `code` is recorded after the last retry. */
export type PhoneVerdict = { kind: 'rejected' | 'retry'; code: PhoneFailureCode };

/** A table of verdicts by provider code. */
export type VerdictTable = Readonly<Record<string, PhoneVerdict>>;

/** An outcome that is a failure. */
export type PhoneFailure = Exclude<DeliveryOutcome<'SMS' | 'CALL'>, { kind: 'sent' | 'postponed' }>;

/** The code of every failure that no table lists. */
export const UNKNOWN_CODE = CATCH_ALL_CODE.SMS;

/** A final verdict. */
export function reject(code: PhoneFailureCode): PhoneVerdict {
  return { kind: 'rejected', code };
}

/** A verdict to retry, recorded as `code` after the last retry. */
export function retry(code: PhoneFailureCode = UNKNOWN_CODE): PhoneVerdict {
  return { kind: 'retry', code };
}

/** The verdict of `code`, when the table has one. */
export function findVerdict(table: VerdictTable, code: string | undefined): PhoneVerdict | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}

/** The verdict of an HTTP status without a known code. */
export function verdictOfStatus(status: number): PhoneVerdict {
  return status >= 500 || status === 429 || status === 408 ? retry() : reject(UNKNOWN_CODE);
}

/** The outcome of a verdict; `internal` is the provider's own code and text. */
export function toFailure(
  verdict: PhoneVerdict,
  internal: string,
  {
    afterSeconds,
    notAccepted,
  }: { afterSeconds?: number | undefined; notAccepted?: NotAccepted | undefined } = {},
): PhoneFailure {
  const { kind, code } = verdict;
  const common = {
    code,
    internal: internalText(internal),
    ...defined({ notAccepted }),
  };
  if (kind === 'rejected') return { kind, ...common };
  return { kind, ...common, ...defined({ afterSeconds }) };
}

/**
 * Returns what a provider's rejection proves; a verdict about the recipient or the content would be the same at every
 * provider.
 */
export function notAcceptedAs(
  verdict: PhoneVerdict,
  status: number,
  afterSeconds?: number,
): NotAccepted | undefined {
  const ofSender = proofOf(PROOFS.phone, verdict.code);
  if (ofSender) return ofSender;
  const isOfMessage = verdict.kind === 'rejected' && verdict.code !== UNKNOWN_CODE;
  return isOfMessage ? undefined : notAcceptedBy(status, afterSeconds);
}
