import {
  ApiGatewayManagementApiClient,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { ConnectionPost } from '../channels/inapp/realtime.ts';

/** Posts to connections of the WebSocket API at `endpoint`, such as https://x.execute-api.eu-west-1.amazonaws.com/live. */
export function createConnectionPost(endpoint: string): ConnectionPost {
  const client = new ApiGatewayManagementApiClient({
    endpoint,
    maxAttempts: 3,
    requestHandler: { requestTimeout: 5000, connectionTimeout: 2000, httpsAgent: { maxSockets: 100 } },
  });
  return async (connectionId, message) => {
    try {
      await client.send(new PostToConnectionCommand({ ConnectionId: connectionId, Data: message }));
      return 'taken';
    } catch (error) {
      if (error instanceof GoneException) return 'gone';
      throw error;
    }
  };
}
