import { defined } from '../runtime/defined.ts';
/**
 * The outcome of a call to a provider. `headers` have lower-case names; `body` is text, cut at 1 MB.
 * `unreachable` has the error's code, or its name (`ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`,
 * `HTTPParserError`, ...).
 */
export type ProviderAnswer =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: string }
  | { kind: 'timeout' }
  | { kind: 'unreachable'; reason: string };

/** A call to a provider; `method` is GET unless given, `timeoutMs` the client's. */
export type ProviderRequest = {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  timeoutMs?: number;
};

/**
 * Calls to providers. Never throws, never follows a redirect (a 3xx is a response), never repeats a call.
 */
export type ProviderClient = { request(input: ProviderRequest): Promise<ProviderAnswer> };

const SIZE_BYTES_MAX = 1024 * 1024;

/**
 * The client for provider addresses that the operator configured. It has no guard: never use it for a
 * customer's URL. `timeoutMs` covers the whole call, including the response's body.
 */
export function createProviderClient(options: { timeoutMs: number }): ProviderClient {
  return {
    async request({ url, method = 'GET', headers = {}, body, timeoutMs = options.timeoutMs }) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(url, {
          method,
          headers,
          signal,
          redirect: 'manual',
          ...defined({ body: body === undefined ? undefined : Buffer.from(body) }),
        });
        const text = await readText(response);
        return {
          kind: 'answer',
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: text,
        };
      } catch (error) {
        return signal.aborted ? { kind: 'timeout' } : { kind: 'unreachable', reason: findErrorCode(error) };
      }
    },
  };
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
