import * as v from 'valibot';
import { isPassingStatus } from '../../../http-client/passing-status.ts';
import type { ProviderResponse } from '../../../http-client/provider-client.ts';
import { parseRetryAfterSeconds } from '../../../http-client/retry-after.ts';
import { buryToken, readJson, rejectToken, retryToken, type TokenResult } from '../token-results.ts';

const FcmResponse = v.object({
  error: v.object({
    status: v.optional(v.string(), ''),
    message: v.optional(v.string(), ''),
    details: v.optional(
      v.array(
        v.object({
          errorCode: v.optional(v.string()),
          fieldViolations: v.optional(v.array(v.object({ field: v.optional(v.string()) }))),
        }),
      ),
      [],
    ),
  }),
});
type FcmError = v.InferOutput<typeof FcmResponse>['error'];

type Verdict = 'invalid' | 'dead_token' | 'wrong_token' | 'refused' | 'unauthenticated' | 'quota' | 'outage';

const BY_ERROR_CODE = new Map<string, Verdict>([
  ['INVALID_ARGUMENT', 'invalid'],
  ['UNREGISTERED', 'dead_token'],
  ['SENDER_ID_MISMATCH', 'wrong_token'],
  ['THIRD_PARTY_AUTH_ERROR', 'refused'],
  ['QUOTA_EXCEEDED', 'quota'],
  ['UNAVAILABLE', 'outage'],
  ['INTERNAL', 'outage'],
]);
const BY_STATUS = new Map<string, Verdict>([
  ['UNAUTHENTICATED', 'unauthenticated'],
  ['PERMISSION_DENIED', 'refused'],
  ['INVALID_ARGUMENT', 'invalid'],
  ['RESOURCE_EXHAUSTED', 'quota'],
  ['UNAVAILABLE', 'outage'],
  ['INTERNAL', 'outage'],
  ['DEADLINE_EXCEEDED', 'outage'],
]);
const TOKEN_FIELD = 'message.token';
const BAD_TOKEN_MESSAGE = /\bregistration token\b.{0,200}\bnot (?:a )?valid\b|\binvalid registration\b/i;
const QUOTA_WAIT_SECONDS_MIN = 60;
const OUTAGE_WAIT_SECONDS = 10;
const DOUBLINGS_MAX = 8;

/**
 * FCM's response to a message, by its error code, then its status, then the HTTP number. `unauthenticated` is for the sender: a
 * new access token can help. `attempt` is the delivery's and doubles the wait in an outage.
 */
export function classifyFcmResponse(
  response: ProviderResponse,
  attempt: number,
  nowMs: number,
): TokenResult<'PUSH'> | { kind: 'unauthenticated'; internal: string } {
  const outageSeconds = OUTAGE_WAIT_SECONDS * 2 ** Math.min(attempt - 1, DOUBLINGS_MAX);
  if (response.kind === 'timeout') return retryToken('FCM: timeout', outageSeconds);
  if (response.kind === 'unreachable') return retryToken(`FCM: ${response.reason}`, outageSeconds);
  if (response.status >= 200 && response.status < 300) return { kind: 'sent' };
  const error = readJson(FcmResponse, response.body)?.error;
  const internal = describe(response.status, error);
  const retryAfterSeconds = parseRetryAfterSeconds(response.headers['retry-after'], nowMs);
  switch (findVerdict(response.status, error)) {
    case 'dead_token':
      return buryToken('INVALID_FCM_TOKEN', internal);
    case 'wrong_token':
      return rejectToken('INVALID_FCM_TOKEN', internal);
    case 'unauthenticated':
      return { kind: 'unauthenticated', internal };
    case 'quota':
      return retryToken(internal, Math.max(retryAfterSeconds ?? 0, QUOTA_WAIT_SECONDS_MIN));
    case 'outage':
      return retryToken(internal, retryAfterSeconds ?? outageSeconds);
    case 'refused':
      return rejectToken('UNKNOWN', internal);
  }
}

function describe(status: number, error: FcmError | undefined): string {
  if (!error) return `FCM: ${status}`;
  return `FCM: ${status} ${findErrorCode(error) ?? error.status}: ${error.message}`;
}

function findErrorCode(error: FcmError): string | undefined {
  return error.details.find(({ errorCode }) => errorCode !== undefined)?.errorCode;
}

function findVerdict(status: number, error: FcmError | undefined): Exclude<Verdict, 'invalid'> {
  const errorCode = error && findErrorCode(error);
  const named = BY_ERROR_CODE.get(errorCode ?? '') ?? BY_STATUS.get(error?.status ?? '');
  if (named === 'invalid') return error && isAboutToken(error) ? 'dead_token' : 'refused';
  if (named) return named;
  if (status === 401) return 'unauthenticated';
  if (status === 429) return 'quota';
  return isPassingStatus(status) ? 'outage' : 'refused';
}

// A bad token and a bad payload share code and status, and neither always names its field: without proof that the
// token is bad, it stays, because a payload that FCM rejects would remove the devices of everyone it is sent to.
function isAboutToken({ details, message }: FcmError): boolean {
  const fields = details.flatMap(({ fieldViolations }) => fieldViolations ?? []);
  if (fields.length > 0) return fields.some(({ field }) => field === TOKEN_FIELD);
  return BAD_TOKEN_MESSAGE.test(message);
}
