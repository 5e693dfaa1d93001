import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import type { Users } from '../../../shared/database/entities/users.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/defined.ts';

/**
 * Removes push tokens and web push subscriptions that a provider reported dead from the user, except those
 * that the user has registered again since `triedAtMs`.
 */
export async function removeDeadTokens(
  { users, clock }: { users: Users; clock: Clock },
  head: StoredLogHead,
  deadTokens: readonly string[],
  triedAtMs: number,
): Promise<void> {
  const dead = new Set(deadTokens);
  const isAlive = (name: string, savedAtMs = 0) => !dead.has(name) || savedAtMs > triedAtMs;
  await users.edit(head, head.userId, clock.now(), (profile) => {
    const pushTokens = profile.pushTokens?.filter(({ token, savedAtMs }) => isAlive(token, savedAtMs));
    const webPushTokens = profile.webPushTokens?.filter(({ sub, savedAtMs }) =>
      isAlive(sub.endpoint, savedAtMs),
    );
    const isChanged =
      pushTokens?.length !== profile.pushTokens?.length ||
      webPushTokens?.length !== profile.webPushTokens?.length;
    if (!isChanged) return undefined;
    return { ...profile, ...defined({ pushTokens, webPushTokens }) };
  });
}
