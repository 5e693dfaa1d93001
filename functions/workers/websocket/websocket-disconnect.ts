import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { connections } from '../../../shared/database/entities/inapp/connections.ts';
import { eventWorker } from '../../../shared/http/workers/event-worker.ts';

/**
 * $disconnect: API Gateway calls it on a best-effort basis. The next push finds a missed one dead, or it
 * expires.
 */
export const handler = eventWorker(
  { name: 'websocket-disconnect', failed: 'a connection was not closed' },
  { connections },
  async (event: APIGatewayProxyWebsocketEventV2, { connections }): Promise<APIGatewayProxyResultV2> => {
    await connections.close(event.requestContext.connectionId);
    return { statusCode: 200 };
  },
);
