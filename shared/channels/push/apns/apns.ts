import { sign } from 'node:crypto';
import * as v from 'valibot';
import type { ApnsTokenStore, StoredApnsToken } from '../../../database/entities/settings/apns-tokens.ts';
import { isPassingStatus } from '../../../http-client/passing-status.ts';
import { parseRetryAfterSeconds } from '../../../http-client/retry-after.ts';
import { createCache, createRenewing } from '../../../runtime/async/cache.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { log } from '../../../runtime/logger.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { PushDelivery } from '../../channel.ts';
import { buryToken, readJson, rejectToken, retryToken, type TokenResult } from '../token-results.ts';
import { type ApnsSigner, parseApnConfig } from './apns-config.ts';
import { type ApnsConnection, type ApnsResponse, createApnsConnection } from './apns-connection.ts';
import { buildNotification } from './apns-notification.ts';

const RENEW_AFTER_MS = 45 * 60_000;
const HELD_MAX = 1000;

/** ES256 provider tokens, renewed every 45 minutes: from memory, then from `store`, then newly signed. */
export function createApnsProviderTokens(options: { now: Clock['now']; store?: ApnsTokenStore }) {
  const { now, store } = options;
  const held = createRenewing<StoredApnsToken>({ max: HELD_MAX });

  const isUsable = (token: StoredApnsToken, signer: ApnsSigner, refused: string | undefined) =>
    token.signerHash === signer.hash && token.jwt !== refused && now() - token.issuedAtMs < RENEW_AFTER_MS;

  // Sharing is thrift, not a need: without the store this container signs its own.
  async function load(accountId: string, signer: ApnsSigner, refused?: string): Promise<StoredApnsToken> {
    const own = signToken(signer, now());
    if (!store) return own;
    try {
      const shared = await store.get(accountId);
      if (shared && isUsable(shared, signer, refused)) return shared;
      if (await store.replace(accountId, own, shared)) return own;
      const faster = await store.get(accountId);
      return faster && isUsable(faster, signer, refused) ? faster : own;
    } catch (error) {
      log.warn('an APNs token could not be shared', { accountId }, error);
      return own;
    }
  }

  return {
    /** `refused` is a token that Apple no longer accepts: a new token is returned. */
    async get(accountId: string, signer: ApnsSigner, refused?: string): Promise<string> {
      const token = await held(
        JSON.stringify([accountId, signer.hash]),
        (each) => isUsable(each, signer, refused),
        () => load(accountId, signer, refused),
      );
      return token.jwt;
    },
  };
}

function signToken({ keyId, teamId, privateKey, hash }: ApnsSigner, nowMs: number): StoredApnsToken {
  const signed = [
    { alg: 'ES256', kid: keyId },
    { iss: teamId, iat: Math.floor(nowMs / 1000) },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return { jwt: `${signed}.${signature.toString('base64url')}`, issuedAtMs: nowMs, signerHash: hash };
}

type ApnsSend = (token: PushDelivery['tokens'][number]) => Promise<TokenResult<'PUSH'>>;

/** APNs. `prepare` reads the account's configuration and builds the notification once for all devices. */
export type ApnsSender = {
  prepare(delivery: PushDelivery): ApnsSend;
  /** Closes the connections, once their requests have responses. */
  close(): void;
};

type Host = 'production' | 'sandbox';
type Post = (host: Host, deviceToken: string) => Promise<ApnsResponse>;

const CONNECTIONS_MAX = 64;
const REMEMBERED_HOSTS_MAX = 10_000;
const BAD_TOKEN = 'BadDeviceToken';
/** The token, or the signing key, may be one of the other host. */
const WRONG_HOST = /^(?:BadDeviceToken|BadEnvironmentKey(?:Id)?InToken)$/;
const BOTH_HOSTS: Host[] = ['production', 'sandbox'];

/**
 * A sender to `productionUrl` (https://api.push.apple.com) and `sandboxUrl` (https://api.sandbox.push.apple.com). A token is
 * tried at the host of its stated `environment`, by default at production. It counts as dead only after the other host has
 * rejected it too. The matching host is cached. `tokens` shares the signed provider token between containers; `ca` is an
 * additional certificate to trust.
 */
export function createApnsSender(options: {
  productionUrl: string;
  sandboxUrl: string;
  now: Clock['now'];
  tokens?: ApnsTokenStore;
  timeoutMs?: number;
  ca?: string;
}): ApnsSender {
  const { now, tokens: store } = options;
  const urls = { production: options.productionUrl, sandbox: options.sandboxUrl };
  const providerTokens = createApnsProviderTokens({ now, ...defined({ store }) });
  const connections = createConnectionPool((host) =>
    createApnsConnection({
      url: urls[host],
      now,
      ...defined({ timeoutMs: options.timeoutMs, ca: options.ca }),
    }),
  );
  const knownHosts = createCache<Host>({ max: REMEMBERED_HOSTS_MAX });

  async function post(
    { accountId, signer, headers, body }: SignedNotification,
    host: Host,
    deviceToken: string,
  ): Promise<ApnsResponse> {
    const connection = connections.get(host, JSON.stringify([accountId, signer.hash]));
    const postWith = (jwt: string) =>
      connection.post(
        `/3/device/${encodeURIComponent(deviceToken)}`,
        { ...headers, authorization: `bearer ${jwt}` },
        body,
      );
    const jwt = await providerTokens.get(accountId, signer);
    const first = await postWith(jwt);
    if (findApnsReason(first) !== 'ExpiredProviderToken') return first;
    return postWith(await providerTokens.get(accountId, signer, jwt));
  }

  async function postToKnowingHost(token: ApnsToken, topic: string, postTo: Post): Promise<ApnsResponse> {
    const stated = BOTH_HOSTS.find((host) => host === token.environment);
    const key = JSON.stringify([topic, token.token]);
    const first = knownHosts.find(key) ?? stated ?? 'production';
    const second = first === 'production' ? 'sandbox' : 'production';
    const response = await postTo(first, token.token);
    const reason = findApnsReason(response);
    if (!WRONG_HOST.test(reason)) return response;
    const secondResponse = await postTo(second, token.token);
    if (secondResponse.kind === 'response' && secondResponse.status === 200) knownHosts.keep(key, second);
    // A host that rejects the signing key has said nothing about the token.
    const isKeyOfFirst =
      secondResponse.kind === 'response' && secondResponse.status === 403 && first === stated;
    const isKeyOfSecond = reason !== BAD_TOKEN && findApnsReason(secondResponse) === BAD_TOKEN;
    return isKeyOfFirst || isKeyOfSecond ? response : secondResponse;
  }

  return {
    prepare(delivery) {
      if (!delivery.apnConfig)
        return async () => rejectToken('NO_APN_CONFIG', 'no APNs configuration is stored');
      const parsed = parseApnConfig(delivery.apnConfig);
      if (!parsed.ok) return async () => rejectToken('NO_APN_CONFIG', parsed.problem);
      const signer = parsed.value;
      const notification = buildNotification(delivery, signer.topic);
      if (!notification.ok) return async () => rejectToken('UNKNOWN', notification.problem);
      const { accountId } = delivery;
      const { headers, body } = notification;
      const postTo: Post = (host, token) => post({ accountId, signer, headers, body }, host, token);
      return async (token) =>
        classifyApnsResponse(await postToKnowingHost(token, signer.topic, postTo), token.savedAtMs, now());
    },
    close: connections.close,
  };
}

type SignedNotification = {
  accountId: string;
  signer: ApnsSigner;
  headers: Record<string, string>;
  body: string;
};
type ApnsToken = PushDelivery['tokens'][number];
type ConnectionPool = { get(host: Host, owner: string): ApnsConnection; close(): void };

// A connection per signing key, because APNs ties a connection to the key of its first push. The least recently used connections
// close.
function createConnectionPool(open: (host: Host) => ApnsConnection): ConnectionPool {
  const pool = new Map<string, ApnsConnection>();
  return {
    get(host, owner) {
      const key = `${host} ${owner}`;
      const connection = pool.get(key) ?? open(host);
      pool.delete(key);
      pool.set(key, connection);
      const [oldest] = pool;
      if (oldest && pool.size > CONNECTIONS_MAX) {
        pool.delete(oldest[0]);
        oldest[1].close();
      }
      return connection;
    },
    close() {
      for (const connection of pool.values()) connection.close();
      pool.clear();
    },
  };
}

const Refusal = v.object({ reason: v.optional(v.string(), ''), timestamp: v.optional(v.number()) });

const DEAD_TOKEN_REASONS = ['BadDeviceToken', 'MissingDeviceToken'];
/** Temporary although its status is 400. */
const IDLE_CONNECTION = 'IdleTimeout';

/** The reason in a response of APNs other than 200; empty if there is none. */
function findApnsReason(response: ApnsResponse): string {
  return response.kind === 'response' ? (readJson(Refusal, response.body)?.reason ?? '') : '';
}

/**
 * APNs' response to one notification. `savedAtMs`: when the user's token was last registered; a 410 that is
 * older is about an earlier install, so the token stays. Times are epoch milliseconds.
 */
function classifyApnsResponse(
  response: ApnsResponse,
  savedAtMs: number | undefined,
  nowMs: number,
): TokenResult<'PUSH'> {
  if (response.kind === 'timeout') return retryToken('APNs: timeout');
  if (response.kind === 'unreachable') return retryToken(`APNs: ${response.reason}`);
  if (response.status === 200) return { kind: 'sent' };
  const { reason, timestamp } = readJson(Refusal, response.body) ?? { reason: '' };
  const internal = `APNs: ${response.status} ${reason}`;
  if (response.status === 410) {
    const dead = timestamp !== undefined && timestamp > (savedAtMs ?? Number.NEGATIVE_INFINITY);
    return dead ? buryToken('INVALID_APN_TOKEN', internal) : rejectToken('INVALID_APN_TOKEN', internal);
  }
  if (isPassingStatus(response.status) || reason === IDLE_CONNECTION) {
    return retryToken(internal, parseRetryAfterSeconds(response.headers['retry-after'], nowMs));
  }
  if (response.status === 400 && DEAD_TOKEN_REASONS.includes(reason)) {
    return buryToken('INVALID_APN_TOKEN', internal);
  }
  return rejectToken(reason === 'DeviceTokenNotForTopic' ? 'INVALID_APN_TOKEN' : 'UNKNOWN', internal);
}
