import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

const LOOK_MS = 20;
/** A client that has just got a response may have sent its next request on the same connection. */
const IDLE_MS = 300;

const inProgress = new WeakMap<Server, Set<ServerResponse>>();

export function trackResponses(server: Server): Server {
  const responses = new Set<ServerResponse>();
  inProgress.set(server, responses);
  return server.on('request', (_, response) => {
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
}

/**
 * Stops accepting connections and waits until requests in progress have their responses, at most `msMax`. Each connection gets
 * one more response, which announces the close; idle connections are closed.
 */
export function drainServer(server: Server, msMax: number): Promise<void> {
  return new Promise((drained) => {
    let idle: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      // Timers run before what has arrived is read: a request that waits to be read is not an idle connection.
      idle = setInterval(() => setImmediate(() => server.closeIdleConnections()), LOOK_MS);
    }, IDLE_MS);
    const force = setTimeout(() => server.closeAllConnections(), msMax);
    for (const response of inProgress.get(server) ?? []) closeAfter(response);
    server.prependListener('request', (_, response) => closeAfter(response));
    // That of HTTP servers would close idle connections now.
    NetServer.prototype.close.call(server, () => {
      for (const timer of [grace, idle, force]) clearTimeout(timer);
      drained();
    });
  });
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
