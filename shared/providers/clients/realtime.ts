import {
  type ConnectionClose,
  type ConnectionPost,
  createRealtimePublisher,
} from '../../channels/inapp/realtime.ts';
import { type Connection, connections } from '../../database/entities/inapp/connections.ts';
import { inChunks } from '../../runtime/async/chunks.ts';
import { loadOnce } from '../../runtime/async/lazily.ts';
import { findSetting, requireSetting } from '../../runtime/config.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';

/** Posts through the API of `WEBSOCKET_ENDPOINT`; loaded with the first open connection. */
export const connectionPost = dependency<ConnectionPost>('connectionPost', () => {
  const post = loadOnce(async () => {
    const { createConnectionPost } = await import('./websocket-api.ts');
    return createConnectionPost(requireSetting('WEBSOCKET_ENDPOINT'));
  });
  return async (connectionId, message) => (await post())(connectionId, message);
});

/** Closes through the API of `WEBSOCKET_ENDPOINT`; a deployment without one has no connections. */
export const connectionClose = dependency<ConnectionClose>('connectionClose', () => {
  const endpoint = findSetting('WEBSOCKET_ENDPOINT');
  if (!endpoint) return async () => {};
  const close = loadOnce(async () => (await import('./websocket-api.ts')).createConnectionClose(endpoint));
  return async (connectionId) => (await close())(connectionId);
});

const CLOSES_AT_ONCE = 50;

/** Ends open connections, and deletes them. */
export const connectionEnds = dependency('connectionEnds', () => ({
  /** Throws when one could not be closed; safe to repeat. */
  async end(open: readonly Pick<Connection, 'connectionId' | 'environmentId' | 'userId'>[]): Promise<void> {
    await inChunks(open, CLOSES_AT_ONCE, async (connection) => {
      await resolve(connectionClose)(connection.connectionId);
      await resolve(connections).remove(connection);
    });
  },
}));

/**
 * Pushes to the open connections of users; a deployment without a WebSocket API (`WEBSOCKET_ENDPOINT`) has
 * none.
 */
export const realtimePublisher = dependency('realtimePublisher', () =>
  findSetting('WEBSOCKET_ENDPOINT')
    ? createRealtimePublisher({
        connections: resolve(connections),
        post: resolve(connectionPost),
        clock: resolve(clock),
      })
    : { publish: async () => false, publishMarks: async () => {} },
);
