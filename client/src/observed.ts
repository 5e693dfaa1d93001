import { VERSION } from './generated/operations.ts';
import type { ClientOptions } from './request.ts';

/** Functions that see each attempt of each call. What they throw ends the attempt. */
export type Hooks = {
  /** Called before each attempt; it may change `headers`, whose names are in lower case. */
  onRequest?: (attempt: Attempt) => void | Promise<void>;
  /** Called after each attempt, with the response, or with the error if there was none. */
  onResponse?: (result: AttemptResult) => void | Promise<void>;
};

export type Attempt = { method: string; url: string; headers: Record<string, string> };

/** The end of an attempt. `response` is a copy, whose body may be read. */
export type AttemptResult = Attempt & {
  durationMs: number;
  response?: Response;
  requestId?: string | undefined;
  error?: unknown;
};

/** Returns a `fetch` that calls the hooks and, outside of browsers, names this package as user agent. */
export function observedFetch({
  fetch: inner,
  user,
  onRequest,
  onResponse,
}: ClientOptions & Hooks): typeof fetch {
  // A browser would ask the service first whether it accepts this header.
  const agent =
    'document' in globalThis || user ? {} : { 'user-agent': `notification-delivery-client/${VERSION}` };
  return async (input, init) => {
    const { method = 'GET' } = init ?? {};
    const attempt = { method, url: String(input), headers: { ...agent, ...Object(init?.headers) } };
    await onRequest?.(attempt);
    const startMs = performance.now();
    const end = (result: Partial<AttemptResult>) =>
      onResponse?.({ ...attempt, durationMs: performance.now() - startMs, ...result });
    try {
      const response = await (inner ?? fetch)(input, { ...init, headers: attempt.headers });
      const requestId = response.headers.get('x-request-id') ?? undefined;
      await end({ response: onResponse ? response.clone() : response, requestId });
      return response;
    } catch (error) {
      await end({ error });
      throw error;
    }
  };
}
