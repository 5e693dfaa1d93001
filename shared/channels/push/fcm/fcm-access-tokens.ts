import { createHash, sign } from 'node:crypto';
import * as v from 'valibot';
import { isPassingStatus } from '../../../http-client/passing-status.ts';
import type { ProviderClient, ProviderResponse } from '../../../http-client/provider-client.ts';
import { parseRetryAfterSeconds } from '../../../http-client/retry-after.ts';
import { createRenewing } from '../../../runtime/async/cache.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { readJson, rejectToken, retryToken, type TokenResult } from '../token-results.ts';
import type { FcmConfig } from './fcm-config.ts';

/** An access token, or the reason why there is none. */
type FcmAccess = { ok: true; accessToken: string } | { ok: false; result: TokenResult<'PUSH'> };

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFETIME_SECONDS = 3600;
const EARLY_MS = 5 * 60_000;
const HELD_MAX = 1000;

const TokenResponse = v.object({ access_token: v.pipe(v.string(), v.minLength(1)), expires_in: v.number() });
const TokenError = v.object({ error: v.string(), error_description: v.optional(v.string()) });

type Held = { access: FcmAccess; untilMs: number };

/**
 * Access tokens of service accounts, held in memory until five minutes before they expire. Gets access tokens by
 * signed assertion (RFC 7523) from `tokenUrl`, one exchange at a time per service account.
 */
export function createFcmAccessTokens(options: {
  tokenUrl: string;
  http: ProviderClient;
  now: Clock['now'];
}) {
  const { tokenUrl, http, now } = options;
  const held = createRenewing<Held>({ max: HELD_MAX, isKept: ({ access }) => access.ok });

  async function exchange(config: FcmConfig): Promise<Held> {
    const response = await http.request({
      url: tokenUrl,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: GRANT_TYPE,
        assertion: signAssertion(config, tokenUrl, now()),
      }).toString(),
    });
    return readTokenResponse(response, now());
  }

  return {
    /** `refused` is a token that FCM no longer accepts: a new token is returned. */
    async get(config: FcmConfig, refused?: string): Promise<FcmAccess> {
      const { access } = await held(
        holdKey(config),
        (each) => isUsable(each, refused, now()),
        () => exchange(config),
      );
      return access;
    },
  };
}

function isUsable({ access, untilMs }: Held, refused: string | undefined, nowMs: number): boolean {
  return !access.ok || (access.accessToken !== refused && nowMs < untilMs);
}

// Cached by the key itself: an account with another's email address and project must not get its token.
function holdKey({ clientEmail, projectId, privateKey }: FcmConfig): string {
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return createHash('sha256')
    .update(JSON.stringify([clientEmail, projectId]))
    .update(der)
    .digest('base64');
}

function signAssertion(config: FcmConfig, tokenUrl: string, nowMs: number): string {
  const issuedAtSeconds = Math.floor(nowMs / 1000);
  const keyId = defined({ kid: config.privateKeyId });
  const claims = {
    iss: config.clientEmail,
    scope: SCOPE,
    aud: tokenUrl,
    iat: issuedAtSeconds,
    exp: issuedAtSeconds + LIFETIME_SECONDS,
  };
  const signed = [{ alg: 'RS256', typ: 'JWT', ...keyId }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), config.privateKey).toString('base64url')}`;
}

function readTokenResponse(response: ProviderResponse, nowMs: number): Held {
  if (response.kind !== 'response') {
    const why = response.kind === 'timeout' ? 'timeout' : response.reason;
    return failed(retryToken(`token endpoint: ${why}`));
  }
  const token = response.status === 200 ? readJson(TokenResponse, response.body) : undefined;
  if (token) {
    const untilMs = nowMs + token.expires_in * 1000 - EARLY_MS;
    return { access: { ok: true, accessToken: token.access_token }, untilMs };
  }
  const { error = '', error_description = '' } = readJson(TokenError, response.body) ?? {};
  const internal = `token endpoint: ${response.status} ${error} ${error_description}`;
  const mayPass = response.status < 400 || isPassingStatus(response.status);
  if (!mayPass) return failed(rejectToken('UNKNOWN', internal));
  return failed(retryToken(internal, parseRetryAfterSeconds(response.headers['retry-after'], nowMs)));
}

function failed(result: TokenResult<'PUSH'>): Held {
  return { access: { ok: false, result }, untilMs: 0 };
}
