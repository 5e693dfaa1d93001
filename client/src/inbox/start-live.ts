import type { InboxItem } from './api.ts';
import { isHidden, keepConnected, PAGE } from './live.ts';

/** The user whose notifications arrive live, and their source. */
export type LiveOptions = {
  user: { id: string; hash?: string };
  /** With both, new notifications arrive live. Address of the WebSocket API, and ID of the environment. */
  socketUrl?: string | undefined;
  envId?: string | undefined;
  /** Replaces the global WebSocket. */
  WebSocket?: typeof WebSocket;
};

/** Reading does not wait longer for the live connection. */
const FIRST_WAIT_MS = 1_000;
/** Silence after which a page that is shown again, or a list that is opened, reads over HTTP. */
const SILENCE_MS = 60_000;
/** Silence after which a page that stays open does. */
const LONG_SILENCE_MS = 3_600_000;

/**
 * Loads once the connection is open, so that nothing is missed in between, and again after each reconnection.
 * A connection can die without an event: after silence the list is read over HTTP, and a connection that should
 * have pushed what is new there is replaced.
 */
export function startLive(
  { socketUrl, envId, user, WebSocket }: LiveOptions,
  inbox: {
    setLive: (isLive: boolean) => void;
    reload: () => Promise<void>;
    /** Changes with the newest item and with the number of unread items. */
    newest: () => string;
    receive: (items: readonly InboxItem[], areNew: boolean) => void;
  },
): { refresh: () => Promise<void>; stop: () => void } {
  let heardAtMs = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function load(): void {
    clearTimeout(timer);
    timer = setTimeout(inbox.reload, connection?.isPossible() ? FIRST_WAIT_MS : 0);
  }

  async function refresh(silenceMs = SILENCE_MS): Promise<void> {
    if (Date.now() - heardAtMs < silenceMs) return;
    const startMs = Date.now();
    heardAtMs = startMs;
    const before = inbox.newest();
    await inbox.reload();
    if (heardAtMs === startMs && inbox.newest() !== before) connection?.replace();
  }

  function renew(): void {
    connection?.replace();
    if (!isHidden()) load();
  }

  function shown(): void {
    if (isHidden()) return;
    if (connection?.resume()) load();
    else refresh();
  }

  const connection =
    socketUrl && envId
      ? keepConnected({
          socketUrl,
          envId,
          user,
          WebSocket,
          onOpen() {
            heardAtMs = Date.now();
            clearTimeout(timer);
            inbox.setLive(true);
            inbox.reload();
          },
          onClose: () => inbox.setLive(false),
          onMessage(message) {
            heardAtMs = Date.now();
            const { route, payload } = (message ?? {}) as {
              route?: string;
              payload?: { notifications?: InboxItem[] };
            };
            if (route?.startsWith('inapp_web/') && Array.isArray(payload?.notifications))
              inbox.receive(payload.notifications, route === 'inapp_web/new_notifications');
          },
          onPing: () => void (isHidden() || refresh(LONG_SILENCE_MS)),
          onWake: renew,
        })
      : undefined;
  load();
  PAGE.document?.addEventListener('visibilitychange', shown);
  PAGE.addEventListener?.('pageshow', shown);
  PAGE.addEventListener?.('online', renew);
  return {
    refresh: () => refresh(),
    stop() {
      PAGE.document?.removeEventListener('visibilitychange', shown);
      PAGE.removeEventListener?.('pageshow', shown);
      PAGE.removeEventListener?.('online', renew);
      clearTimeout(timer);
      connection?.stop();
    },
  };
}
