import type { ProviderAnswer } from '../../../http-client/provider-client.ts';
import { parseRetryAfterSeconds } from '../../../http-client/retry-after.ts';
import { findJson } from '../../../runtime/values/find-json.ts';
import { provenBy, provenByConnection } from '../../failure/not-accepted.ts';
import {
  findOutcome,
  type OutcomeTable,
  outcomeOfStatus,
  type PhoneFailure,
  retry,
  toFailure,
  UNKNOWN_CODE,
} from './phone-outcome.ts';

export type ProviderError = { code: string; text: string };

/**
 * Returns the outcome of a call that the provider did not accept. `error` is from its body, evaluated by
 * `table`; if the table does not list it, the status decides. An unreadable acceptance is retried.
 */
export function classifyFailure(
  answer: ProviderAnswer,
  error: ProviderError | undefined,
  table: OutcomeTable,
  nowMs: number,
): PhoneFailure {
  if (answer.kind !== 'answer') {
    const notAccepted = provenByConnection(answer.written);
    const internal = answer.kind === 'timeout' ? 'timeout' : `unreachable ${answer.reason}`;
    return toFailure(retry(), internal, { notAccepted });
  }
  const internal = error ? `${error.code} ${error.text} (HTTP ${answer.status})` : `HTTP ${answer.status}`;
  if (isSuccess(answer.status)) return toFailure(retry(UNKNOWN_CODE), `unreadable answer, ${internal}`);
  const outcome = findOutcome(table, error?.code) ?? outcomeOfStatus(answer.status);
  const afterSeconds = parseRetryAfterSeconds(answer.headers['retry-after'], nowMs);
  const notAccepted = provenBy(outcome.cause, answer.status, afterSeconds);
  return toFailure(outcome, internal, { afterSeconds, notAccepted });
}

/** The JSON of the provider's acceptance; undefined for a rejection, an empty response, or another format. */
export function findAcceptedJson(answer: ProviderAnswer): unknown {
  return answer.kind === 'answer' && isSuccess(answer.status) ? findJson(answer.body) : undefined;
}

/** The JSON of any response; undefined if there is none. */
export function findAnswerJson(answer: ProviderAnswer): unknown {
  return answer.kind === 'answer' ? findJson(answer.body) : undefined;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function trimBaseUrl(url: string): string {
  return url.replace(/\/+$/, '');
}
