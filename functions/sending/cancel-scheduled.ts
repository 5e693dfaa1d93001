import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { sendingRules } from '../../shared/database/entities/sending/sending-rules.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { clock } from '../../shared/runtime/dependency.ts';
import { recordingRefusal } from './accept/refused.ts';
import { cancelScheduledRoute } from './routes.ts';
import { cancel } from './waiting/scheduled.ts';

export const handler = endpoint(
  cancelScheduledRoute,
  { accounts, clock, logs, sendingRules },
  async ({ accounts, caller, path, request, ...deps }) => {
    const account = await accounts.get(caller.accountId);
    const { feedShards } = account;
    await recordingRefusal(
      deps.logs,
      { caller, facts: request, body: {} },
      async () => account,
      () => cancel({ ...deps, feedShards }, caller, path.trackingId, request.receivedAtMs),
    );
    return { message: 'The scheduled notification is cancelled: nothing will be sent.' };
  },
);
