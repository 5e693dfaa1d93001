import { suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { suppressAddressRoute } from './routes.ts';
import { suppressibleProblems } from './suppressible.ts';

export const handler = endpoint(
  suppressAddressRoute,
  { suppressions },
  async ({ suppressions, caller, path, body, request }) => {
    const { reason = 'Complaint' } = body;
    const details = { timestamp: isoOf(request.receivedAtMs) };
    await suppressions.suppress(caller.accountId, path.address, { reason, details });
    return { message: 'The address is suppressed.' };
  },
  suppressibleProblems,
);
