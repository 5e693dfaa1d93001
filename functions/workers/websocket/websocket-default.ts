import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { eventWorker } from '../../../shared/http/event-worker.ts';

/** $default: ignores what the browser sends; every message restarts API Gateway's ten idle minutes. */
export const handler = eventWorker(
  { name: 'websocket-default', failed: 'a message was not accepted' },
  {},
  async (_event: APIGatewayProxyWebsocketEventV2): Promise<APIGatewayProxyResultV2> => ({ statusCode: 200 }),
);
