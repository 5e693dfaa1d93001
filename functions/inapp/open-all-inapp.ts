import { inappItems } from '../../shared/database/entities/inapp-items.ts';
import { realtimePublisher } from '../../shared/deps/realtime.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { namedUser } from './named-user.ts';
import { openAllInappRoute } from './routes.ts';

export const handler = endpoint(
  openAllInappRoute,
  { inappItems, realtimePublisher },
  async ({ inappItems, realtimePublisher, caller, request }) => {
    const userId = namedUser(caller);
    const opened = await inappItems.openAll(caller.environmentId, userId, request.receivedAtMs);
    await realtimePublisher.publishMarks(caller.environmentId, userId, opened);
    return { count: opened.length };
  },
);
