import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { connections } from '../../../shared/database/entities/connections.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';

/** $disconnect: best effort of API Gateway; what it misses is found dead by the next push, or expires. */
export async function handler(event: APIGatewayProxyWebsocketEventV2): Promise<APIGatewayProxyResultV2> {
  await resolve(connections).close(event.requestContext.connectionId);
  return { statusCode: 200 };
}
