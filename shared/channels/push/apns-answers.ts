import * as v from 'valibot';
import { isPassingStatus } from '../../http-client/passing-status.ts';
import { parseRetryAfterSeconds } from '../../http-client/retry-after.ts';
import type { ApnsAnswer } from './apns-connection.ts';
import { buryToken, readJson, rejectToken, retryToken, type TokenResult } from './token-results.ts';

const Refusal = v.object({ reason: v.optional(v.string(), ''), timestamp: v.optional(v.number()) });

const DEAD_TOKEN_REASONS = ['BadDeviceToken', 'MissingDeviceToken'];
/** Temporary although its status is 400. */
const IDLE_CONNECTION = 'IdleTimeout';

/** The reason in a response of APNs other than 200; empty if there is none. */
export function findApnsReason(answer: ApnsAnswer): string {
  return answer.kind === 'answer' ? (readJson(Refusal, answer.body)?.reason ?? '') : '';
}

/**
 * APNs' response to one notification. `savedAtMs`: when the user's token was last registered; a 410 that is
 * older is about an earlier install, so the token stays. Times are epoch milliseconds.
 */
export function classifyApnsAnswer(
  answer: ApnsAnswer,
  savedAtMs: number | undefined,
  nowMs: number,
): TokenResult<'PUSH'> {
  if (answer.kind === 'timeout') return retryToken('APNs: timeout');
  if (answer.kind === 'unreachable') return retryToken(`APNs: ${answer.reason}`);
  if (answer.status === 200) return { kind: 'sent' };
  const { reason, timestamp } = readJson(Refusal, answer.body) ?? { reason: '' };
  const internal = `APNs: ${answer.status} ${reason}`;
  if (answer.status === 410) {
    const dead = timestamp !== undefined && timestamp > (savedAtMs ?? Number.NEGATIVE_INFINITY);
    return dead ? buryToken('INVALID_APN_TOKEN', internal) : rejectToken('INVALID_APN_TOKEN', internal);
  }
  if (isPassingStatus(answer.status) || reason === IDLE_CONNECTION) {
    return retryToken(internal, parseRetryAfterSeconds(answer.headers['retry-after'], nowMs));
  }
  if (answer.status === 400 && DEAD_TOKEN_REASONS.includes(reason)) {
    return buryToken('INVALID_APN_TOKEN', internal);
  }
  return rejectToken(reason === 'DeviceTokenNotForTopic' ? 'INVALID_APN_TOKEN' : 'UNKNOWN', internal);
}
