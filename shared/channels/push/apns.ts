import type { ApnsTokenStore } from '../../database/entities/apns-tokens.ts';
import { createCache } from '../../runtime/cache.ts';
import type { Clock } from '../../runtime/clock.ts';
import { defined } from '../../runtime/defined.ts';
import type { PushDelivery } from '../channel.ts';
import { classifyApnsAnswer, findApnsReason } from './apns-answers.ts';
import { type ApnsSigner, parseApnConfig } from './apns-config.ts';
import { type ApnsAnswer, type ApnsConnection, createApnsConnection } from './apns-connection.ts';
import { buildNotification } from './apns-notification.ts';
import { createApnsProviderTokens } from './apns-provider-tokens.ts';
import { rejectToken, type TokenResult } from './token-results.ts';

/** Sends to one device of the prepared delivery. */
type ApnsSend = (token: PushDelivery['tokens'][number]) => Promise<TokenResult<'PUSH'>>;

/** APNs. `prepare` reads the account's configuration and builds the notification once for all devices. */
export type ApnsSender = {
  prepare(delivery: PushDelivery): ApnsSend;
  /** Closes the connections, once their requests have responses. */
  close(): void;
};

type Host = 'production' | 'sandbox';
type Post = (host: Host, deviceToken: string) => Promise<ApnsAnswer>;

const CONNECTIONS_MAX = 64;
const REMEMBERED_HOSTS_MAX = 10_000;
const BAD_TOKEN = 'BadDeviceToken';
/** The token, or the signing key, may be one of the other host. */
const WRONG_HOST = /^(?:BadDeviceToken|BadEnvironmentKey(?:Id)?InToken)$/;
const BOTH_HOSTS: Host[] = ['production', 'sandbox'];

/**
 * A sender to `productionUrl` (https://api.push.apple.com) and `sandboxUrl`
 * (https://api.sandbox.push.apple.com). A token is tried at the host of its stated `environment`, or at
 * production, and at the other one before it counts as dead; the matching one is cached. `tokens` shares the
 * signed provider token between containers; `ca` is an additional certificate to trust.
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
  ): Promise<ApnsAnswer> {
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

  async function postToKnowingHost(token: ApnsToken, topic: string, postTo: Post): Promise<ApnsAnswer> {
    const stated = BOTH_HOSTS.find((host) => host === token.environment);
    const key = JSON.stringify([topic, token.token]);
    const first = knownHosts.find(key) ?? stated ?? 'production';
    const second = first === 'production' ? 'sandbox' : 'production';
    const answer = await postTo(first, token.token);
    const reason = findApnsReason(answer);
    if (!WRONG_HOST.test(reason)) return answer;
    const secondAnswer = await postTo(second, token.token);
    if (secondAnswer.kind === 'answer' && secondAnswer.status === 200) knownHosts.keep(key, second);
    // A host that rejects the signing key has said nothing about the token.
    const isKeyOfFirst = secondAnswer.kind === 'answer' && secondAnswer.status === 403 && first === stated;
    const isKeyOfSecond = reason !== BAD_TOKEN && findApnsReason(secondAnswer) === BAD_TOKEN;
    return isKeyOfFirst || isKeyOfSecond ? answer : secondAnswer;
  }

  return {
    prepare(delivery) {
      if (!delivery.apnConfig)
        return async () => rejectToken('NO_APN_CONFIG', 'no APN configuration is stored');
      const parsed = parseApnConfig(delivery.apnConfig);
      if (!parsed.ok) return async () => rejectToken('NO_APN_CONFIG', parsed.problem);
      const signer = parsed.value;
      const notification = buildNotification(delivery, signer.topic);
      if (!notification.ok) return async () => rejectToken('UNKNOWN', notification.problem);
      const { accountId } = delivery;
      const { headers, body } = notification;
      const postTo: Post = (host, token) => post({ accountId, signer, headers, body }, host, token);
      return async (token) =>
        classifyApnsAnswer(await postToKnowingHost(token, signer.topic, postTo), token.savedAtMs, now());
    },
    close: connections.close,
  };
}

/** A notification with the key that signs it. */
type SignedNotification = {
  accountId: string;
  signer: ApnsSigner;
  headers: Record<string, string>;
  body: string;
};
type ApnsToken = PushDelivery['tokens'][number];
type ConnectionPool = { get(host: Host, owner: string): ApnsConnection; close(): void };

// One connection per signing key, because APNs ties a connection to the key of its first push; the least recently
// used ones close.
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
