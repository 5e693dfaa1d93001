import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { type Environment, environments } from '../../../shared/database/entities/accounts/environments.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { type Connection, connections } from '../../../shared/database/entities/inapp/connections.ts';
import { isUserAllowed } from '../../../shared/http/access/user-hash.ts';
import { eventWorker } from '../../../shared/http/workers/event-worker.ts';
import { connectionEnds } from '../../../shared/providers/clients/realtime.ts';
import { Id } from '../../../shared/schemas/fields/text.ts';

/** Fields that API Gateway adds to the event of $connect. */
type ConnectEvent = APIGatewayProxyWebsocketEventV2 & {
  queryStringParameters?: Record<string, string | undefined> | null;
};

const Query = v.object({ userId: Id, envId: Id, userIdHash: v.optional(v.string()) });

/** Open connections per user: a further one closes the oldest. */
const CONNECTIONS_MAX = 10;
/** API Gateway cannot close a connection whose $connect has not ended. */
const OPENING_MS = 15_000;

/** A deletion of the user requested so recently may be in progress, without having seen later sockets. */
const DELETION_MS = 30_000;

const DEPENDENCIES = { accounts, environments, connections, connectionEnds, erasureMarks };
type Dependencies = { [D in keyof typeof DEPENDENCIES]: ReturnType<(typeof DEPENDENCIES)[D]['create']> };

/** $connect: status 200 opens the connection, any other rejects it. */
export const handler = eventWorker(
  { name: 'websocket-connect', failed: 'a connection was not opened' },
  DEPENDENCIES,
  async (event: ConnectEvent, deps): Promise<APIGatewayProxyResultV2> => {
    const { accounts, environments, clock } = deps;
    const query = v.safeParse(Query, event.queryStringParameters ?? {});
    if (!query.success) return { statusCode: 400 };
    const { userId, envId } = query.output;
    // A query that was not encoded has spaces instead of the plus signs of base64.
    const userIdHash = query.output.userIdHash?.replaceAll(' ', '+');
    const environment = await environments.findById(envId);
    if (!environment || !(await isUserAllowed(environment, userId, userIdHash))) return { statusCode: 401 };
    if ((await accounts.get(environment.accountId)).disabled) return { statusCode: 401 };
    const { connectionId } = event.requestContext;
    const connection = { connectionId, environmentId: envId, userId, openedAtMs: clock.now() };
    return { statusCode: await open(deps, environment, connection) };
  },
);

/**
 * Stores the connection, then reads the environment and the user's connections: either a concurrent change of
 * secure mode or of the secret, or a deletion of the user, finds this connection and closes it, or it is
 * detected here.
 */
async function open(
  { environments, connections, connectionEnds, erasureMarks }: Dependencies,
  environment: Environment,
  connection: Connection,
): Promise<200 | 401 | 429> {
  const { accountId, environmentId, secureMode, sealedSecret } = environment;
  await connections.open(connection);
  const { userId, openedAtMs } = connection;
  const [current, ofUser, isErased] = await Promise.all([
    environments.find(accountId, environmentId),
    connections.listOfUser(environmentId, userId, openedAtMs),
    erasureMarks.isErasedSince(environmentId, userId, openedAtMs - DELETION_MS),
  ]);
  const isUnchanged =
    !isErased && current?.secureMode === secureMode && current.sealedSecret === sealedSecret;
  const excess = ofUser.slice(0, Math.max(0, ofUser.length - CONNECTIONS_MAX));
  const isReplaceable = excess.every((each) => connection.openedAtMs - each.openedAtMs > OPENING_MS);
  if (!isUnchanged || !isReplaceable) {
    await connections.remove(connection);
    return isUnchanged ? 429 : 401;
  }
  await connectionEnds.end(excess);
  return 200;
}
