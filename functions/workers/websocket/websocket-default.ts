import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';

/** $default: nothing is asked over the socket, but every message starts the ten idle minutes of API Gateway anew. */
export async function handler(_event: APIGatewayProxyWebsocketEventV2): Promise<APIGatewayProxyResultV2> {
  return { statusCode: 200 };
}
