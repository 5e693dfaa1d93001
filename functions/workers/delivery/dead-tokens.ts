import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { resolve } from '../../../shared/deps/dependency.ts';

/** Removes push tokens and web push subscriptions that a provider called dead from the user. */
export async function removeDeadTokens(
  head: StoredLogHead,
  deadTokens: readonly string[],
  nowMs: number,
): Promise<void> {
  const dead = new Set(deadTokens);
  await resolve(users).edit(head, head.userId, nowMs, (profile) => {
    const pushTokens = profile.pushTokens?.filter((each) => !dead.has(each.token));
    const webPushTokens = profile.webPushTokens?.filter((each) => !dead.has(each.sub.endpoint));
    const isChanged =
      pushTokens?.length !== profile.pushTokens?.length ||
      webPushTokens?.length !== profile.webPushTokens?.length;
    if (!isChanged) return undefined;
    return { ...profile, ...(pushTokens ? { pushTokens } : {}), ...(webPushTokens ? { webPushTokens } : {}) };
  });
}
