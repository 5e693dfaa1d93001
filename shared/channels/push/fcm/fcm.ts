import type { ProviderClient } from '../../../http-client/provider-client.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_SECONDS } from '../../../runtime/values/durations.ts';
import { MUST_BE_FREE_KEYS, RESERVED_KEY } from '../../../schemas/sending/send-request.ts';
import type { PushDelivery } from '../../channel.ts';
import { validSeconds } from '../../validity.ts';
import { apnsHeadersOf } from '../apns/apns-notification.ts';
import { apsOf, fcmMessageOf, isSilent } from '../push-payload.ts';
import { rejectToken, type TokenResult } from '../token-results.ts';
import { createFcmAccessTokens } from './fcm-access-tokens.ts';
import { type FcmConfig, parseFcmConfig } from './fcm-config.ts';
import { classifyFcmResponse } from './fcm-responses.ts';

type FcmSend = (deviceToken: string) => Promise<TokenResult<'PUSH'>>;

/** FCM HTTP v1. `prepare` reads the account's configuration and builds the message once for all devices. */
export type FcmSender = { prepare(delivery: PushDelivery): FcmSend };

const PRIORITIES = ['HIGH', 'NORMAL'];

/** FCM keeps a message for four weeks at most. */
const TTL_SECONDS_MAX = 28 * DAY_SECONDS;

type Message = ReturnType<typeof fcmMessageOf> & { android?: object; apns?: object };

/** A sender to `baseUrl` (https://fcm.googleapis.com), with tokens from `tokenUrl`, regardless of the service account's JSON. */
export function createFcmSender(options: {
  baseUrl: string;
  tokenUrl: string;
  http: ProviderClient;
  now: Clock['now'];
}): FcmSender {
  const { baseUrl, http, now } = options;
  const accessTokens = createFcmAccessTokens(options);

  async function sendOnce(config: FcmConfig, accessToken: string, body: string, attempt: number) {
    const response = await http.request({
      url: `${baseUrl}/v1/projects/${encodeURIComponent(config.projectId)}/messages:send`,
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body,
    });
    return classifyFcmResponse(response, attempt, now());
  }

  async function send(config: FcmConfig, body: string, attempt: number): Promise<TokenResult<'PUSH'>> {
    const access = await accessTokens.get(config);
    if (!access.ok) return access.result;
    const first = await sendOnce(config, access.accessToken, body, attempt);
    if (first.kind !== 'unauthenticated') return first;
    const renewed = await accessTokens.get(config, access.accessToken);
    if (!renewed.ok) return renewed.result;
    const second = await sendOnce(config, renewed.accessToken, body, attempt);
    return second.kind === 'unauthenticated' ? rejectToken('UNKNOWN', second.internal) : second;
  }

  return {
    prepare(delivery) {
      const config = parseFcmConfig(delivery.fcmConfig ?? '');
      if (!config.ok) return async () => rejectToken('NO_FCM_CONFIG', config.problem);
      const message = buildMessage(delivery, now());
      const problem = findProblem(message);
      if (problem) return async () => rejectToken('UNKNOWN', problem);
      return (token) =>
        send(config.value, JSON.stringify({ message: { token, ...message } }), delivery.attempt);
    },
  };
}

function buildMessage(delivery: PushDelivery, nowMs: number): Message {
  const { fcm } = delivery;
  const usual = fcm?.android?.ttl;
  const ttl = Math.min(validSeconds(delivery, nowMs, { usual }) ?? TTL_SECONDS_MAX, TTL_SECONDS_MAX);
  const isLimited = usual !== undefined || ttl < TTL_SECONDS_MAX;
  const android = buildAndroid(fcm?.android, isLimited ? ttl : undefined);
  // Android shows an empty notification for one without text.
  if (isSilent(delivery)) delete android.notification;
  const isForApple = delivery.apn !== undefined || delivery.validUntilMs !== undefined;
  return {
    ...fcmMessageOf(delivery),
    ...defined({
      android: Object.keys(android).length > 0 ? android : undefined,
      apns: isForApple || delivery.image !== undefined ? apnsOf(delivery) : undefined,
    }),
  };
}

/** What a device of Apple's that FCM reaches gets beside the text. */
const apnsOf = (delivery: PushDelivery) => ({
  headers: apnsHeadersOf(delivery),
  payload: { aps: apsOf(delivery) },
  ...defined({
    fcm_options: delivery.image === undefined || isSilent(delivery) ? undefined : { image: delivery.image },
  }),
});

function buildAndroid(
  android: NonNullable<PushDelivery['fcm']>['android'],
  ttl: number | undefined,
): Record<string, unknown> {
  const { channelId: channel_id, sound, icon } = android ?? {};
  const shown = defined({ channel_id, sound, icon });
  const priority = PRIORITIES.find((name) => name === android?.priority?.toUpperCase());
  return {
    ...defined({
      collapse_key: android?.collapseKey,
      priority,
      ttl: ttl === undefined ? undefined : `${ttl}s`,
      restricted_package_name: android?.restrictedPackageName,
      notification: Object.keys(shown).length > 0 ? shown : undefined,
    }),
  };
}

function findProblem({ data }: Message): string | undefined {
  return Object.keys(data).some((key) => RESERVED_KEY.test(key))
    ? `customData ${MUST_BE_FREE_KEYS}`
    : undefined;
}
