import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { ConnectionClose, ConnectionPost } from '../../channels/inapp/realtime.ts';
import { requestLimits } from '../../runtime/request-limits.ts';

/** Posts to connections of the WebSocket API at `endpoint`, such as https://x.execute-api.eu-west-1.amazonaws.com/live. */
export function createConnectionPost(endpoint: string): ConnectionPost {
  const client = clientOf(endpoint);
  return async (connectionId, message) => {
    try {
      await client.send(new PostToConnectionCommand({ ConnectionId: connectionId, Data: message }));
      return 'accepted';
    } catch (error) {
      if (error instanceof GoneException) return 'gone';
      throw error;
    }
  };
}

/** Closes connections of the WebSocket API at `endpoint`; one that has ended is closed. */
export function createConnectionClose(endpoint: string): ConnectionClose {
  const client = clientOf(endpoint);
  return async (connectionId) => {
    try {
      await client.send(new DeleteConnectionCommand({ ConnectionId: connectionId }));
    } catch (error) {
      if (!(error instanceof GoneException)) throw error;
    }
  };
}

function clientOf(endpoint: string): ApiGatewayManagementApiClient {
  return new ApiGatewayManagementApiClient({
    endpoint,
    maxAttempts: 3,
    requestHandler: { ...requestLimits({ responseMs: 5000 }), httpsAgent: { maxSockets: 100 } },
  });
}
