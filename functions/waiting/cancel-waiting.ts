import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { sendingRules } from '../../shared/database/entities/sending/sending-rules.ts';
import { LOG_PK_PREFIX, trackingIdOfPk } from '../../shared/database/keys/key.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { clock } from '../../shared/runtime/dependency.ts';
import { cancel } from '../sending/waiting/scheduled.ts';
import { cancelDelivery, cancelDigest, findOwnEntry, isCancelled } from './change.ts';
import { entryDependencies, pkOf, readEntry } from './entries.ts';
import { cancelWaitingRoute } from './routes.ts';

export const handler = endpoint(
  cancelWaitingRoute,
  { ...entryDependencies, accounts, clock, sendingRules },
  async ({ caller, path, request, ...deps }) => {
    const nowMs = request.receivedAtMs;
    const pk = pkOf(path.waitingId);
    // One that is cancelled already is no longer an entry, but repeating it succeeds.
    if (pk.startsWith(LOG_PK_PREFIX)) {
      const { feedShards } = await deps.accounts.get(caller.accountId);
      await cancel({ ...deps, feedShards }, caller, trackingIdOfPk(pk), nowMs);
    } else if ((await readEntry(deps, pk, nowMs)) || !(await isCancelled(deps, caller, pk, nowMs))) {
      const entry = await findOwnEntry(deps, caller, path.waitingId, nowMs);
      if (entry.kind === 'digest') await cancelDigest(deps, entry, nowMs);
      if (entry.kind === 'delivery') await cancelDelivery(deps, entry, nowMs);
    }
    return { message: 'Cancelled: it will not be sent.' };
  },
);
