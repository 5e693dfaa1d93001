import { createECDH, createHash } from 'node:crypto';
import webPush, { type RequestOptions } from 'web-push';
import type { FairDeliveries, FairResponse } from '../../http-client/fair-client.ts';
import { isPassingStatus } from '../../http-client/passing-status.ts';
import { parseRetryAfterSeconds } from '../../http-client/retry-after.ts';
import { createCache } from '../../runtime/async/cache.ts';
import type { Clock } from '../../runtime/clock.ts';
import { defined } from '../../runtime/values/defined.ts';
import { DAY_SECONDS } from '../../runtime/values/durations.ts';
import { FAILURE_CODES } from '../../schemas/logs/failure-codes.ts';
import type { ChannelProvider, WebPushDelivery } from '../channel.ts';
import { webPushPayloadOf } from '../message-size.ts';
import {
  buryToken,
  deliverToTokens,
  rejectToken,
  retryToken,
  retryUncalled,
  type TokenFields,
  type TokenResult,
} from '../push/token-results.ts';
import { validSeconds } from '../validity.ts';

type Sub = WebPushDelivery['subscriptions'][number]['sub'];
type Sealed = { ok: true; headers: Record<string, string>; body: Buffer } | { ok: false; problem: string };
type Authorizations = {
  find(key: string): string | undefined;
  keep(key: string, authorization: string): void;
};

const TTL_SECONDS = DAY_SECONDS;
// The header is valid for 12 hours; an hour is slack for clocks.
const AUTHORIZATION_MS = 11 * 60 * 60_000;
const AUTH_BYTES_MIN = 16;
const AUTHORIZATIONS_MAX = 1000;
/** Total time for a user's endpoints, and the part of the function's time that is left for the record. */
const DELIVERY_MS = 20_000;
const RECORDING_MS = 5_000;
const REQUEST_MS = 10_000;
const ENDPOINTS_AT_ONCE_MAX = 10;
const THROTTLED_BY_WINDOWS = 406;
/** How Apple, Google and Mozilla name a subscription that was made with another VAPID key than the message's. */
const OTHER_KEY =
  /VapidPkHashMismatch|in the authorization header do(?:es)? not correspond|key mismatch|UnauthorizedRegistration|MismatchSenderId/i;
const [GONE_CODE] = FAILURE_CODES.WEB_PUSH;

const FIELDS: TokenFields = {
  sent: (token) => ({ web_push_sent_token: token }),
  failed: (token, internal) => ({ web_push_failed_token: token, web_push_failed_internal: internal }),
};

/**
 * Sends to all browser subscriptions of the user, encrypted for each (RFC 8291), through the guarded client, because
 * the endpoints are users' URLs; one success makes the delivery `sent`.
 */
export function createWebPushProvider(options: {
  guarded: FairDeliveries;
  now: Clock['now'];
}): ChannelProvider<'WEB_PUSH'> {
  const { guarded, now } = options;
  const authorizations = createCache<string>({ max: AUTHORIZATIONS_MAX, ttlMs: AUTHORIZATION_MS, now });

  async function send(
    sub: Sub,
    payload: string,
    { delivery, endsAtMs }: { delivery: WebPushDelivery; endsAtMs: number },
  ): Promise<TokenResult<'WEB_PUSH'>> {
    const { vapid, formerVapids = [], accountId } = delivery;
    if (isWithdrawn(sub.endpoint)) return buryToken(GONE_CODE, 'the browser has withdrawn the endpoint');
    const {
      ttl = TTL_SECONDS,
      topic,
      urgency = delivery.isUrgent ? 'high' : 'normal',
    } = delivery.options ?? {};
    const ttlSeconds = validSeconds(delivery, now(), { usual: ttl });
    const message = { payload, TTL: ttlSeconds, urgency, ...defined({ topic }) };
    const sendWith = async (pair: WebPushDelivery['vapid']): Promise<TokenResult<'WEB_PUSH'>> => {
      const timeoutMs = Math.min(REQUEST_MS, endsAtMs - performance.now());
      if (timeoutMs <= 0) return retryToken('push service: those before it took too long');
      const sealed = seal(sub, message, pair, authorizations);
      if (!sealed.ok)
        return hasUsableKeys(sub)
          ? rejectToken('UNKNOWN', sealed.problem)
          : buryToken(GONE_CODE, `the subscription's keys cannot be used: ${sealed.problem}`);
      const { headers, body } = sealed;
      const request = { accountId, url: sub.endpoint, method: 'POST', headers, body, timeoutMs } as const;
      return classifyResponse(await guarded.request(request), now());
    };
    let result = await sendWith(vapid);
    // A subscription belongs to one pair; its push service rejects the others'.
    for (const former of [...formerVapids].reverse()) {
      if (result.kind !== 'rejected' || !OTHER_KEY.test(result.internal)) break;
      result = await sendWith(former);
    }
    return result;
  }

  return {
    name: 'live',
    async deliver(delivery) {
      const payload = JSON.stringify(webPushPayloadOf(delivery));
      const urls = delivery.subscriptions.map(({ sub }) => sub.endpoint);
      const place = guarded.enter(delivery.accountId, urls);
      if (place.kind === 'waiting') return { kind: 'postponed', afterSeconds: place.afterSeconds };
      const { timeLeftMs = () => Number.POSITIVE_INFINITY } = delivery;
      const endsAtMs = performance.now() + Math.min(DELIVERY_MS, timeLeftMs() - RECORDING_MS);
      try {
        return await deliverToTokens(delivery.subscriptions, {
          tokenOf: ({ sub }) => sub.endpoint,
          send: ({ sub }) => send(sub, payload, { delivery, endsAtMs }),
          fields: FIELDS,
          atOnceMax: ENDPOINTS_AT_ONCE_MAX,
        });
      } finally {
        place.leave();
      }
    },
  };
}

/** Chrome replaces the endpoint of a subscription that it gave up by `https://permanently-removed.invalid/…`. */
function isWithdrawn(endpoint: string): boolean {
  return URL.parse(endpoint)?.hostname.endsWith('.invalid') ?? false;
}

/** False for keys that no browser could decrypt with: a point that is not on the curve, a short secret. */
function hasUsableKeys({ keys }: Sub): boolean {
  const ownKey = createECDH('prime256v1');
  ownKey.generateKeys();
  try {
    ownKey.computeSecret(Buffer.from(keys.p256dh, 'base64url'));
    return Buffer.from(keys.auth, 'base64url').length >= AUTH_BYTES_MIN;
  } catch {
    return false;
  }
}

function seal(
  sub: Sub,
  { payload, ...options }: { payload: string } & Pick<RequestOptions, 'TTL' | 'urgency' | 'topic'>,
  vapid: WebPushDelivery['vapid'],
  authorizations: Authorizations,
): Sealed {
  const origin = URL.parse(sub.endpoint)?.origin ?? '';
  const key = createHash('sha256')
    .update(JSON.stringify([origin, vapid.publicKey, vapid.privateKey, vapid.subject]))
    .digest('base64');
  const held = authorizations.find(key);
  try {
    const details = webPush.generateRequestDetails(sub, payload, {
      ...options,
      ...defined({ vapidDetails: held === undefined ? vapid : undefined }),
    });
    const headers = Object.fromEntries(
      Object.entries(details.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    if (held === undefined && headers.authorization !== undefined) {
      authorizations.keep(key, headers.authorization);
    }
    return {
      ok: true,
      headers: held === undefined ? headers : { ...headers, authorization: held },
      body: details.body,
    };
  } catch (error) {
    // The library throws plain errors for a browser's or an environment's key that is not one.
    return { ok: false, problem: error instanceof Error ? error.message : 'the keys cannot be used' };
  }
}

function classifyResponse(response: FairResponse, nowMs: number): TokenResult<'WEB_PUSH'> {
  if (response.kind === 'waiting') {
    return retryUncalled('push service: it keeps failing', response.afterSeconds);
  }
  if (response.kind === 'timeout') return retryToken('push service: timeout');
  if (response.kind === 'unreachable') return retryToken(`push service: ${response.reason}`);
  if (response.kind === 'refused') return rejectToken('UNKNOWN', `endpoint rejected: ${response.reason}`);
  if (response.kind === 'too_large') return rejectToken('UNKNOWN', 'push service: the response is too large');
  if (response.status >= 200 && response.status < 300) return { kind: 'sent' };
  const internal = `push service: ${response.status} ${response.body.toString('utf8')}`;
  const isOfOtherKey = [400, 401, 403].includes(response.status) && OTHER_KEY.test(internal);
  if (response.status === 404 || response.status === 410 || isOfOtherKey)
    return buryToken(GONE_CODE, internal);
  if (isPassingStatus(response.status) || response.status === THROTTLED_BY_WINDOWS) {
    return retryToken(internal, parseRetryAfterSeconds(response.headers['retry-after'], nowMs));
  }
  return rejectToken('UNKNOWN', internal);
}
