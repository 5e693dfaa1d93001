import * as v from 'valibot';
import { isPassingStatus } from '../../http-client/passing-status.ts';
import type { ProviderClient, ProviderResponse } from '../../http-client/provider-client.ts';
import { parseRetryAfterSeconds } from '../../http-client/retry-after.ts';
import type { Clock } from '../../runtime/clock.ts';
import { defined } from '../../runtime/values/defined.ts';
import { internalText } from '../failure/internal-text.ts';
import { isPassingChatError } from './chat-errors.ts';

/** The chat provider rejected it permanently; `error` is its name for that. */
export type ChatRejection = { kind: 'rejected'; error: string; internal: string };

/** The chat provider could not process the call for now. */
export type ChatRetry = { kind: 'retry'; internal: string; afterSeconds?: number };

export type ChatResult<T> = { kind: 'ok'; value: T } | ChatRejection | ChatRetry;

/** The Web API at an address such as `https://slack.com/api`. */
export type ChatApi = { baseUrl: string; http: ProviderClient; now: Clock['now'] };

/** Arguments as JSON, which needs a token, or as a form, which every method accepts. */
type ChatArguments = { json: object } | { form: Record<string, string> };

/** A call of one method; `schema` is what to read from a successful response. */
type ChatCall<S> = {
  method: string;
  accessToken: string | undefined;
  args: ChatArguments;
  schema: S;
};

const WAIT_SECONDS_MAX = 3600;

const ChatResponse = v.looseObject({
  ok: v.optional(v.boolean()),
  error: v.optional(v.string()),
  needed: v.optional(v.string()),
  response_metadata: v.optional(v.looseObject({ messages: v.optional(v.array(v.unknown())) })),
});

/**
 * Calls one method and reads what `schema` names from a successful response. A response of another shape is
 * postponed. Never throws.
 */
export async function callChat<S extends v.GenericSchema>(
  api: ChatApi,
  { method, accessToken, args, schema }: ChatCall<S>,
): Promise<ChatResult<v.InferOutput<S>>> {
  const isJson = 'json' in args;
  const response = await api.http.request({
    url: `${api.baseUrl.replace(/(?<!\/)\/+$/, '')}/${method}`,
    method: 'POST',
    headers: {
      ...defined({ authorization: accessToken === undefined ? undefined : `Bearer ${accessToken}` }),
      'content-type': isJson ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded',
    },
    body: isJson ? JSON.stringify(args.json) : new URLSearchParams(args.form).toString(),
  });
  return readResponse(method, response, schema, api.now());
}

function readResponse<S extends v.GenericSchema>(
  method: string,
  response: ProviderResponse,
  schema: S,
  nowMs: number,
): ChatResult<v.InferOutput<S>> {
  if (response.kind !== 'response') {
    return retryCall(`${method}: ${response.kind === 'timeout' ? 'timeout' : response.reason}`);
  }
  const parsed = v.safeParse(ChatResponse, parseWithoutNulls(response.body));
  const body = parsed.success ? parsed.output : undefined;
  if (body?.ok) {
    const value = v.safeParse(schema, body);
    if (value.success) return { kind: 'ok', value: value.output };
  }
  const { error = '', needed, response_metadata } = body ?? {};
  const hints = [needed === undefined ? [] : `needs ${needed}`, response_metadata?.messages ?? []].flat();
  const internal = [`${method}: ${response.status}`, error, ...hints].join(' ').trim();
  return classifyFailure(response, { error, internal }, nowMs);
}

/** Returns the outcome of a failed call, by the error's name. Falls back to the HTTP status. */
export function classifyFailure(
  { status, headers }: { status: number; headers: Record<string, string> },
  { error, internal }: { error: string; internal: string },
  nowMs: number,
): ChatRejection | ChatRetry {
  const mayPass = isPassingStatus(status) || isPassingChatError(error);
  const isUnreadable = error === '' && status < 400;
  if (mayPass || isUnreadable)
    return retryCall(internal, parseRetryAfterSeconds(headers['retry-after'], nowMs));
  return {
    kind: 'rejected',
    error: error || `http_${status}`,
    internal: internalText(internal),
  };
}

/** A temporary failure; `afterSeconds` is from the chat provider and limited to an hour. */
export function retryCall(internal: string, afterSeconds?: number): ChatRetry {
  const after = defined({ afterSeconds: afterSeconds && Math.min(afterSeconds, WAIT_SECONDS_MAX) });
  return { kind: 'retry', internal: internalText(internal), ...after };
}

// Absent values are null (`team` of an organization-wide install), which the token's schema does not allow.
function parseWithoutNulls(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value) => (value === null ? undefined : value));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
