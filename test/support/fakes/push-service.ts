import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import type { WebPushToken } from '../../../shared/schemas/users/user.ts';
import {
  type Certificate,
  createScript,
  type FakeReply,
  type FakeRequest,
  startHttpFake,
} from './http-fake.ts';

type Browser = { curve: ECDH; authSecret: string; applicationServerKey: string | undefined };

type PushMessage = { endpoint: string; text: string; headers: FakeRequest['headers'] };

/**
 * A push service with its browsers: checks the VAPID header and the protocol's headers, decrypts with the browser's
 * own keys, and drops subscriptions (`expire`). `now` is the clock against which the header is checked.
 */
export async function startPushService(options: { tls?: Certificate; now?: () => number } = {}) {
  const now = options.now ?? Date.now;
  const script = createScript<FakeReply>();
  const browsers = new Map<string, Browser>();
  const messages: PushMessage[] = [];

  async function receive({ method, path, headers, body }: FakeRequest): Promise<FakeReply> {
    const endpoint = `${server.url}${path}`;
    const scripted = script.next(endpoint);
    if (scripted) return scripted;
    const browser = browsers.get(endpoint);
    if (!browser) return { status: 410, body: 'push subscription has unsubscribed or expired' };
    if (method !== 'POST') return { status: 405 };
    const refusal = await checkVapid(headers.authorization ?? '', server.url, browser, now());
    if (refusal) return refusal;
    if (!/^\d+$/.test(String(headers.ttl))) return { status: 400, body: 'TTL is missing' };
    if (headers['content-encoding'] !== 'aes128gcm') return { status: 415 };
    if (body.length > 4096) return { status: 413 };
    const text = decrypted(body, browser);
    messages.push({ endpoint, text, headers });
    return { status: 201, headers: { location: `${server.url}/messages/${messages.length}` } };
  }

  const server = await startHttpFake(receive, options.tls);
  return {
    url: server.url,
    host: `127.0.0.1:${server.port}`,
    outage: server.outage,
    close: server.close,
    messages,
    /** Replies to the next messages to an endpoint. */
    respondWith: script.respondWith,
    expire: (endpoint: string) => browsers.delete(endpoint),
    /** A browser subscribes, for the holder of `applicationServerKey` only when given. */
    subscribe(applicationServerKey?: string): WebPushToken {
      const curve = createECDH('prime256v1');
      const p256dh = curve.generateKeys('base64url');
      const authSecret = randomBytes(16).toString('base64url');
      const endpoint = `${server.url}/push/${randomUUID()}`;
      browsers.set(endpoint, { curve, authSecret, applicationServerKey });
      return { sub: { endpoint, keys: { p256dh, auth: authSecret } } };
    },
  };
}

/** Content of one record, encrypted for the browser (RFC 8188, RFC 8291). */
function decrypted(body: Buffer, { curve, authSecret }: Browser): string {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + body.readUInt8(20);
  const senderKey = body.subarray(21, keyEnd);
  const derive = (secret: Buffer, by: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, info, length));
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey]);
  const shared = curve.computeSecret(senderKey);
  const secret = derive(shared, Buffer.from(authSecret, 'base64url'), about, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  // The last record ends with 2, and zeros that hide its length.
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

async function checkVapid(
  authorization: string,
  origin: string,
  browser: Browser,
  nowMs: number,
): Promise<FakeReply | undefined> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  if (browser.applicationServerKey !== undefined && key !== browser.applicationServerKey) {
    const body =
      'the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.';
    return { status: 403, body };
  }
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  try {
    const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256');
    const { payload } = await jwtVerify(token, publicKey, {
      audience: origin,
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(nowMs),
    });
    if (!/^(mailto:|https:)/.test(String(payload.sub))) return { status: 400, body: 'sub is not a contact' };
    return Number(payload.exp) - nowMs / 1000 > 86_400 ? { status: 400, body: 'exp is too far' } : undefined;
  } catch (error) {
    return { status: 401, body: String(error) };
  }
}
