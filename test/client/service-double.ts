import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the double received it. */
type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** `text` is a body that is not JSON. */
type Reply =
  | { status: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | 'hang'
  | 'cut';

/** A server that replies from a list, the last reply indefinitely, and records what it received. */
export async function startDouble(...replies: Reply[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === 'hang' || reply === undefined) return;
    if (reply === 'cut') return void request.socket.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
