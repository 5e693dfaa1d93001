import * as v from 'valibot';
import { chatAccessOf } from '../../domain/users/chat-access.ts';
import type { ProviderClient } from '../../http-client/provider-client.ts';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { defined } from '../../runtime/values/defined.ts';
import { ChatToken } from '../../schemas/users/user.ts';
import { type ChatApi, type ChatResult, callChat } from './chat-api.ts';

/** The operator's app at the chat provider, and the address of its Web API (`https://slack.com/api`). */
export type ChatApp = {
  clientId: string;
  clientSecret: string;
  baseUrl: string;
  http: ProviderClient;
  now?: Clock['now'];
};

const METHOD = 'oauth.v2.access';
const GrantedToken = v.pipe(
  ChatToken,
  v.check((token) => Boolean(chatAccessOf(token).access_token)),
);

/**
 * Exchanges the code of a finished authorization for the token object. A code is single-use: a `retry`
 * attempt may have used it up. Use the time before the call as the token's `obtainedAtMs`.
 */
export function exchangeCode(
  input: ChatApp & { code: string; redirect_uri: string },
): Promise<ChatResult<ChatToken>> {
  const { code, redirect_uri } = input;
  return requestToken(input, { code, redirect_uri });
}

/**
 * Exchanges the refresh token of `token` for new tokens and returns the whole new token object. The old
 * refresh token is invalid after that: call it under a lock, and save the result before using it. Rejected
 * with `invalid_refresh_token` also if the token has none.
 */
export async function refreshToken(input: ChatApp & { token: ChatToken }): Promise<ChatResult<ChatToken>> {
  const { token } = input;
  const { refresh_token } = chatAccessOf(token);
  if (!refresh_token) {
    return {
      kind: 'rejected',
      error: 'invalid_refresh_token',
      internal: 'the chat token has no refresh token',
    };
  }
  const refreshed = await requestToken(input, {
    grant_type: 'refresh_token',
    refresh_token,
  });
  if (refreshed.kind !== 'ok') return refreshed;
  // The response has only the app and the tokens, not the webhook or the person's scopes.
  const { authed_user: before } = token;
  const { authed_user: after = before } = refreshed.value;
  const value = {
    ...token,
    ...refreshed.value,
    ...defined({ authed_user: after && { ...before, ...after } }),
  };
  return { kind: 'ok', value };
}

function requestToken(app: ChatApp, form: Record<string, string>): Promise<ChatResult<ChatToken>> {
  const api: ChatApi = { baseUrl: app.baseUrl, http: app.http, now: app.now ?? systemClock.now };
  const credentials = { client_id: app.clientId, client_secret: app.clientSecret };
  return callChat(api, {
    method: METHOD,
    accessToken: undefined,
    args: { form: { ...credentials, ...form } },
    schema: GrantedToken,
  });
}
