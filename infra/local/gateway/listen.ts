import type { RequestListener, Server } from 'node:http';
import { createGatewayServer } from './gateway.ts';

/** A server that listens; its requests wait until `open` is called. */
export type ReservedPort = { server: Server; port: number; open(listener: RequestListener): void };

/** Listens before anything slow starts, so that a port in use is reported immediately. */
export async function reservePort(port: number, host: string): Promise<ReservedPort> {
  const listener = Promise.withResolvers<RequestListener>();
  const server = createGatewayServer((request, response) => {
    listener.promise.then((listen) => listen(request, response));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => failed(listenError(error, port, host)));
    server.listen(port, host, listening);
  });
  const address = server.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  return { server, port: actual, open: listener.resolve };
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const text = {
    EADDRINUSE: `Port ${port} is in use: choose another with --port <number>.`,
    EACCES: `Port ${port} needs more permissions: choose one over 1023 with --port <number>.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: check --host.`,
    ENOTFOUND: `This machine has no address ${host}: check --host.`,
  }[error.code ?? ''];
  return text === undefined ? error : new Error(text, { cause: error });
}
