import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Outage, outageOf } from './outage.ts';

/** A request as the fake got it. */
export type FakeRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
};

/** A reply of the fake: as in the protocol, none, or a broken connection. */
export type FakeResponse =
  | { status: number; headers?: Record<string, string>; body: unknown }
  | 'silence'
  | 'broken connection';

/** A provider's server on this machine. `next` puts replies before the protocol's replies, `nextTo` those for paths of an ending. */
export type PhoneServer = {
  url: string;
  requests: FakeRequest[];
  next(...responses: FakeResponse[]): void;
  nextTo(ending: string, response: FakeResponse): void;
  outage: Outage;
  close(): Promise<void>;
};

/** Starts a server on a free port; objects are returned as JSON. */
export async function startPhoneServer(
  response: (request: FakeRequest) => FakeResponse,
): Promise<PhoneServer> {
  const requests: FakeRequest[] = [];
  const queued: { ending: string; response: FakeResponse }[] = [];
  const takeQueued = (path: string) => {
    const index = queued.findIndex(({ ending }) => path.endsWith(ending));
    return index < 0 ? undefined : queued.splice(index, 1)[0]?.response;
  };
  const sockets = new Set<Socket>();
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://fake');
    const request: FakeRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(await incoming.toArray()).toString(),
    };
    requests.push(request);
    write(outgoing, takeQueued(url.pathname) ?? response(request));
  });
  const outage = outageOf(server);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    outage,
    next: (...responses) => void queued.push(...responses.map((each) => ({ ending: '', response: each }))),
    nextTo: (ending, response) => void queued.push({ ending, response }),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function write(outgoing: ServerResponse, response: FakeResponse): void {
  if (response === 'silence') return;
  if (response === 'broken connection') {
    outgoing.destroy();
    return;
  }
  const isText = typeof response.body === 'string';
  outgoing.writeHead(response.status, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...response.headers,
  });
  outgoing.end(isText ? response.body : JSON.stringify(response.body));
}
