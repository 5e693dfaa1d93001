import { inappAcknowledgements } from '../../shared/database/entities/inapp-acknowledgements.ts';
import { inappItems } from '../../shared/database/entities/inapp-items.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { realtimePublisher } from '../../shared/providers/realtime.ts';
import { namedUser, userProblems } from './named-user.ts';
import { openAllInappRoute } from './routes.ts';

export const handler = endpoint(
  openAllInappRoute,
  { inappItems, inappAcknowledgements, realtimePublisher },
  async ({ inappItems, inappAcknowledgements, realtimePublisher, caller, request }) => {
    const { accountId, environmentId } = caller;
    const userId = namedUser(caller);
    const opened = await inappItems.openAll(environmentId, userId, request.receivedAtMs);
    await inappAcknowledgements.add({ accountId, environmentId, userId }, opened, request.receivedAtMs);
    await realtimePublisher.publishMarks(environmentId, userId, opened);
    return { count: opened.length };
  },
  userProblems,
);
