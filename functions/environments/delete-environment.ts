import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { environmentNotFound } from './environment-response.ts';
import { removalDependencies, startRemoval } from './remove-environment.ts';
import { deleteEnvironmentRoute } from './routes.ts';

export const handler = endpoint(
  deleteEnvironmentRoute,
  { ...removalDependencies, accounts },
  async ({ accounts, caller, path, request, ...deps }) => {
    const { accountId, memberId } = caller;
    const { clientId } = path;
    const { defaultEnvironmentId } = await accounts.get(accountId);
    if (clientId === defaultEnvironmentId) throw isDefault();
    const all = await deps.environments.listAll(accountId);
    const found = all.find(({ environmentId }) => environmentId === clientId);
    if (!found) throw environmentNotFound();
    const removal = { accountId, environmentId: clientId };
    if (found.removedAtMs === undefined)
      await startRemoval(deps, removal, { memberId, nowMs: request.receivedAtMs });
    return { message: 'The environment is removed with everything in it.', clientId };
  },
);

const isDefault = () =>
  new AppError('INVALID_REQUEST', {
    message: "The account's default environment cannot be removed.",
    path: 'path.clientId',
    fix: 'Remove another environment, or let the operator delete the account.',
  });
