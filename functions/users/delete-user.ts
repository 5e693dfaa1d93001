import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { actorOf } from '../preferences/choose.ts';
import { erasureDependencies, startErasure } from './erasure/start-erasure.ts';
import { deleteUserRoute } from './routes.ts';
import { unknownUser } from './unknown-user.ts';

export const handler = endpoint(
  deleteUserRoute,
  erasureDependencies,
  async ({ caller, path, request, ...deps }) => {
    const { accountId, environmentId } = caller;
    const by = { atMs: request.receivedAtMs, askedBy: actorOf(caller) };
    const erasure = await startErasure(deps, { accountId, environmentId, userId: path.userId }, by);
    if (!erasure) throw unknownUser();
    return { message: MESSAGES[erasure.state], erasure };
  },
);

const OTHERS =
  'POST /erasures also covers other environments, and other users and messages with the address.';

const MESSAGES = {
  done: `The user is deleted and erased from the logs of this environment. ${OTHERS}`,
  running: `The user is deleted. Erasing them from the logs of this environment continues in the background. ${OTHERS}`,
} as const;
