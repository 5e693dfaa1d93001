import type { Server } from 'node:http';

const LOOK_MS = 20;

/** Stops accepting connections and waits until requests in progress have their responses, at most `msMax`. */
export function drainServer(server: Server, msMax: number): Promise<void> {
  return new Promise((drained) => {
    // A connection kept alive becomes idle only when its last response is written.
    const idle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    const force = setTimeout(() => server.closeAllConnections(), msMax);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(force);
      drained();
    });
    server.closeIdleConnections();
  });
}
