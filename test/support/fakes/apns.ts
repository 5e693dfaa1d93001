import { generateKeyPairSync } from 'node:crypto';
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { jwtVerify } from 'jose';
import { type Certificate, createScript } from './http-fake.ts';
import { outageOf } from './outage.ts';

export const APNS_TOPIC = 'com.example.app';
const KEY_ID = 'ABC123DEFG';
const TEAM_ID = 'DEF123GHIJ';
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** The configuration that the fakes of this run trust. */
export const APN_CONFIG = {
  KeyId: KEY_ID,
  TeamId: TEAM_ID,
  Topic: APNS_TOPIC,
  Key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

/**
 * `refuse`: REFUSED_STREAM; `goaway`: GOAWAY without a response; `goaway_unread`: one
 * that disowns the request, which must not be the first of its session.
 */
export type ApnsReply =
  | { status: number; reason?: string; timestamp?: number; headers?: Record<string, string> }
  | 'hang'
  | 'drop'
  | 'refuse'
  | 'goaway'
  | 'goaway_unread';

type ApnsRequest = {
  deviceToken: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
};

/**
 * One APNs host over HTTP/2, with TLS when given a certificate. Knows the device tokens in `devices`, checks provider
 * token, topic, headers and payload as Apple documents, and uses scripted replies before anything else.
 */
export async function startApnsFake(
  options: { tls?: Certificate; devices?: string[]; now?: () => number } = {},
) {
  const now = options.now ?? Date.now;
  const devices = new Set(options.devices ?? []);
  const script = createScript<ApnsReply>();
  const requests: ApnsRequest[] = [];
  const cancelled: string[] = [];
  let hanging = 0;
  const sessions: ServerHttp2Session[] = [];
  const sockets: Socket[] = [];

  async function response(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    stream.on('error', () => {});
    const text = await readBody(stream);
    const deviceToken = headers[':path']?.replace('/3/device/', '') ?? '';
    stream.on('close', () => {
      if (stream.rstCode === constants.NGHTTP2_CANCEL) cancelled.push(deviceToken);
    });
    const reply = script.next(deviceToken) ??
      (await findRefusal(headers, text, deviceToken, devices, now())) ?? { status: 200 };
    if (typeof reply === 'string') return misbehave(stream, reply);
    const { status, reason, timestamp, headers: extra } = reply;
    if (status === 200) requests.push({ deviceToken, headers, body: JSON.parse(text) });
    stream.respond({ ':status': status, 'apns-id': crypto.randomUUID().toUpperCase(), ...extra });
    stream.end(status === 200 ? '' : JSON.stringify({ reason, timestamp }));
  }

  function misbehave(stream: ServerHttp2Stream, reply: ApnsReply & string): void {
    if (reply === 'hang') hanging += 1;
    if (reply === 'drop') stream.session?.destroy();
    if (reply === 'refuse') stream.close(constants.NGHTTP2_REFUSED_STREAM);
    if (reply === 'goaway') leave(stream.session);
    if (reply === 'goaway_unread') leave(stream.session, (stream.id ?? 0) - 2);
  }

  const server = options.tls ? createSecureServer(options.tls) : createServer();
  const outage = outageOf(server);
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {});
  });
  server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  server.on('stream', (stream, headers) => void response(stream, headers));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: options.tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    devices,
    requests,
    /** Device tokens of streams that the client cancelled. */
    cancelled,
    /** Counts the requests that get no response. */
    hanging: () => hanging,
    sessionsOpened: () => sessions.length,
    respondWith: script.respondWith,
    outage,
    goAway: () => {
      for (const session of sessions) leave(session);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function leave(session: Http2Session | undefined, lastStreamId = 0x7fffffff): void {
  session?.goaway(constants.NGHTTP2_NO_ERROR, lastStreamId, Buffer.from('{"reason":"Shutdown"}'));
  setImmediate(() => session?.destroy());
}

async function readBody(stream: ServerHttp2Stream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function findRefusal(
  headers: IncomingHttpHeaders,
  text: string,
  deviceToken: string,
  devices: Set<string>,
  nowMs: number,
): Promise<ApnsReply | undefined> {
  const refusal = await checkProviderToken(headers.authorization, nowMs);
  if (refusal) return { status: 403, reason: refusal };
  if (headers[':method'] !== 'POST') return { status: 405, reason: 'MethodNotAllowed' };
  if (!headers['apns-topic']) return { status: 400, reason: 'MissingTopic' };
  if (Buffer.byteLength(text) > 4096) return { status: 413, reason: 'PayloadTooLarge' };
  if (text === '') return { status: 400, reason: 'PayloadEmpty' };
  const isBackground = headers['apns-push-type'] === 'background';
  if (isBackground && headers['apns-priority'] !== '5') return { status: 400, reason: 'BadPriority' };
  if (!/^\d+$/.test(String(headers['apns-expiration'] ?? 0))) {
    return { status: 400, reason: 'BadExpirationDate' };
  }
  if (Buffer.byteLength(String(headers['apns-collapse-id'] ?? '')) > 64) {
    return { status: 400, reason: 'BadCollapseId' };
  }
  if (!devices.has(deviceToken)) return { status: 400, reason: 'BadDeviceToken' };
  if (headers['apns-topic'] !== APNS_TOPIC) return { status: 400, reason: 'DeviceTokenNotForTopic' };
  return undefined;
}

async function checkProviderToken(
  authorization: string | undefined,
  nowMs: number,
): Promise<string | undefined> {
  if (!authorization?.startsWith('bearer ')) return 'MissingProviderToken';
  try {
    const { payload, protectedHeader } = await jwtVerify(authorization.slice(7), keys.publicKey, {
      issuer: TEAM_ID,
      algorithms: ['ES256'],
      requiredClaims: ['iat'],
      currentDate: new Date(nowMs),
    });
    if (protectedHeader.kid !== KEY_ID) return 'InvalidProviderToken';
    return nowMs / 1000 - Number(payload.iat) > 3600 ? 'ExpiredProviderToken' : undefined;
  } catch {
    return 'InvalidProviderToken';
  }
}
