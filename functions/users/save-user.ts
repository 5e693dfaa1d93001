import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { users } from '../../shared/database/entities/users.ts';
import { normalizeContact } from '../../shared/http/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { saveUserRoute } from './routes.ts';
import { userAnswer } from './user-answer.ts';

export const handler = endpoint(
  saveUserRoute,
  { users, suppressions },
  async ({ users, caller, path, body, request, ...deps }) => {
    if (body.attributes !== undefined && caller.kind === 'public') throw mayNotWriteAttributes();
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

/** Conditions rely on attributes, and whoever reads a page has its public key. */
function mayNotWriteAttributes(): AppError {
  return new AppError('FORBIDDEN_KEY_TYPE', {
    message: 'A public key may not write attributes.',
    fix: 'Write attributes from your server, with a secret key.',
  });
}
