import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { users } from '../../shared/database/entities/users.ts';
import { normalizeContact } from '../../shared/http/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems.ts';
import { saveUserRoute } from './routes.ts';
import { userAnswer } from './user-answer.ts';

export const handler = endpoint(
  saveUserRoute,
  { users, suppressions },
  async ({ users, caller, path, body, request, ...deps }) => {
    const problems: Problem[] = [];
    if (body.id !== undefined && body.id !== path.userId) {
      problems.push({ where: 'body.id', must: 'must be the ID in the path, or be omitted' });
    }
    const change = normalizeContact(body, 'body', problems);
    assertNoProblems(problems);
    const profile = await users.merge(caller, path.userId, change, {
      nowMs: request.receivedAtMs,
      seen: true,
    });
    const answer = await userAnswer(deps, profile, caller);
    const { emailSuppressionStatus } = answer;
    if (emailSuppressionStatus && !profile.emailSuppressionStatus) {
      // Saves the next send a read of the address.
      await users.edit(caller, path.userId, request.receivedAtMs, (stored) =>
        stored.email === profile.email ? { ...stored, emailSuppressionStatus } : undefined,
      );
    }
    return answer;
  },
);
