import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

const LOOK_MS = 20;
/** A client that has just got a response may have sent its next request on the same connection. */
const IDLE_MS = 300;

/**
 * Stops accepting connections and waits until requests in progress have their responses, at most `msMax`. Connections that
 * are kept alive get one more response, which says that they close.
 */
export function drainServer(server: Server, msMax: number): Promise<void> {
  return new Promise((drained) => {
    let idle: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      // A connection kept alive becomes idle only when its last response is written.
      idle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    }, IDLE_MS);
    const force = setTimeout(() => server.closeAllConnections(), msMax);
    server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
    // That of HTTP servers would close idle connections now.
    NetServer.prototype.close.call(server, () => {
      for (const timer of [grace, idle, force]) clearTimeout(timer);
      drained();
    });
  });
}
