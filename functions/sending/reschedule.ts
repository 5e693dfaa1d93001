import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { acceptDependencies } from './accept/accept-dependencies.ts';
import { recordingRefusal } from './accept/refused.ts';
import { changeProblems } from './content/request-problems.ts';
import { rescheduleRoute } from './routes.ts';
import { reschedule, rescheduledResponse } from './waiting/scheduled.ts';

export const handler = endpoint(
  rescheduleRoute,
  { ...acceptDependencies, accounts },
  async ({ accounts, caller, path, body, request, ...deps }) => {
    const { scheduledForMs } = await recordingRefusal(
      deps.logs,
      { caller, facts: request, body },
      () => accounts.get(caller.accountId),
      () => reschedule(deps, caller, { ...path, change: body, nowMs: request.receivedAtMs }),
      // What it would have changed may be.
      true,
    );
    return rescheduledResponse(path.trackingId, scheduledForMs);
  },
  changeProblems,
);
