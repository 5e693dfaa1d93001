import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { type Database, database } from '../../database.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { type Key, userPk } from '../../keys/key.ts';
import {
  CONNECTION_PREFIX,
  connectionKey,
  connectionOwnerKey,
  SOCKET_SHARDS,
  socketKey,
  socketsPk,
} from '../../keys/user.ts';
import type { Item } from '../../table.ts';

export type Connection = { connectionId: string; environmentId: string; userId: string; openedAtMs: number };

/** API Gateway ends a connection after two hours; the margin covers its own clock. */
const LIFE_SECONDS = 2 * 3600 + 600;

export type Connections = ReturnType<typeof createConnections>;

const Stored = v.object({
  connectionId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  openedAtMs: v.number(),
  expiresAt: v.number(),
});

export function connectionKeys(
  connection: Pick<Connection, 'connectionId' | 'environmentId' | 'userId'>,
): Key[] {
  const { environmentId, userId, connectionId } = connection;
  return [
    connectionKey(environmentId, userId, connectionId),
    connectionOwnerKey(connectionId),
    socketKey(environmentId, shardOf(connectionId, SOCKET_SHARDS), connectionId),
  ];
}

function createConnections(table: Database) {
  async function remove(
    connection: Pick<Connection, 'connectionId' | 'environmentId' | 'userId'>,
  ): Promise<void> {
    await Promise.all(connectionKeys(connection).map((key) => table.delete(key)));
  }

  return {
    /** Deletes a connection of a known user. */
    remove,
    /** Stores a connection under its user, its environment and its own ID, together. */
    async open(connection: Connection): Promise<void> {
      const expiresAt = Math.floor(connection.openedAtMs / 1000) + LIFE_SECONDS;
      const outcome = await table.transact(
        connectionKeys(connection).map((key) => ({ put: { ...key, ...connection, expiresAt } })),
      );
      if (!outcome.written) throw new Error('the connection could not be stored');
    },
    /** The user's connections that have not outlived their time, oldest first. */
    async listOfUser(environmentId: string, userId: string, nowMs: number): Promise<Connection[]> {
      const items = await table.queryAll(userPk(environmentId, userId), CONNECTION_PREFIX, {
        consistent: true,
      });
      return readEach(items, (item) => readStored('connection', Stored, item))
        .filter((stored) => stored.expiresAt * 1000 > nowMs)
        .map(({ expiresAt: _, ...connection }) => connection)
        .sort((left, right) => left.openedAtMs - right.openedAtMs);
    },
    async *listOfEnvironment(environmentId: string): AsyncGenerator<Connection[]> {
      for (let shard = 0; shard < SOCKET_SHARDS; shard += 1) {
        let lastKey: Item | undefined;
        do {
          const page = await table.query({
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': socketsPk(environmentId, shard) },
            ConsistentRead: true,
            ExclusiveStartKey: lastKey,
          });
          yield readEach(page.items, (item) => readStored('connection', Stored, item));
          lastKey = page.lastKey;
        } while (lastKey);
      }
    },
    async close(connectionId: string): Promise<void> {
      const item = await table.get(connectionOwnerKey(connectionId), { consistent: true });
      if (item) await remove(readStored('connection', Stored, item));
    },
  };
}

export const connections = dependency('connections', () => createConnections(resolve(database)));
