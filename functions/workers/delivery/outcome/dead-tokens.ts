import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import { type Logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import type { Users } from '../../../../shared/database/entities/users/users.ts';
import { chatTokenName } from '../../../../shared/domain/users/chat-access.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';

/**
 * Removes push tokens, web push subscriptions and the chat token that a provider reported dead from the user, except tokens that
 * the user has registered again since `triedAtMs`. Losing the last token of a channel is an event.
 */
export async function removeDeadTokens(
  { users, logs, clock }: { users: Users; logs: Pick<Logs, 'append'>; clock: Clock },
  head: StoredLogHead,
  deadTokens: readonly string[],
  triedAtMs: number,
): Promise<void> {
  const dead = new Set(deadTokens);
  const isAlive = (name: string, savedAtMs = 0) => !dead.has(name) || savedAtMs > triedAtMs;
  let ended: Channel[] = [];
  await users.edit(head, head.userId, clock.now(), (profile) => {
    const pushTokens = profile.pushTokens?.filter(({ token, savedAtMs }) => isAlive(token, savedAtMs));
    const webPushTokens = profile.webPushTokens?.filter(({ sub, savedAtMs }) =>
      isAlive(sub.endpoint, savedAtMs),
    );
    const { chatToken, ...rest } = profile;
    const isChatOver = dead.has((chatToken && chatTokenName(chatToken)) ?? '');
    const removed = {
      PUSH: pushTokens?.length !== profile.pushTokens?.length,
      WEB_PUSH: webPushTokens?.length !== profile.webPushTokens?.length,
    };
    ended = [
      ...(removed.PUSH && pushTokens?.length === 0 ? (['PUSH'] as const) : []),
      ...(removed.WEB_PUSH && webPushTokens?.length === 0 ? (['WEB_PUSH'] as const) : []),
      ...(isChatOver ? (['CHAT'] as const) : []),
    ];
    if (!isChatOver && !removed.PUSH && !removed.WEB_PUSH) return undefined;
    return { ...(isChatOver ? rest : profile), ...defined({ pushTokens, webPushTokens }) };
  });
  for (const channel of ended) {
    const event = { channel, stage: 'unsubscribe', seq: 'token', atMs: clock.now(), fields: {} } as const;
    await logs.append(head.trackingId, ownerOf(head), event);
  }
}
