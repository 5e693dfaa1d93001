import { parseJson } from '../request.ts';

/** Options and callbacks of a live connection. */
export type LiveOptions = {
  /** Address of the WebSocket API, such as the stack's output `WebSocketUrl`. */
  socketUrl: string;
  envId: string;
  user: { id: string; hash?: string | undefined };
  WebSocket?: typeof WebSocket | undefined;
  onOpen: () => void;
  onClose: () => void;
  onMessage: (message: unknown) => void;
};

/** Idle connections end after ten minutes, and each ping is billed. */
const PING_MS = 540_000;
/** A timer this late slept with its machine; the connection may be dead without a close event. */
const LATE_MS = 60_000;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;
/** A connection that lasted this long was no failure: the next pause is the shortest. */
const STABLE_MS = 30_000;

type Events = {
  addEventListener?(name: string, listener: () => void): void;
  removeEventListener?(name: string, listener: () => void): void;
};

/** Features that browsers have and servers lack. */
const PAGE = globalThis as unknown as Events & { document?: Required<Events> & { visibilityState: string } };

/** Keeps a WebSocket open until the returned function is called. Reconnects with backoff, and not while the page is hidden. */
export function keepConnected(options: LiveOptions): () => void {
  const Socket = options.WebSocket ?? WebSocket;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ping: ReturnType<typeof setInterval> | undefined;
  let failures = 0;

  function connect(): void {
    clearTimeout(timer);
    timer = undefined;
    const own = new Socket(addressOf(options));
    socket = own;
    let openedAtMs: number | undefined;
    own.onopen = () => {
      openedAtMs = Date.now();
      ping = setInterval(pingOrReplace(own), PING_MS);
      options.onOpen();
    };
    own.onmessage = ({ data }) => options.onMessage(parseJson(String(data)));
    own.onclose = () => {
      if (socket !== own) return;
      clearInterval(ping);
      socket = undefined;
      failures = openedAtMs !== undefined && Date.now() - openedAtMs >= STABLE_MS ? 0 : failures + 1;
      const pauseMs = Math.min(PAUSE_MS * 2 ** Math.max(0, failures - 1), PAUSE_MS_MAX);
      timer = setTimeout(connectWhenVisible, pauseMs * (0.5 + Math.random() / 2));
      options.onClose();
    };
  }

  /** A user's eleventh connection closes the oldest: pages in the background must not reopen it. */
  function connectWhenVisible(): void {
    timer = undefined;
    if (PAGE.document?.visibilityState !== 'hidden') connect();
  }

  function resume(): void {
    if (!socket && !timer) connectWhenVisible();
  }

  function hurry(): void {
    if (!socket) connect();
  }

  PAGE.document?.addEventListener('visibilitychange', resume);
  PAGE.addEventListener?.('online', hurry);
  connect();
  return () => {
    PAGE.document?.removeEventListener('visibilitychange', resume);
    PAGE.removeEventListener?.('online', hurry);
    clearTimeout(timer);
    clearInterval(ping);
    const own = socket;
    socket = undefined;
    own?.close();
  };
}

function pingOrReplace(socket: WebSocket): () => void {
  let dueAtMs = Date.now() + PING_MS;
  return () => {
    const isLate = Date.now() - dueAtMs > LATE_MS;
    dueAtMs = Date.now() + PING_MS;
    if (isLate) socket.close();
    else if (socket.readyState === 1) socket.send('ping');
  };
}

function addressOf({ socketUrl, envId, user }: LiveOptions): string {
  const query = new URLSearchParams({
    userId: user.id,
    envId,
    ...(user.hash ? { userIdHash: user.hash } : {}),
  });
  return `${socketUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/?${query}`;
}
