import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { defined } from '../runtime/values/defined.ts';

/**
 * The outcome of a call to a provider. `headers` have lower-case names; `body` is text, cut at 1 MB.
 * `unreachable` has the error's code, or its name (`ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`,
 * `HTTPParserError`, ...). Without `written`, no byte of the request has left this process: the provider
 * certainly does not have it.
 */
export type ProviderResponse =
  | { kind: 'response'; status: number; headers: Record<string, string>; body: string }
  | { kind: 'timeout'; written: boolean }
  | { kind: 'unreachable'; reason: string; written: boolean };

/** A call to a provider; `method` is GET unless given, `timeoutMs` the client's. */
export type ProviderRequest = {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  timeoutMs?: number;
};

/** Calls to providers. Never throws, never follows a redirect (a 3xx is a response), never repeats a call. */
export type ProviderClient = { request(input: ProviderRequest): Promise<ProviderResponse> };

const SIZE_BYTES_MAX = 1024 * 1024;

/**
 * The client for provider addresses that the operator configured. It has no guard: never use it for a
 * customer's URL. `timeoutMs` covers the whole call, including the response's body.
 */
export function createProviderClient(options: { timeoutMs: number }): ProviderClient {
  const calls = watchCalls();
  return {
    async request({ url, method = 'GET', headers = {}, body, timeoutMs = options.timeoutMs }) {
      const signal = AbortSignal.timeout(timeoutMs);
      const call: Call = { stage: 'unknown' };
      try {
        const request = {
          method,
          headers,
          signal,
          redirect: 'manual',
          ...defined({ body: body === undefined ? undefined : Buffer.from(body) }),
        } as const;
        const response = await calls.run(call, () => fetch(url, request));
        const text = await readText(response);
        return {
          kind: 'response',
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: text,
        };
      } catch (error) {
        const written = call.stage !== 'waiting';
        if (signal.aborted) return { kind: 'timeout', written };
        return { kind: 'unreachable', reason: findErrorCode(error), written };
      }
    },
  };
}

/** Progress of fetch: `waiting` for a connection that is ready, or its request `written`. */
type Call = { stage: 'unknown' | 'waiting' | 'written' };

type Calls = AsyncLocalStorage<Call>;
let watched: Calls | undefined;

/** The calls of this process, watched from the first client on: the codes of fetch's errors do not show how far it was. */
function watchCalls(): Calls {
  watched ??= subscribeTo(new AsyncLocalStorage<Call>());
  return watched;
}

function subscribeTo(calls: Calls): Calls {
  const callOf = new WeakMap<object, Call>();
  subscribe('undici:request:create', (message) => {
    const call = calls.getStore();
    if (!call) return;
    call.stage = 'waiting';
    callOf.set(requestOf(message), call);
  });
  subscribe('undici:client:sendHeaders', (message) => {
    const call = callOf.get(requestOf(message));
    if (call) call.stage = 'written';
  });
  return calls;
}

/** The request of an event of undici, whose documentation guarantees it. */
function requestOf(message: unknown): object {
  return (message as { request: object }).request;
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let roomBytes = SIZE_BYTES_MAX;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk.subarray(0, roomBytes), { stream: true });
    roomBytes -= chunk.length;
    if (roomBytes <= 0) break;
  }
  return text + decoder.decode();
}

// fetch wraps the socket's error: the code is on the cause.
function findErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? error.name : findErrorCode(error.cause);
}
