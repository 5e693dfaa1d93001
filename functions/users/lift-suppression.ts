import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { suppressionList } from '../../shared/providers/email/suppression-list.ts';
import { liftSuppressionRoute } from './routes.ts';
import { suppressibleProblems } from './suppressible.ts';
import { unknownUser } from './unknown-user.ts';

export const handler = endpoint(
  liftSuppressionRoute,
  { users, suppressions, suppressionList },
  async ({ users, suppressions, suppressionList, caller, path, request }) => {
    const profile = await users.find(caller, path.userId);
    if (!profile) throw unknownUser();
    const { email } = profile;
    if (email !== undefined) {
      // The provider first: otherwise the address would look reachable while the provider still drops the
      // email.
      await suppressionList.remove(email);
      await suppressions.lift(caller.accountId, email, request.receivedAtMs);
    }
    await users.edit(caller, path.userId, request.receivedAtMs, (stored) => {
      if (stored.emailSuppressionStatus === undefined || stored.email !== email) return undefined;
      const { emailSuppressionStatus: _, ...rest } = stored;
      return rest;
    });
    return { message: "The user's email is no longer suppressed." };
  },
  suppressibleProblems,
);
