import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { WORKERS } from '../../../functions/workers.ts';
import type { ConnectionClose, ConnectionPost } from '../../../shared/channels/inapp/realtime.ts';
import { type HttpResponse, jsonResponse } from '../../../shared/http/endpoint/response.ts';
import { loadWorker } from '../functions/load.ts';
import { type GatewayRequest, valuesByName } from './event.ts';

type Handler = (event: unknown) => Promise<{ statusCode: number }>;
type EventType = 'CONNECT' | 'DISCONNECT';
type Open = { socket: WebSocket; request: IncomingMessage; connectedAtMs: number };

export type WebsocketGateway = {
  /** POST and DELETE `/@connections/{id}`, as the management API has them; undefined for other paths. */
  response(request: GatewayRequest): Promise<HttpResponse | undefined>;
  /** The same as that POST, for the functions of this process: a thousand posts need no thousand requests. */
  post: ConnectionPost;
  /** The same as that DELETE. */
  close: ConnectionClose;
  stop(): void;
};

/**
 * Closed connections reported concurrently: a browser farm that is switched off must not starve the database.
 */
const ENDS_AT_ONCE = 16;
const MESSAGE_BYTES_MAX = 128 * 1024;
/** API Gateway closes a connection with code 1009 after a larger frame; browsers send each message as one frame. */
const FRAME_BYTES_MAX = 32 * 1024;
/** The stage of the WebSocket API; its address without a path works here as well. */
const STAGE_PATH = /^\/(?:live\/?)?(?:\?|$)/;
const PATH = /^\/(?:live\/)?(?:@|%40)connections\/([^/]+)$/i;

/** Accepts WebSocket connections of `server`, with the rules of an API Gateway WebSocket API. */
export function createWebsocketGateway(options: {
  server: Server;
  nowMs: () => number;
  onError: (error: unknown) => void;
}): WebsocketGateway {
  const handlers = loadHandlers();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX });
  const open = new Map<string, Open>();
  const inTurn = limitTo(ENDS_AT_ONCE);

  const invoke = (event: EventType, connectionId: string, connection: Omit<Open, 'socket'>, more: object) =>
    handlers[ROUTES[event]]({
      ...(event === 'CONNECT' ? handshakeOf(connection.request) : {}),
      requestContext: {
        ...contextOf(event, connectionId, connection, options.nowMs()),
        ...more,
      },
      isBase64Encoded: false,
    });

  function keep(connectionId: string, connection: Open): void {
    open.set(connectionId, connection);
    connection.socket.on('error', () => connection.socket.terminate());
    connection.socket.on('message', (_, isBinary) => {
      // Text is accepted and reaches no function, as in AWS.
      if (isBinary) connection.socket.close(1003);
    });
    connection.socket.on('close', (code, reason) => {
      open.delete(connectionId);
      const more = { disconnectStatusCode: code, disconnectReason: reason.toString() };
      inTurn(() => invoke('DISCONNECT', connectionId, connection, more)).catch(options.onError);
    });
  }

  async function upgrade(request: IncomingMessage, stream: Duplex, first: Buffer): Promise<void> {
    if (!STAGE_PATH.test(request.url ?? '/')) return refuse(stream, 403);
    const connectionId = `${randomBytes(11).toString('base64url')}=`;
    const connection = { request, connectedAtMs: options.nowMs() };
    const { statusCode } = await invoke('CONNECT', connectionId, connection, {});
    if (statusCode !== 200) return refuse(stream, statusCode);
    sockets.handleUpgrade(request, stream, first, (socket) => keep(connectionId, { ...connection, socket }));
  }

  options.server.on('upgrade', (request: IncomingMessage, stream: Duplex, first: Buffer) => {
    stream.on('error', () => stream.destroy());
    upgrade(request, stream, first).catch((error: unknown) => {
      options.onError(error);
      refuse(stream, 500);
    });
  });

  return {
    async post(connectionId, message) {
      const found = open.get(connectionId);
      found?.socket.send(message);
      return found ? 'accepted' : 'gone';
    },
    async close(connectionId) {
      open.get(connectionId)?.socket.close(1000);
    },
    async response({ method, path, body }) {
      const encoded = PATH.exec(path)?.[1];
      if (encoded === undefined || (method !== 'POST' && method !== 'DELETE')) return undefined;
      const id = randomUUID();
      const connectionId = findDecoded(encoded);
      if (connectionId === undefined)
        return withErrorType(
          jsonResponse(400, { message: 'Invalid connectionId' }, id),
          'BadRequestException',
        );
      const found = open.get(connectionId);
      if (!found) return withErrorType(jsonResponse(410, { message: 'Gone' }, id), 'GoneException');
      if (method === 'DELETE') {
        found.socket.close(1000);
        return { statusCode: 204, headers: {}, body: '' };
      }
      if (body.length > MESSAGE_BYTES_MAX)
        return withErrorType(jsonResponse(413, { message: 'too large' }, id), 'PayloadTooLargeException');
      found.socket.send(body.toString('utf8'));
      return jsonResponse(200, {}, id);
    },
    stop() {
      for (const { socket } of open.values()) {
        socket.removeAllListeners('close');
        socket.terminate();
      }
      open.clear();
    },
  };
}

function findDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Runs at most `atOnce` calls concurrently, the others in order. */
function limitTo(atOnce: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

const ROUTES = { CONNECT: '$connect', DISCONNECT: '$disconnect' } as const;

function loadHandlers(): Record<(typeof ROUTES)[EventType], Handler> {
  const load = (route: (typeof ROUTES)[EventType]): Handler => {
    const worker = WORKERS.find(({ trigger }) => trigger.kind === 'websocket' && trigger.route === route);
    if (!worker) throw new Error(`The worker table has no ${route}.`);
    return async (event) => asResponse(await (await loadWorker(worker))(event));
  };
  return { $connect: load('$connect'), $disconnect: load('$disconnect') };
}

/** Workers of WebSocket routes return a status. */
function asResponse(response: unknown): { statusCode: number } {
  return response as { statusCode: number };
}

function lastOf(entries: readonly [string, string[] | undefined][]): Record<string, string | undefined> {
  return Object.fromEntries(entries.map(([name, all]) => [name, all?.at(-1)]));
}

function handshakeOf(request: IncomingMessage): object {
  const { headersDistinct } = request;
  const values = valuesByName(new URL(request.url ?? '/', 'ws://localhost').searchParams);
  return {
    headers: lastOf(Object.entries(headersDistinct)),
    multiValueHeaders: { ...headersDistinct },
    ...(values.size > 0
      ? {
          queryStringParameters: lastOf([...values]),
          multiValueQueryStringParameters: Object.fromEntries(values),
        }
      : {}),
  };
}

function contextOf(
  eventType: EventType,
  connectionId: string,
  { request, connectedAtMs }: Omit<Open, 'socket'>,
  nowMs: number,
): object {
  return {
    routeKey: ROUTES[eventType],
    eventType,
    extendedRequestId: randomUUID(),
    requestTime: new Date(nowMs).toUTCString(),
    messageDirection: 'IN',
    stage: 'local',
    connectedAt: connectedAtMs,
    requestTimeEpoch: nowMs,
    identity: {
      sourceIp: (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, ''),
      userAgent: request.headers['user-agent'] ?? '',
    },
    requestId: randomUUID(),
    domainName: request.headers.host ?? 'localhost',
    connectionId,
    apiId: 'local',
  };
}

function refuse(stream: Duplex, statusCode: number): void {
  stream.end(`HTTP/1.1 ${statusCode} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function withErrorType(response: HttpResponse, type: string): HttpResponse {
  return { ...response, headers: { ...response.headers, 'x-amzn-errortype': type } };
}
