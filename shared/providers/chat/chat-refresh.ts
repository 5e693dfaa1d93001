import type { ChatDelivery } from '../../channels/channel.ts';
import type { ChatTokenRefresh } from '../../channels/chat/chat.ts';
import { leases } from '../../database/entities/sending/leases.ts';
import { users } from '../../database/entities/users/users.ts';
import { chatAccessOf } from '../../domain/users/chat-access.ts';
import { setting } from '../../runtime/config.ts';
import { clock, resolve } from '../../runtime/dependency.ts';
import { providerClient } from '../clients/http-clients.ts';
import { requireSecret } from '../settings/secrets.ts';

const LEASE_MS = 30_000;
const FRESH_MS = 60_000;

export const chatBaseUrl = () => setting('CHAT_BASE_URL');

/**
 * Refreshes a user's chat token under a lease and saves it before it is used: the old refresh token dies with the refresh, so
 * only one worker can do it.
 */
export async function refreshChatToken(
  delivery: Pick<ChatDelivery, 'accountId' | 'environmentId' | 'userId' | 'chatToken'>,
): ReturnType<ChatTokenRefresh> {
  const scope = { accountId: delivery.accountId, environmentId: delivery.environmentId };
  const lease = `chat-token/${delivery.environmentId}/${delivery.userId}`;
  const nowMs = resolve(clock).now();
  const stored = (await resolve(users).find(scope, delivery.userId))?.chatToken;
  if (stored?.obtainedAtMs !== undefined && stored.obtainedAtMs > nowMs - FRESH_MS) {
    const accessOf = (token: ChatDelivery['chatToken']) => token && chatAccessOf(token).access_token;
    const isNewer = accessOf(stored) !== accessOf(delivery.chatToken);
    if (isNewer) return { ...stored, obtainedAtMs: stored.obtainedAtMs };
  }
  if (!stored || !chatAccessOf(stored).refresh_token) return undefined;
  if (!(await resolve(leases).take(lease, nowMs, LEASE_MS))) {
    return { kind: 'retry', internal: 'the token is being refreshed by another worker', afterSeconds: 2 };
  }
  try {
    const { refreshToken } = await import('../../channels/chat/oauth.ts');
    const response = await refreshToken({
      token: stored,
      clientId: await requireSecret('CHAT_CLIENT_ID'),
      clientSecret: await requireSecret('CHAT_CLIENT_SECRET'),
      baseUrl: chatBaseUrl(),
      http: resolve(providerClient),
      now: resolve(clock).now,
    });
    if (response.kind === 'retry') return response;
    if (response.kind !== 'ok') return undefined;
    const token = { ...response.value, obtainedAtMs: nowMs };
    await resolve(users).edit(scope, delivery.userId, nowMs, (profile) => ({ ...profile, chatToken: token }));
    return token;
  } finally {
    await resolve(leases).free(lease);
  }
}
