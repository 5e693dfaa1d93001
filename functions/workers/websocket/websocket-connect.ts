import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { connections } from '../../../shared/database/entities/connections.ts';
import { environments } from '../../../shared/database/entities/environments.ts';
import { eventWorker } from '../../../shared/http/event-worker.ts';
import { isUserAllowed } from '../../../shared/http/user-hash.ts';
import { Id } from '../../../shared/schemas/text.ts';

/** What API Gateway adds to the event of $connect. */
type ConnectEvent = APIGatewayProxyWebsocketEventV2 & {
  queryStringParameters?: Record<string, string | undefined> | null;
};

const Query = v.object({ userId: Id, envId: Id, userIdHash: v.optional(v.string()) });

/** $connect: status 200 opens the connection, any other rejects it. */
export const handler = eventWorker(
  { name: 'websocket-connect', failed: 'a connection was not opened' },
  { accounts, environments, connections },
  async (event: ConnectEvent, deps): Promise<APIGatewayProxyResultV2> => {
    const { accounts, environments, connections, clock } = deps;
    const query = v.safeParse(Query, event.queryStringParameters ?? {});
    if (!query.success) return { statusCode: 400 };
    const { userId, envId } = query.output;
    // A query that was not encoded has spaces instead of the plus signs of base64.
    const userIdHash = query.output.userIdHash?.replaceAll(' ', '+');
    const environment = await environments.findById(envId);
    if (!environment || !(await isUserAllowed(environment, userId, userIdHash))) return { statusCode: 401 };
    if ((await accounts.get(environment.accountId)).disabled) return { statusCode: 401 };
    const { connectionId } = event.requestContext;
    await connections.open({ connectionId, environmentId: envId, userId, openedAtMs: clock.now() });
    return { statusCode: 200 };
  },
);
