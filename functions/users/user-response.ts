import { fullerStatus, type Suppressions } from '../../shared/database/entities/users/suppressions.ts';
import type { Profile } from '../../shared/domain/users/profile.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { User } from '../../shared/schemas/users/user.ts';

/** A user as returned: without storage details, with the chat token for secret keys only. */
export async function userResponse(
  deps: { suppressions: Suppressions },
  profile: Profile,
  caller: Caller,
): Promise<User> {
  const { email } = profile;
  const status = email && (await deps.suppressions.find(caller.accountId, email));
  return responseOf(profile, caller, status || undefined);
}

export async function userResponses(
  { suppressions }: { suppressions: Suppressions },
  profiles: readonly Profile[],
  caller: Caller,
): Promise<User[]> {
  const withAddress = profiles.filter(({ email }) => email !== undefined);
  const addresses = withAddress.map(({ email = '' }) => email);
  const statuses = await suppressions.findAll(caller.accountId, addresses);
  const statusOf = new Map(withAddress.map((profile, index) => [profile, statuses[index]]));
  return profiles.map((profile) => responseOf(profile, caller, statusOf.get(profile)));
}

function responseOf(profile: Profile, caller: Caller, status: User['emailSuppressionStatus']): User {
  const {
    userId,
    pushTokens,
    webPushTokens,
    chatToken,
    lastSeenAtMs,
    pausedUntilMs,
    createdAtMs,
    updatedAtMs,
    ...rest
  } = profile;
  const { emailSuppressionStatus: copy, ...fields } = rest;
  return {
    id: userId,
    ...fields,
    ...defined({
      pushTokens: pushTokens?.map(({ savedAtMs: _, ...token }) => token),
      webPushTokens: webPushTokens?.map(({ sub }) => ({ sub })),
      chatToken: chatToken && caller.kind === 'secret' ? withoutObtainedAt(chatToken) : undefined,
      pausedUntil: pausedUntilMs === undefined ? undefined : isoOf(pausedUntilMs),
      lastSeenTime: lastSeenAtMs === undefined ? undefined : isoOf(lastSeenAtMs),
      emailSuppressionStatus: fullerStatus(status, copy) ?? copy,
    }),
    updatedAt: isoOf(updatedAtMs),
    createdAt: isoOf(createdAtMs),
  };
}

function withoutObtainedAt(token: NonNullable<Profile['chatToken']>): NonNullable<User['chatToken']> {
  const { obtainedAtMs: _, ...rest } = token;
  return rest;
}
