import type { Profile } from '../../shared/domain/profile.ts';
import type { Caller } from '../../shared/http/caller.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import type { User } from '../../shared/schemas/user.ts';

/** A user as answered: storage details are left out, the chat token goes to secret keys only (API 6). */
export function userAnswer(profile: Profile, caller: Caller): User {
  const { userId, pushTokens, chatToken, lastSeenAtMs, createdAtMs, updatedAtMs, ...rest } = profile;
  const { transientBouncesAtMs: _, smsOptOuts: __, ...fields } = rest;
  return {
    id: userId,
    ...fields,
    ...(pushTokens ? { pushTokens: pushTokens.map(({ savedAtMs: _, ...token }) => token) } : {}),
    ...(chatToken && caller.kind === 'secret' ? { chatToken: withoutObtainedAt(chatToken) } : {}),
    ...(lastSeenAtMs === undefined ? {} : { lastSeenTime: isoOf(lastSeenAtMs) }),
    updatedAt: isoOf(updatedAtMs),
    createdAt: isoOf(createdAtMs),
  };
}

function withoutObtainedAt(token: NonNullable<Profile['chatToken']>): NonNullable<User['chatToken']> {
  const { obtainedAtMs: _, ...rest } = token;
  return rest;
}
