import type { Suppressions } from '../../shared/database/entities/users/suppressions.ts';
import type { Users } from '../../shared/database/entities/users/users.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import type { Fields } from '../../shared/http/problems/check.ts';
import { contactProblemsAt, normalizeContact } from '../../shared/http/problems/contact.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { DAY_MS } from '../../shared/runtime/values/durations.ts';
import type { User, UserChange } from '../../shared/schemas/users/user.ts';
import { publicUrlProblems, subscriptionUrls } from './public-urls.ts';
import { userResponse } from './user-response.ts';

export async function savedUser(
  { users, ...deps }: { users: Users; suppressions: Suppressions },
  caller: Caller,
  { userId, body, nowMs }: { userId: string; body: UserChange; nowMs: number },
): Promise<User> {
  const profile = await users.merge(caller, userId, normalizeContact(body), { nowMs, seen: true });
  const response = await userResponse(deps, profile, caller);
  const { emailSuppressionStatus } = response;
  if (emailSuppressionStatus && !profile.emailSuppressionStatus) {
    // Saves the next send a read of the address.
    await users.edit(caller, userId, nowMs, (stored) =>
      stored.email === profile.email ? { ...stored, emailSuppressionStatus } : undefined,
    );
  }
  return response;
}

const PAUSE_MS_MAX = 10 * 366 * DAY_MS;

/** The problems of a change that its schema cannot express, under `where`. */
export async function changeProblems(where: string, body: Fields, nowMs: number): Promise<Problem[]> {
  const { pausedUntil } = body;
  const isTooLong = typeof pausedUntil === 'string' && Date.parse(pausedUntil) > nowMs + PAUSE_MS_MAX;
  return [
    ...contactProblemsAt(where, body),
    ...(await publicUrlProblems(subscriptionUrls(where, body))),
    ...(isTooLong ? [{ where: `${where}.pausedUntil`, must: 'must be at most ten years ahead' }] : []),
  ];
}
