import { ConnectionError, type ErrorBody, ServiceError } from './errors.ts';

export type ClientOptions = Limits & {
  /** Address of the API, such as the stack's output `BaseUrl` or `http://localhost:3000`. */
  baseUrl: string;
  /**
   * API key or access token; a function is called for each request, for tokens that are renewed. `undefined` compiles
   * for variables such as `process.env.NDS_KEY`, and throws.
   */
  key: string | undefined | (() => string | Promise<string>);
  /** With a public key: the calling user, and in secure mode the hash that your server computed for them. */
  user?: { id: string; hash?: string };
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
};

type Limits = {
  /** Milliseconds for each attempt; 30,000 by default. */
  timeoutMs?: number;
  /** Milliseconds for all attempts and the pauses between them; no limit by default. */
  deadlineMs?: number;
  /** Retries after the first attempt, on 429, 5xx and network errors; 3 by default. */
  retriesMax?: number;
};

export type CallOptions = Limits & {
  signal?: AbortSignal;
  /** The same key with the same body has its effect once within 24 hours. A random one is used by default. */
  idempotencyKey?: string;
  /** The `etag` of the state that a change is based on: CHANGED_MEANWHILE if it has changed since. */
  ifMatch?: string | undefined;
  headers?: Record<string, string>;
};

/** The result of a call, with its response. */
export type Answered<T> = { data: T; response: Response };

/** One request in parts. `path` is filled in and encoded already. */
export type Call = {
  method: string;
  path: string;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  /** Repeating it has no further effect: a retry after an unclear outcome is safe. */
  isRepeatable: boolean;
  acceptsIdempotencyKey: boolean;
};

const TIMEOUT_MS = 30_000;
const RETRIES_MAX = 3;
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 8_000;
const RETRY_AFTER_MS_MAX = 60_000;

let clockOffsetMs = 0;

/** Returns the time by the clock of the service that responded last, to the second. */
export const serviceNowMs = () => Date.now() + clockOffsetMs;

/** Makes one call: with retries, time limits, and errors as ServiceError or ConnectionError. */
export async function answered(
  client: ClientOptions,
  call: Call,
  options: CallOptions = {},
): Promise<Answered<unknown>> {
  const retriesMax = options.retriesMax ?? client.retriesMax ?? RETRIES_MAX;
  const deadlineMs = options.deadlineMs ?? client.deadlineMs ?? Infinity;
  const key = call.acceptsIdempotencyKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  const endMs = performance.now() + deadlineMs;
  let isUnclear = false;
  for (let number = 1; ; number += 1) {
    const leftMs = endMs - performance.now();
    const outcome = await attemptOnce(client, call, { ...options, key, leftMs });
    if (outcome.kind === 'value') return outcome;
    const pauseMs = outcome.retryAfterMs ?? backoffMs(number);
    const mayRepeat = call.isRepeatable || outcome.isUnprocessed;
    const isLast = number > retriesMax || performance.now() + pauseMs >= endMs;
    if (isLast || !outcome.isTemporary || !mayRepeat) throw Object.assign(outcome.error, { isUnclear });
    isUnclear ||= !outcome.isUnprocessed;
    await pause(pauseMs, options.signal);
  }
}

export async function request(client: ClientOptions, call: Call, options?: CallOptions): Promise<unknown> {
  return (await answered(client, call, options)).data;
}

type Failure = {
  kind: 'failure';
  error: Error;
  isTemporary: boolean;
  /** The service certainly did not process the request. */
  isUnprocessed: boolean;
  retryAfterMs?: number | undefined;
};
type Outcome = (Answered<unknown> & { kind: 'value' }) | Failure;

type AttemptOptions = CallOptions & { key: string | undefined; leftMs: number };

async function attemptOnce(client: ClientOptions, call: Call, options: AttemptOptions): Promise<Outcome> {
  options.signal?.throwIfAborted();
  const ownMs = options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS;
  const timeoutMs = Math.max(Math.ceil(Math.min(ownMs, options.leftMs)), 1);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  // What no request can have is no failure of the network.
  const headers = Object.fromEntries(new Headers(await buildHeaders(client, call, options)));
  const body = JSON.stringify(call.body);
  try {
    const response = await (client.fetch ?? fetch)(addressOf(client, call), {
      method: call.method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    clockOffsetMs = Date.parse(response.headers.get('date') ?? '') - Date.now() || 0;
    return outcomeOf(response, await response.clone().text());
  } catch (error) {
    options.signal?.throwIfAborted();
    const message = timeout.aborted
      ? `No response within ${timeoutMs} ms`
      : `No response from ${client.baseUrl}`;
    const failure = new ConnectionError(message, timeout.aborted, error);
    return { kind: 'failure', error: failure, isTemporary: true, isUnprocessed: false };
  }
}

async function buildHeaders(
  client: ClientOptions,
  call: Call,
  options: AttemptOptions,
): Promise<Record<string, string>> {
  const key = typeof client.key === 'function' ? await client.key() : client.key;
  return {
    authorization: `Bearer ${key}`,
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(client.user && isHeader(client.user.id) ? { 'x-user-id': client.user.id } : {}),
    ...(client.user?.hash ? { 'x-user-hash': client.user.hash } : {}),
    ...(options.ifMatch ? { 'if-match': options.ifMatch } : {}),
    ...(options.key ? { 'idempotency-key': options.key.replace(/[^ -~]+/g, encodeURIComponent) } : {}),
    ...options.headers,
  };
}

/** Headers have no other characters, and lose spaces at their ends: the query names another user. */
const isHeader = (text: string) => /^[!-~]([ -~]*[!-~])?$/.test(text);

function addressOf({ baseUrl, user }: ClientOptions, { path, query = {} }: Call): string {
  const userId = path.startsWith('/user/') && user && !isHeader(user.id) ? user.id : undefined;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ userId, ...query }))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return `${baseUrl.replace(/\/{1,9}$/, '')}${path}${String(search) && `?${search}`}`;
}

function outcomeOf(response: Response, text: string): Outcome {
  const value = text ? parseJson(text) : undefined;
  // A page instead of JSON is the response of another server: a proxy, or a wrong `baseUrl`.
  if (response.ok && typeof value !== 'string') return { kind: 'value', data: value, response };
  const body = errorBodyOf(value) ?? {
    error: {
      code: `HTTP_${response.status}`,
      message: `The service responded with status ${response.status}`,
      ...(response.ok && { fix: 'Check baseUrl.' }),
    },
  };
  return {
    kind: 'failure',
    error: new ServiceError(response, body),
    isTemporary: response.status === 429 || response.status >= 500,
    isUnprocessed: response.status === 429,
    retryAfterMs: retryAfterMsOf(response),
  };
}

function errorBodyOf(value: unknown): ErrorBody | undefined {
  const body = value as Partial<ErrorBody> | undefined | null;
  return typeof body?.error?.code === 'string' && typeof body.error.message === 'string'
    ? (body as ErrorBody)
    : undefined;
}

/** The value of a JSON text; the text itself if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Seconds or a date, as HTTP has it. */
function retryAfterMsOf(response: Response): number | undefined {
  const text = response.headers.get('retry-after');
  if (!text) return undefined;
  const seconds = +text;
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}

function backoffMs(number: number): number {
  return Math.min(PAUSE_MS * 2 ** (number - 1), PAUSE_MS_MAX) * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resume, fail) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resume();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
