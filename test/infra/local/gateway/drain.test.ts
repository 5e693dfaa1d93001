import { Agent, createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, Server as NetServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { drainServer, trackResponses } from '../../../../infra/local/gateway/drain.ts';

let server: Server;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterEach(() => server.closeAllConnections());

/** Responds to each request when its gate opens. */
async function listen(gate: (url: string) => Promise<void>): Promise<number> {
  server = trackResponses(
    createServer(async ({ url = '' }, response) => {
      await gate(url);
      response.writeHead(200, { 'content-type': 'text/plain' }).end(url);
    }),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
}

function get(
  port: number,
  path: string,
  own = agent,
): Promise<{ text: string; connection: string | undefined }> {
  return new Promise((done, failed) => {
    const sent = request({ port, path, agent: own }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      done({ text, connection: response.headers.connection });
    });
    sent.on('error', failed).end();
  });
}

describe('a stopping server', () => {
  it('completes requests in progress and accepts no new connection', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const port = await listen(() => {
      reached.resolve();
      return gate.promise;
    });
    const answered = get(port, '/1');
    await reached.promise;
    const drained = drainServer(server, 10_000);
    const refused = await new Promise((done) => connect(port, '127.0.0.1').once('error', done));
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    gate.resolve();
    expect(await answered).toEqual({ text: '/1', connection: 'close' });
    await drained;
  });

  it('responds to the next request of a kept connection and announces the close', async () => {
    const port = await listen(async () => {});
    expect((await get(port, '/1')).connection).toBe('keep-alive');
    const drained = drainServer(server, 10_000);
    expect(await get(port, '/2')).toEqual({ text: '/2', connection: 'close' });
    await drained;
  });

  it('ends idle connections, and busy ones after a timeout', async () => {
    const port = await listen((url) => (url === '/hangs' ? new Promise(() => {}) : Promise.resolve()));
    await get(port, '/1');
    await drainServer(server, 10_000);
    const busy = await listen(() => new Promise(() => {}));
    const hanging = get(busy, '/hangs');
    await new Promise<void>((reached) => server.once('request', () => reached()));
    const ended = expect(hanging).rejects.toMatchObject({ code: 'ECONNRESET' });
    await drainServer(server, 50);
    await ended;
  });
});

/** Returns the problems that clients have with a stop: one waits for its response, one sends its next request on a kept connection. */
async function noticedOf(stop: (stopping: Server) => unknown): Promise<string[]> {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const port = await listen((url) => {
    if (url !== '/waits') return Promise.resolve();
    reached.resolve();
    return gate.promise;
  });
  const agents = ['/waits', '/next'].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  await Promise.all(agents.map((own) => get(port, '/first', own)));
  const waiting = get(port, '/waits', agents[0]);
  await reached.promise;
  const stopped = stop(server);
  const next = get(port, '/next', agents[1]);
  const settled = Promise.allSettled([waiting, next]);
  await Promise.allSettled([next]);
  gate.resolve();
  const noticed = (await settled).flatMap((each, index) =>
    each.status === 'rejected' ? [`${['/waits', '/next'][index]} is reset`] : [],
  );
  if (noticed.length === 0) await stopped;
  return noticed;
}

describe('a stop', () => {
  it('is not noticed by clients', async () => {
    expect(await noticedOf((stopping) => drainServer(stopping, 10_000))).toEqual([]);
  });

  it.each<[string, (stopping: Server) => unknown, string[]]>([
    [
      'closes all connections',
      (stopping) => stopping.close().closeAllConnections(),
      ['/waits is reset', '/next is reset'],
    ],
    ['closes idle connections', (stopping) => stopping.close(), ['/next is reset']],
    [
      'drops requests in progress after listening ends',
      (stopping) => {
        NetServer.prototype.close.call(stopping);
        stopping.closeAllConnections();
      },
      ['/waits is reset', '/next is reset'],
    ],
  ])('is noticed when it %s', async (_, stop, expected) => {
    expect(await noticedOf(stop)).toEqual(expected);
  });
});
