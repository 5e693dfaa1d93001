import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { HANG_MS } from '../until.ts';
import { type Outage, outageOf } from './outage.ts';

export type FakeRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };

/** `hang` never responds; `drop` closes the connection. */
export type FakeReply =
  | { status: number; headers?: Record<string, string>; body?: string | object }
  | 'hang'
  | 'drop';

/** The time limit of a request that gets `reply`: short only for the reply that never comes. */
export const limitFor = (reply: unknown) => ({ timeoutMs: reply === 'hang' ? 300 : HANG_MS });

export type HttpFake = { url: string; port: number; outage: Outage; close(): Promise<void> };

export type Certificate = { cert: string; key: string };

/** A server on this machine that responds with what `replyTo` returns. */
export async function startHttpFake(
  replyTo: (request: FakeRequest) => FakeReply | Promise<FakeReply>,
  tls?: Certificate,
): Promise<HttpFake> {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    void readRequest(request)
      .then(replyTo)
      .then((reply) => write(response, reply))
      .catch((error: unknown) => write(response, { status: 500, body: String(error) }));
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  // The client decides how long a connection lives: one that the server closes while a request comes in breaks it.
  server.keepAliveTimeout = 0;
  const sockets = new Set<Socket>();
  const outage = outageOf(server);
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    outage,
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function readRequest(request: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks),
  };
}

function write(response: ServerResponse, reply: FakeReply): void {
  if (reply === 'hang') return;
  if (reply === 'drop') {
    response.destroy();
    return;
  }
  const { status, headers = {}, body = '' } = reply;
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

/** Replies set in advance for a key; each is used once. */
export type Script<R> = { next(key: string): R | undefined; respondWith(key: string, ...replies: R[]): void };

export function createScript<R>(): Script<R> {
  const replies = new Map<string, R[]>();
  return {
    next: (key) => replies.get(key)?.shift(),
    respondWith: (key, ...next) => replies.set(key, [...(replies.get(key) ?? []), ...next]),
  };
}
