import {
  type ClientHttp2Session,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import type { Clock } from '../../../runtime/clock.ts';
import { defined } from '../../../runtime/values/defined.ts';

/** The outcome of a request; `unreachable` has the error's code or the reason of a GOAWAY. */
export type ApnsResponse =
  | { kind: 'response'; status: number; headers: IncomingHttpHeaders; body: string }
  | { kind: 'timeout' }
  | { kind: 'unreachable'; reason: string };

/** An HTTP/2 connection to one APNs host that reconnects after it is lost. */
export type ApnsConnection = ReturnType<typeof createApnsConnection>;

type Live = { session: ClientHttp2Session; usedAtMs: number; check?: Promise<boolean>; farewell?: string };
type Attempt = ApnsResponse | { kind: 'untouched'; reason: string };

const REQUEST_TIMEOUT_MS = 5_000;
const PING_TIMEOUT_MS = 1_000;
const PING_AFTER_IDLE_MS = 30_000;
const BODY_LENGTH_MAX = 16_384;

/**
 * A connection to `url`, opened at the first request: TLS with `https:`, HTTP/2 with prior knowledge with
 * `http:`. A connection that was idle for 30 s is pinged before use: a frozen function does not notice that
 * it was closed. `ca` is an additional certificate to trust.
 */
export function createApnsConnection(options: {
  url: string;
  now: Clock['now'];
  timeoutMs?: number;
  pingTimeoutMs?: number;
  ca?: string;
}) {
  const { url, now, timeoutMs = REQUEST_TIMEOUT_MS, pingTimeoutMs = PING_TIMEOUT_MS, ca } = options;
  let current: Live | undefined;

  function leave(live: Live): void {
    if (current === live) current = undefined;
  }

  async function findLive(): Promise<Live> {
    const live = current;
    if (!live || live.session.closed || live.session.destroyed) {
      current = { session: connect(url, defined({ ca })), usedAtMs: now() };
      watch(current, leave);
      return current;
    }
    if (now() - live.usedAtMs <= PING_AFTER_IDLE_MS) return live;
    live.check ??= answersPing(live.session, pingTimeoutMs);
    const alive = await live.check;
    delete live.check;
    if (alive) live.usedAtMs = now();
    else {
      leave(live);
      live.session.destroy();
    }
    return findLive();
  }

  return {
    /** Never throws. Repeats only requests that the host reports as unprocessed. */
    async post(path: string, headers: Record<string, string>, body: string): Promise<ApnsResponse> {
      const sent = { path, headers, body };
      const first = await attempt(await findLive(), sent, { now, timeoutMs });
      if (first.kind !== 'untouched') return first;
      const second = await attempt(await findLive(), sent, { now, timeoutMs });
      return second.kind === 'untouched' ? { kind: 'unreachable', reason: second.reason } : second;
    },
    close(): void {
      current?.session.close();
      current = undefined;
    },
  };
}

/** Calls `onLost` once no more requests can be sent over the connection. */
function watch(live: Live, onLost: (live: Live) => void): void {
  const { session } = live;
  session.unref();
  // Every stream of the session gets the error too, and reports it.
  session.on('error', () => onLost(live));
  session.on('close', () => onLost(live));
  session.on('goaway', (_code, _lastStreamId, data) => {
    live.farewell ??= readFarewell(data);
    onLost(live);
    session.close();
  });
}

type Sent = { path: string; headers: Record<string, string>; body: string };

/** Sends a request once and resolves with its outcome. */
function attempt(
  live: Live,
  { path, headers, body }: Sent,
  { now, timeoutMs }: { now: Clock['now']; timeoutMs: number },
): Promise<Attempt> {
  const { promise, resolve } = Promise.withResolvers<Attempt>();
  const { session } = live;
  if (session.closed || session.destroyed) return Promise.resolve({ kind: 'untouched', reason: 'closed' });
  const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
  const timer = setTimeout(() => {
    resolve({ kind: 'timeout' });
    stream.close(constants.NGHTTP2_CANCEL);
    live.usedAtMs = Number.NEGATIVE_INFINITY;
  }, timeoutMs);
  let answered: (IncomingHttpHeaders & IncomingHttpStatusHeader) | undefined;
  let text = '';
  let errorCode = '';
  stream.setEncoding('utf8');
  stream.on('response', (responseHeaders) => {
    answered = responseHeaders;
  });
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(0, BODY_LENGTH_MAX);
  });
  stream.on('error', (error) => {
    errorCode = findCode(error);
  });
  stream.on('end', () => {
    if (!answered) return;
    live.usedAtMs = now();
    resolve({ kind: 'response', status: answered[':status'] ?? 0, headers: answered, body: text });
  });
  stream.on('close', () => {
    clearTimeout(timer);
    const reason = live.farewell ?? (errorCode || `stream ${stream.rstCode ?? 'closed'}`);
    const untouched =
      stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || errorCode === 'ERR_HTTP2_GOAWAY_SESSION';
    resolve({ kind: untouched ? 'untouched' : 'unreachable', reason });
  });
  stream.end(body);
  return promise;
}

function answersPing(session: ClientHttp2Session, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const response = (alive: boolean) => {
      clearTimeout(timer);
      resolve(alive);
    };
    if (!session.ping((error) => response(error === null))) response(false);
  });
}

// A stream that was waiting for the connection reports only that it was cancelled; the cause has the reason.
function findCode(error: Error): string {
  if (error.cause instanceof Error) return findCode(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

// APNs gives its reason for closing: {"reason":"Shutdown"}.
function readFarewell(data: Uint8Array | undefined): string {
  const text = Buffer.from(data ?? [])
    .toString('utf8')
    .slice(0, 200);
  return `GOAWAY ${text}`.trim();
}
