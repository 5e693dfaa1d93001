import * as v from 'valibot';
import { parseRetryAfterSeconds } from '../../../http-client/retry-after.ts';
import { isUnanswered, provenBy, provenByClient } from '../../failure/not-accepted.ts';
import { LenientNumber, LenientText } from '../lenient.ts';
import {
  findOutcome,
  outcomeOfStatus,
  type PhoneFailure,
  type PhoneOutcome,
  retry,
  toFailure,
  UNKNOWN_CODE,
} from '../outcome/phone-outcome.ts';
import { AWS_EXCEPTIONS, AWS_FIELDS, AWS_MISSING_RESOURCES, AWS_REASONS } from './aws-codes.ts';

const Thrown = v.object({
  name: v.string(),
  message: v.fallback(v.optional(v.string(), ''), ''),
  code: LenientText,
  requestWritten: v.fallback(v.optional(v.boolean()), undefined),
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

/**
 * Returns the outcome of an error of the SMS client; undefined if it is a fault of this service, which the
 * caller rethrows.
 */
export function findAwsFailure(error: unknown, nowMs: number): PhoneFailure | undefined {
  const parsed = v.safeParse(Thrown, error);
  if (!parsed.success) return undefined;
  const thrown = parsed.output;
  const status = thrown.$metadata.httpStatusCode;
  // The client repeats calls itself. Even if the last call failed, an earlier call was possibly accepted.
  const isOnlyAttempt = thrown.$metadata.attempts === 1;
  if (status === undefined) {
    const notAccepted = isOnlyAttempt ? provenByClient(thrown) : undefined;
    if (!isUnanswered(thrown) && notAccepted === undefined) return undefined;
    return toFailure(retry(), `${thrown.name} ${thrown.code ?? ''}`.trim(), { notAccepted });
  }
  const afterSeconds = parseRetryAfterSeconds(thrown.$response.headers['retry-after'], nowMs);
  const outcome = toOutcome(thrown, status);
  const isDecided = isOnlyAttempt && status >= 300;
  const notAccepted = isDecided ? provenBy(outcome.cause, status, afterSeconds) : undefined;
  return toFailure(outcome, toInternal(thrown, status), { afterSeconds, notAccepted });
}

function toOutcome(thrown: Thrown, status: number): PhoneOutcome {
  const byField = thrown.Fields.map(({ Name }) => findOutcome(AWS_FIELDS, Name)).find(Boolean);
  return (
    findOutcome(AWS_REASONS, thrown.Reason) ??
    byField ??
    findOutcome(AWS_MISSING_RESOURCES, thrown.ResourceType) ??
    findOutcome(AWS_EXCEPTIONS, thrown.name) ??
    // A 200 response that the client could not read: whether the message was accepted is unknown.
    (status < 300 ? retry(UNKNOWN_CODE) : outcomeOfStatus(status))
  );
}

function toInternal(thrown: Thrown, status: number): string {
  const detail = thrown.Reason ?? thrown.ResourceType ?? thrown.Fields.map(({ Name }) => Name).join(',');
  return [thrown.name, detail, `HTTP ${status}`, thrown.message].filter(Boolean).join(' ');
}
