import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf, idProblems } from '../../shared/http/problems/check.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { saveUserRoute } from './routes.ts';
import { changeProblems, savedUser } from './saved-user.ts';

export const handler = endpoint(
  saveUserRoute,
  { users, suppressions },
  async ({ caller, path, body, request, ...deps }) => {
    if (body.attributes !== undefined && caller.kind === 'public') throw mayNotWriteAttributes();
    return savedUser(deps, caller, { userId: path.userId, body, nowMs: request.receivedAtMs });
  },
  async ({ path, body, nowMs }) => [
    ...idProblems('id', path.userId, body),
    ...(await changeProblems('body', fieldsOf(body), nowMs)),
  ],
);

/** Conditions rely on attributes, and everybody who reads a page has its public key. */
function mayNotWriteAttributes(): AppError {
  return new AppError('FORBIDDEN_KEY_TYPE', {
    message: 'A public key may not write attributes.',
    fix: 'Write attributes from your server, with a secret key.',
  });
}
