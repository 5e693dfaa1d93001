import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { type Logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import type { Users } from '../../../shared/database/entities/users.ts';
import { chatTokenName } from '../../../shared/domain/chat-access.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/defined.ts';

/**
 * Removes push tokens, web push subscriptions and the chat token that a provider reported dead from the user, except those that
 * the user has registered again since `triedAtMs`. The end of a chat token is an event: the user has no other.
 */
export async function removeDeadTokens(
  { users, logs, clock }: { users: Users; logs: Pick<Logs, 'append'>; clock: Clock },
  head: StoredLogHead,
  deadTokens: readonly string[],
  triedAtMs: number,
): Promise<void> {
  const dead = new Set(deadTokens);
  const isAlive = (name: string, savedAtMs = 0) => !dead.has(name) || savedAtMs > triedAtMs;
  let isChatOver = false;
  await users.edit(head, head.userId, clock.now(), (profile) => {
    const pushTokens = profile.pushTokens?.filter(({ token, savedAtMs }) => isAlive(token, savedAtMs));
    const webPushTokens = profile.webPushTokens?.filter(({ sub, savedAtMs }) =>
      isAlive(sub.endpoint, savedAtMs),
    );
    const { chatToken, ...rest } = profile;
    isChatOver = dead.has((chatToken && chatTokenName(chatToken)) ?? '');
    if (isChatOver) return rest;
    const isChanged =
      pushTokens?.length !== profile.pushTokens?.length ||
      webPushTokens?.length !== profile.webPushTokens?.length;
    if (!isChanged) return undefined;
    return { ...profile, ...defined({ pushTokens, webPushTokens }) };
  });
  if (!isChatOver) return;
  const event = {
    channel: 'CHAT',
    stage: 'unsubscribe',
    seq: 'token',
    atMs: clock.now(),
    fields: {},
  } as const;
  await logs.append(head.trackingId, ownerOf(head), event);
}
