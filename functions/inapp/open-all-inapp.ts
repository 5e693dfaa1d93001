import { inappAcknowledgements } from '../../shared/database/entities/inapp/inapp-acknowledgements.ts';
import { inappItems } from '../../shared/database/entities/inapp/inapp-items.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { realtimePublisher } from '../../shared/providers/clients/realtime.ts';
import { namedUser, userProblems } from './named-user.ts';
import { openAllInappRoute } from './routes.ts';

export const handler = endpoint(
  openAllInappRoute,
  { inappItems, inappAcknowledgements, realtimePublisher },
  async ({ inappItems, inappAcknowledgements, realtimePublisher, caller, query, request }) => {
    const { accountId, environmentId } = caller;
    const userId = namedUser(caller);
    const nowMs = request.receivedAtMs;
    const { subNotificationId } = query;
    const opened = await inappItems.openAll(environmentId, userId, { nowMs, subNotificationId });
    await inappAcknowledgements.add({ accountId, environmentId, userId }, opened, nowMs);
    await realtimePublisher.publishMarks(environmentId, userId, opened);
    return { count: opened.length };
  },
  userProblems,
);
