import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { connections } from '../../../shared/database/entities/connections.ts';
import { environments } from '../../../shared/database/entities/environments.ts';
import { isUserAllowed } from '../../../shared/http/user-hash.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { Id } from '../../../shared/schemas/text.ts';

/** What API Gateway adds to the event of $connect. */
type ConnectEvent = APIGatewayProxyWebsocketEventV2 & {
  queryStringParameters?: Record<string, string | undefined> | null;
};

const Query = v.object({ userId: Id, envId: Id, userIdHash: v.optional(v.string()) });

/** $connect: opens the connection by 200, refuses it by any other status (API 9). */
export async function handler(event: ConnectEvent): Promise<APIGatewayProxyResultV2> {
  const query = v.safeParse(Query, event.queryStringParameters ?? {});
  if (!query.success) return { statusCode: 400 };
  const { userId, envId } = query.output;
  // A query that was not encoded has spaces for the plus signs of base64.
  const userIdHash = query.output.userIdHash?.replaceAll(' ', '+');
  try {
    const environment = await resolve(environments).findById(envId);
    if (!environment || !(await isUserAllowed(environment, userId, userIdHash))) return { statusCode: 401 };
    if ((await resolve(accounts).get(environment.accountId)).disabled) return { statusCode: 401 };
    const { connectionId } = event.requestContext;
    const openedAtMs = resolve(clock).now();
    await resolve(connections).open({ connectionId, environmentId: envId, userId, openedAtMs });
    return { statusCode: 200 };
  } catch (error) {
    log.error('a connection was not opened', { worker: 'websocket-connect' }, error);
    return { statusCode: 500 };
  }
}
