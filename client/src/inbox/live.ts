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
  /** Called with each ping, which nobody answers. */
  onPing: () => void;
  /** Called when the machine has slept: the connection may be dead without a close event. */
  onWake: () => void;
};

const TICK_MS = 30_000;
/** Idle connections end after ten minutes, and each ping is billed. Timers of a hidden page run once per minute. */
const PING_MS = 520_000;
/** A timer this late slept with its machine. */
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
export const PAGE = globalThis as unknown as Events & {
  document?: Required<Events> & { visibilityState: string };
};

export const isHidden = () => PAGE.document?.visibilityState === 'hidden';

/** Keeps a WebSocket open until `stop` is called. Reconnects with backoff, and not while the page is hidden. */
export function keepConnected(options: LiveOptions) {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let openedAtMs: number | undefined;
  let pingedAtMs = 0;
  let tickedAtMs = Date.now();

  function connect(): void {
    clearTimeout(timer);
    timer = undefined;
    const own = findSocket(options);
    if (!own) return;
    socket = own;
    openedAtMs = undefined;
    own.onopen = () => {
      openedAtMs = pingedAtMs = Date.now();
      options.onOpen();
    };
    own.onmessage = ({ data }) => options.onMessage(parseJson(String(data)));
    own.onclose = () => {
      if (socket !== own) return;
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
    if (!isHidden()) connect();
  }

  function drop(): void {
    const own = socket;
    socket = undefined;
    // The close event of a dead connection comes late.
    if (own) own.onopen = own.onmessage = own.onclose = null;
    own?.close();
  }

  const ticks = setInterval(() => {
    const nowMs = Date.now();
    const isLate = nowMs - tickedAtMs > TICK_MS + LATE_MS;
    tickedAtMs = nowMs;
    if (isLate) options.onWake();
    else if (socket?.readyState === 1 && nowMs - pingedAtMs >= PING_MS) {
      pingedAtMs = nowMs;
      socket.send('ping');
      options.onPing();
    }
  }, TICK_MS);

  connect();
  return {
    /** Connects again; a connection that may be dead is not waited for. */
    replace(): void {
      drop();
      options.onClose();
      clearTimeout(timer);
      connectWhenVisible();
    },
    /** Connects if nothing does; returns whether it began to. */
    resume(): boolean {
      const isDue = !socket && !timer;
      if (isDue) connectWhenVisible();
      return isDue && socket !== undefined;
    },
    isPossible: () => socket !== undefined,
    stop(): void {
      clearTimeout(timer);
      clearInterval(ticks);
      drop();
    },
  };
}

/** Undefined where no socket can be made: `ws:` from an https page, an address without a scheme, no WebSocket at all. */
function findSocket(options: LiveOptions): WebSocket | undefined {
  try {
    return new (options.WebSocket ?? WebSocket)(addressOf(options));
  } catch {
    return undefined;
  }
}

function addressOf({ socketUrl, envId, user }: LiveOptions): string {
  const query = new URLSearchParams({
    userId: user.id,
    envId,
    ...(user.hash ? { userIdHash: user.hash } : {}),
  });
  // Browsers would resolve an address without a scheme against the page.
  return new URL(`${socketUrl.replace(/^http/, 'ws').replace(/\/{1,9}$/, '')}/?${query}`).href;
}
