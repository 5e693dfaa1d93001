import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';

/**
 * Removes push tokens and web push subscriptions that a provider called dead from the user, except a token that the
 * user came with again since `triedAtMs`, when it was tried.
 */
export async function removeDeadTokens(
  head: StoredLogHead,
  deadTokens: readonly string[],
  triedAtMs: number,
): Promise<void> {
  const dead = new Set(deadTokens);
  await resolve(users).edit(head, head.userId, resolve(clock).now(), (profile) => {
    const pushTokens = profile.pushTokens?.filter(
      ({ token, savedAtMs }) => !dead.has(token) || savedAtMs > triedAtMs,
    );
    const webPushTokens = profile.webPushTokens?.filter((each) => !dead.has(each.sub.endpoint));
    const isChanged =
      pushTokens?.length !== profile.pushTokens?.length ||
      webPushTokens?.length !== profile.webPushTokens?.length;
    if (!isChanged) return undefined;
    return { ...profile, ...(pushTokens ? { pushTokens } : {}), ...(webPushTokens ? { webPushTokens } : {}) };
  });
}
