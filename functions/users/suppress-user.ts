import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { suppressUserRoute } from './routes.ts';
import { suppressibleProblems } from './suppressible.ts';
import { unknownUser } from './unknown-user.ts';

export const handler = endpoint(
  suppressUserRoute,
  { users, suppressions },
  async ({ users, suppressions, caller, path, body, request }) => {
    const profile = await users.find(caller, path.userId);
    if (!profile) throw unknownUser();
    const { email } = profile;
    if (email === undefined) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The user has no email address.',
        fix: 'Save the address with POST /users/{userId} first.',
      });
    }
    const { reason = 'Complaint' } = body;
    const details = { timestamp: isoOf(request.receivedAtMs), ...body.details };
    await suppressions.suppress(caller.accountId, email, { reason, details });
    await users.edit(caller, path.userId, request.receivedAtMs, (stored) =>
      stored.email === email && !stored.emailSuppressionStatus
        ? { ...stored, emailSuppressionStatus: { reason, details } }
        : undefined,
    );
    return { message: "The user's email is suppressed." };
  },
  suppressibleProblems,
);
