import { type ConnectionPost, createRealtimePublisher } from '../channels/inapp/realtime.ts';
import { connections } from '../database/entities/connections.ts';
import { findSetting, requireSetting } from '../runtime/config.ts';
import { clock, dependency, resolve } from '../runtime/dependency.ts';

/** Posts through the API of `WEBSOCKET_ENDPOINT`; loaded with the first open connection. */
export const connectionPost = dependency<ConnectionPost>('connectionPost', () => {
  let loading: Promise<ConnectionPost> | undefined;
  return async (connectionId, message) => {
    loading ??= import('./websocket-api.ts').then((module) =>
      module.createConnectionPost(requireSetting('WEBSOCKET_ENDPOINT')),
    );
    return (await loading)(connectionId, message);
  };
});

/** Pushes to the open connections of users; a deployment without a WebSocket API (`WEBSOCKET_ENDPOINT`) has none. */
export const realtimePublisher = dependency('realtimePublisher', () =>
  findSetting('WEBSOCKET_ENDPOINT')
    ? createRealtimePublisher({
        connections: resolve(connections),
        post: resolve(connectionPost),
        clock: resolve(clock),
      })
    : { publish: async () => false, publishMarks: async () => {} },
);
