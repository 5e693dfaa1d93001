import type { ProviderResponse } from '../../../http-client/provider-client.ts';
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
  response: ProviderResponse,
  error: ProviderError | undefined,
  table: OutcomeTable,
  nowMs: number,
): PhoneFailure {
  if (response.kind !== 'response') {
    const notAccepted = provenByConnection(response.written);
    const internal = response.kind === 'timeout' ? 'timeout' : `unreachable ${response.reason}`;
    return toFailure(retry(), internal, { notAccepted });
  }
  const internal = error
    ? `${error.code} ${error.text} (HTTP ${response.status})`
    : `HTTP ${response.status}`;
  if (isSuccess(response.status)) return toFailure(retry(UNKNOWN_CODE), `unreadable answer, ${internal}`);
  const outcome = findOutcome(table, error?.code) ?? outcomeOfStatus(response.status);
  const afterSeconds = parseRetryAfterSeconds(response.headers['retry-after'], nowMs);
  const notAccepted = provenBy(outcome.cause, response.status, afterSeconds);
  return toFailure(outcome, internal, { afterSeconds, notAccepted });
}

/** The JSON of the provider's acceptance; undefined for a rejection, an empty response, or another format. */
export function findAcceptedJson(response: ProviderResponse): unknown {
  return response.kind === 'response' && isSuccess(response.status) ? findJson(response.body) : undefined;
}

/** The JSON of any response; undefined if there is none. */
export function findResponseJson(response: ProviderResponse): unknown {
  return response.kind === 'response' ? findJson(response.body) : undefined;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function trimBaseUrl(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
