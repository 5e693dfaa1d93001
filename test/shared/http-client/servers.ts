import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Resolve } from '../../../shared/http-client/name-servers.ts';

export type LocalServer = { port: number; sockets: Socket[] };

async function listen(server: Server, connectionEvent: string): Promise<LocalServer> {
  const sockets: Socket[] = [];
  server.on(connectionEvent, (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** A server on 127.0.0.1 that ends with the test; `sockets` are the connections it was given. */
export function startHttp(listener: RequestListener): Promise<LocalServer> {
  return listen(createServer(listener), 'connection');
}

export function startHttps(
  certificate: { cert: string; key: string },
  listener: RequestListener,
): Promise<LocalServer> {
  return listen(createTlsServer(certificate, listener), 'connection');
}

/** A server that sends what `onConnection` writes. */
export function startTcp(onConnection: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createTcpServer(onConnection), 'connection');
}

export async function findClosedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function toAnswers(addresses: string[]): LookupAddress[] {
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

/** Resolves each lookup with the next list of addresses (the last list indefinitely) and counts them. */
export function resolveTo(...turns: string[][]): { resolve: Resolve; names: string[] } {
  const names: string[] = [];
  return {
    names,
    resolve: (hostname, _options, callback) => {
      const turn = turns[Math.min(names.length, turns.length - 1)] ?? [];
      names.push(hostname);
      setImmediate(callback, null, toAnswers(turn));
    },
  };
}
