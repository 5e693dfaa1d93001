import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { users } from '../../shared/database/entities/users.ts';
import { type Fields, fieldsOf, idProblems } from '../../shared/http/check.ts';
import { contactProblemsAt, normalizeContact } from '../../shared/http/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { Problem } from '../../shared/http/problems.ts';
import { DAY_MS } from '../../shared/runtime/durations.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { saveUserRoute } from './routes.ts';
import { userAnswer } from './user-answer.ts';

export const handler = endpoint(
  saveUserRoute,
  { users, suppressions },
  async ({ users, caller, path, body, request, ...deps }) => {
    if (body.attributes !== undefined && caller.kind === 'public') throw mayNotWriteAttributes();
    const change = normalizeContact(body);
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
  ({ path, body, nowMs }) => [
    ...idProblems('id', path.userId, body),
    ...contactProblemsAt('body', fieldsOf(body)),
    ...pauseProblems(fieldsOf(body), nowMs),
  ],
);

const PAUSE_MS_MAX = 10 * 366 * DAY_MS;

function pauseProblems({ pausedUntil }: Fields, nowMs: number): Problem[] {
  const isTooLong = typeof pausedUntil === 'string' && Date.parse(pausedUntil) > nowMs + PAUSE_MS_MAX;
  return isTooLong ? [{ where: 'body.pausedUntil', must: 'must be at most ten years ahead' }] : [];
}

/** Conditions rely on attributes, and whoever reads a page has its public key. */
function mayNotWriteAttributes(): AppError {
  return new AppError('FORBIDDEN_KEY_TYPE', {
    message: 'A public key may not write attributes.',
    fix: 'Write attributes from your server, with a secret key.',
  });
}
