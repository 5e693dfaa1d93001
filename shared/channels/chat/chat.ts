import { chatAccessOf, chatTokenName } from '../../domain/users/chat-access.ts';
import type { GuardedClient } from '../../http-client/guarded-client.ts';
import type { ProviderClient } from '../../http-client/provider-client.ts';
import type { Clock } from '../../runtime/clock.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { ChatToken } from '../../schemas/users/user.ts';
import type { ChannelProvider, ChatDelivery, DeliveryOutcome } from '../channel.ts';
import type { ChatResult, ChatRetry } from './chat-api.ts';
import { codeOfChatError } from './chat-errors.ts';
import type { ChatPosted } from './chat-post.ts';
import { type ChatPost, createChatRouter } from './chat-router.ts';

/**
 * Gets a new token for the user, under a lock, and saves it before returning: a refresh token is single-use.
 * Returns the saved one if another worker was faster, undefined if it cannot be refreshed, `retry` if it
 * may be possible later.
 */
export type ChatTokenRefresh = (
  delivery: ChatDelivery,
) => Promise<(ChatToken & { obtainedAtMs: number }) | ChatRetry | undefined>;

type Outcome = DeliveryOutcome<'CHAT'>;
type Token = NonNullable<ChatDelivery['chatToken']>;

const REFRESH_BEFORE_MS = 2 * 60 * 60_000;
/**
 * Posts by chat.postMessage at `baseUrl` (https://slack.com/api), or by the token's incoming webhook if there
 * is no channel or no access token. The provider's acceptance is also the delivery: it gives no receipts.
 */
export function createChatProvider(options: {
  baseUrl: string;
  http: ProviderClient;
  guarded: GuardedClient;
  now: Clock['now'];
  refresh: ChatTokenRefresh;
}): ChannelProvider<'CHAT'> {
  const { now, refresh } = options;
  const router = createChatRouter(options);

  async function postRefreshed(delivery: ChatDelivery, token: Token, post: ChatPost): Promise<Outcome> {
    if (!chatAccessOf(token).refresh_token) return toOutcome(await post(token), token);
    const first = isRefreshDue(token, now()) ? undefined : await post(token);
    if (first && !isExpiry(first)) return toOutcome(first, token);
    const refreshed = await refresh(delivery);
    if (refreshed && !('kind' in refreshed)) return toOutcome(await post(refreshed), refreshed);
    // A token that was only due may still have some time to live.
    const last = first ?? (await post(token));
    return toOutcome(refreshed && isExpiry(last) ? refreshed : last, token);
  }

  return {
    name: 'live',
    async deliver(delivery) {
      const { chatToken, content } = delivery;
      if (!chatToken) return reject('INVALID_AUTH', 'the user has no chat token');
      if (!content.text) return reject('NO_TEXT', content.blocks ? 'blocks need a text' : 'there is no text');
      return postRefreshed(delivery, chatToken, router.prepare(delivery));
    },
  };
}

function isRefreshDue(token: Token, nowMs: number): boolean {
  const { obtainedAtMs } = token;
  const { expires_in } = chatAccessOf(token);
  if (obtainedAtMs === undefined || expires_in === undefined) return false;
  return obtainedAtMs + expires_in * 1000 - nowMs < REFRESH_BEFORE_MS;
}

function isExpiry(result: ChatResult<ChatPosted>): boolean {
  return result.kind === 'rejected' && result.error === 'token_expired';
}

function reject(code: FailureCode<'CHAT'>, internal: string): Outcome {
  return { kind: 'rejected', code, internal };
}

/** The product says that the token, or the webhook in its place, will never work again. */
const DEAD_ERRORS = ['token_revoked', 'account_inactive', 'webhook_gone'];

function toOutcome(result: ChatResult<ChatPosted>, token: ChatToken): Outcome {
  if (result.kind === 'ok') {
    const { ts, channel } = result.value;
    return {
      kind: 'sent',
      fields: {},
      delivered: { chat_delivered_internal: JSON.stringify({ ts, channel }) },
    };
  }
  if (result.kind === 'rejected') {
    const { error, internal } = result;
    const name = DEAD_ERRORS.includes(error) ? chatTokenName(token) : undefined;
    return {
      ...reject(codeOfChatError(error), internal),
      ...defined({ deadTokens: name === undefined ? undefined : [name] }),
    };
  }
  const { internal, afterSeconds } = result;
  return { kind: 'retry', code: 'UNKNOWN', internal, ...defined({ afterSeconds }) };
}
