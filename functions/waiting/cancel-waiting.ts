import { accounts } from '../../shared/database/entities/accounts.ts';
import { sendingRules } from '../../shared/database/entities/sending-rules.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { clock } from '../../shared/runtime/dependency.ts';
import { cancel } from '../sending/scheduled.ts';
import { cancelDelivery, cancelDigest, findOwnEntry } from './change.ts';
import { entryDependencies } from './entries.ts';
import { cancelWaitingRoute } from './routes.ts';

export const handler = endpoint(
  cancelWaitingRoute,
  { ...entryDependencies, accounts, clock, sendingRules },
  async ({ caller, path, request, ...deps }) => {
    const nowMs = request.receivedAtMs;
    const entry = await findOwnEntry(deps, caller, path.waitingId, nowMs);
    if (entry.kind === 'digest') await cancelDigest(deps, entry, nowMs);
    else if (entry.kind === 'delivery') await cancelDelivery(deps, entry, nowMs);
    else {
      const { feedShards } = await deps.accounts.get(entry.accountId);
      for (const trackingId of entry.trackingIds)
        await cancel({ ...deps, feedShards }, caller, trackingId, nowMs);
    }
    return { message: 'Cancelled: it will not be sent.' };
  },
);
