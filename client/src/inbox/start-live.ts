import type { InboxItem } from './api.ts';
import { keepConnected } from './live.ts';

/** The user whose notifications arrive live, and their source. */
export type LiveOptions = {
  user: { id: string; hash?: string };
  /** With both, new notifications arrive live. Address of the WebSocket API, and ID of the environment. */
  socketUrl?: string | undefined;
  envId?: string | undefined;
  /** Replaces the global WebSocket. */
  WebSocket?: typeof WebSocket;
};

/** The first page does not wait longer for the live connection. */
const FIRST_WAIT_MS = 1_000;

/**
 * Loads once the connection is open, so that nothing is missed in between, and again after each reconnection.
 */
export function startLive(
  { socketUrl, envId, user, WebSocket }: LiveOptions,
  inbox: {
    setLive: (isLive: boolean) => void;
    reload: () => Promise<void>;
    receive: (items: readonly InboxItem[], areNew: boolean) => void;
  },
): () => void {
  if (!socketUrl || !envId) {
    queueMicrotask(inbox.reload);
    return () => {};
  }
  const timer = setTimeout(inbox.reload, FIRST_WAIT_MS);
  const stop = keepConnected({
    socketUrl,
    envId,
    user,
    WebSocket,
    onOpen() {
      clearTimeout(timer);
      inbox.setLive(true);
      inbox.reload();
    },
    onClose: () => inbox.setLive(false),
    onMessage(message) {
      const { route, payload } = (message ?? {}) as {
        route?: string;
        payload?: { notifications?: InboxItem[] };
      };
      if (route?.startsWith('inapp_web/') && Array.isArray(payload?.notifications))
        inbox.receive(payload.notifications, route === 'inapp_web/new_notifications');
    },
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
