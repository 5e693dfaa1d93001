import { users } from '../../shared/database/entities/users.ts';
import { normalizeContact } from '../../shared/http/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems.ts';
import { saveUserRoute } from './routes.ts';
import { userAnswer } from './user-answer.ts';

export const handler = endpoint(saveUserRoute, { users }, async ({ users, caller, path, body, request }) => {
  const problems: Problem[] = [];
  if (body.id !== undefined && body.id !== path.userId) {
    problems.push({ where: 'body.id', must: 'must be the id in the path, or be left out' });
  }
  const change = normalizeContact(body, 'body', problems);
  assertNoProblems(problems);
  const profile = await users.merge(caller, path.userId, change, { nowMs: request.receivedAtMs, seen: true });
  return userAnswer(profile, caller);
});
