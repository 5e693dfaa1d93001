import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { connectionKey, connectionOwnerKey, userPk } from '../keys.ts';
import { readStored } from './stored.ts';

/** An open WebSocket of a user. */
export type Connection = { connectionId: string; environmentId: string; userId: string; openedAtMs: number };

/** API Gateway ends a connection after two hours; the margin covers its own clock. */
const LIFE_SECONDS = 2 * 3600 + 600;

/** Access patterns of open connections. */
export type Connections = {
  /** Stores a connection under its user and under its own id, together. */
  open(connection: Connection): Promise<void>;
  /** The user's connections that have not outlived their time. */
  listOfUser(environmentId: string, userId: string, nowMs: number): Promise<Connection[]>;
  /** Forgets a connection that ended; an unknown one is none. */
  close(connectionId: string): Promise<void>;
  /** Forgets a connection of a known user. */
  remove(connection: Connection): Promise<void>;
};

const Stored = v.object({
  connectionId: v.string(),
  environmentId: v.string(),
  userId: v.string(),
  openedAtMs: v.number(),
  expiresAt: v.number(),
});

/** Builds the access patterns of open connections. */
export function createConnections(table: Database): Connections {
  async function remove({ environmentId, userId, connectionId }: Connection): Promise<void> {
    await Promise.all([
      table.delete(connectionKey(environmentId, userId, connectionId)),
      table.delete(connectionOwnerKey(connectionId)),
    ]);
  }

  return {
    remove,
    async open(connection) {
      const { connectionId, environmentId, userId, openedAtMs } = connection;
      const item = { ...connection, expiresAt: Math.floor(openedAtMs / 1000) + LIFE_SECONDS };
      const outcome = await table.transact([
        { put: { ...connectionKey(environmentId, userId, connectionId), ...item } },
        { put: { ...connectionOwnerKey(connectionId), ...item } },
      ]);
      if (!outcome.written) throw new Error('the connection could not be stored');
    },
    async listOfUser(environmentId, userId, nowMs) {
      const items = await table.queryAll(userPk(environmentId, userId), 'CONNECTION#', { consistent: true });
      return items
        .map((item) => readStored('connection', Stored, item))
        .filter((stored) => stored.expiresAt * 1000 > nowMs)
        .map(({ expiresAt: _, ...connection }) => connection);
    },
    async close(connectionId) {
      const item = await table.get(connectionOwnerKey(connectionId), { consistent: true });
      if (item) await remove(readStored('connection', Stored, item));
    },
  };
}

/** Open connections of this deployment. */
export const connections = dependency('connections', () => createConnections(resolve(database)));
