import * as v from 'valibot';
import { parseRetryAfterSeconds } from '../../http-client/retry-after.ts';
import { notConnected, PROOFS, proofOf, withoutCredentials } from '../not-accepted.ts';
import { AWS_EXCEPTIONS, AWS_FIELDS, AWS_MISSING_RESOURCES, AWS_REASONS } from './aws-codes.ts';
import { LenientNumber, LenientText } from './lenient.ts';
import {
  findVerdict,
  notAcceptedAs,
  type PhoneFailure,
  type PhoneVerdict,
  retry,
  toFailure,
  UNKNOWN_CODE,
  verdictOfStatus,
} from './verdict.ts';

const Thrown = v.object({
  name: v.string(),
  message: v.fallback(v.optional(v.string(), ''), ''),
  code: LenientText,
  Reason: LenientText,
  ResourceType: LenientText,
  Fields: v.fallback(v.array(v.object({ Name: v.string() })), []),
  $metadata: v.fallback(v.object({ httpStatusCode: LenientNumber, attempts: LenientNumber }), {
    httpStatusCode: undefined,
    attempts: undefined,
  }),
  $response: v.fallback(v.object({ headers: v.record(v.string(), v.string()) }), { headers: {} }),
});
type Thrown = v.InferOutput<typeof Thrown>;

// Errors of the client without a response: time limits, lost connections, credentials that could not be
// fetched.
const UNANSWERED = new Set(['TimeoutError', 'AbortError', 'RequestTimeout', 'CredentialsProviderError']);
const NETWORK_CODE = /^(E[A-Z]{3,}|EAI_[A-Z]+|ERR_TLS_[A-Z_]+|CERT_[A-Z_]+|UND_ERR_[A-Z_]+)$/;

/**
 * Returns the outcome of an error of the SMS client; undefined if it is a fault of this service, which the
 * caller rethrows.
 */
export function findAwsFailure(error: unknown, nowMs: number): PhoneFailure | undefined {
  const parsed = v.safeParse(Thrown, error);
  if (!parsed.success) return undefined;
  const thrown = parsed.output;
  const status = thrown.$metadata.httpStatusCode;
  // The client repeats calls itself: an earlier one may have been accepted, whatever the last one returned.
  const isOnlyAttempt = thrown.$metadata.attempts === 1;
  if (status === undefined) {
    const isUnanswered = UNANSWERED.has(thrown.name) || NETWORK_CODE.test(thrown.code ?? '');
    const { name, code = '', message } = thrown;
    const notAccepted = isOnlyAttempt
      ? (notConnected(code, message) ?? withoutCredentials(code, name))
      : undefined;
    return isUnanswered
      ? toFailure(retry(), `${thrown.name} ${thrown.code ?? ''}`.trim(), { notAccepted })
      : undefined;
  }
  const afterSeconds = parseRetryAfterSeconds(thrown.$response.headers['retry-after'], nowMs);
  const verdict = toVerdict(thrown, status);
  const byName = verdict.code === UNKNOWN_CODE ? proofOf(PROOFS.aws, thrown.name) : undefined;
  const isDecided = isOnlyAttempt && status >= 300;
  const notAccepted = isDecided ? (byName ?? notAcceptedAs(verdict, status, afterSeconds)) : undefined;
  return toFailure(verdict, toInternal(thrown, status), { afterSeconds, notAccepted });
}

function toVerdict(thrown: Thrown, status: number): PhoneVerdict {
  const byField = thrown.Fields.map(({ Name }) => findVerdict(AWS_FIELDS, Name)).find(Boolean);
  return (
    findVerdict(AWS_REASONS, thrown.Reason) ??
    byField ??
    findVerdict(AWS_MISSING_RESOURCES, thrown.ResourceType) ??
    findVerdict(AWS_EXCEPTIONS, thrown.name) ??
    // A 200 response that the client could not read: whether the message was accepted is unknown.
    (status < 300 ? retry(UNKNOWN_CODE) : verdictOfStatus(status))
  );
}

function toInternal(thrown: Thrown, status: number): string {
  const detail = thrown.Reason ?? thrown.ResourceType ?? thrown.Fields.map(({ Name }) => Name).join(',');
  return [thrown.name, detail, `HTTP ${status}`, thrown.message].filter(Boolean).join(' ');
}
