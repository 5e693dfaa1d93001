import { accounts } from '../../shared/database/entities/accounts.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { acceptDependencies } from './accept-dependencies.ts';
import { recordingRefusal } from './refused.ts';
import { rescheduleRoute } from './routes.ts';
import { reschedule, rescheduledAnswer } from './scheduled.ts';

export const handler = endpoint(
  rescheduleRoute,
  { ...acceptDependencies, accounts },
  async ({ accounts, caller, path, body, request, ...deps }) => {
    const { scheduledForMs } = await recordingRefusal(
      deps.logs,
      { caller, facts: request, body },
      () => accounts.get(caller.accountId),
      () => reschedule(deps, caller, { ...path, change: body, nowMs: request.receivedAtMs }),
    );
    return rescheduledAnswer(path.trackingId, scheduledForMs);
  },
);
