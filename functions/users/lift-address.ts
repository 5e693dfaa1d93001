import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { suppressionList } from '../../shared/providers/email/suppression-list.ts';
import { liftAddressRoute } from './routes.ts';
import { suppressibleProblems } from './suppressible.ts';

export const handler = endpoint(
  liftAddressRoute,
  { suppressions, suppressionList },
  async ({ suppressions, suppressionList, caller, path, request }) => {
    // The provider first, as for a user.
    await suppressionList.remove(path.address);
    await suppressions.lift(caller.accountId, path.address, request.receivedAtMs);
    return { message: 'The address is no longer suppressed.' };
  },
  suppressibleProblems,
);
