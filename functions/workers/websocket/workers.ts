import type { WorkerRow } from '../../../shared/http/rows/worker.ts';

const row = { timeoutSeconds: 10, memoryMb: 256 } as const;

/** The routes of the WebSocket API that in-app notifications are pushed over. What a browser sends reaches no function. */
export const workers: readonly WorkerRow[] = [
  {
    ...row,
    name: 'websocket-connect',
    summary: 'Accepts a WebSocket of a user, with the user hash in secure mode, at most ten per user.',
    trigger: { kind: 'websocket', route: '$connect' },
    grants: {
      table: ['get', 'batchGet', 'query', 'delete', 'put'],
      keyring: ['decrypt'],
      services: ['websocket-close'],
    },
    settings: ['WEBSOCKET_ENDPOINT'],
  },
  {
    ...row,
    name: 'websocket-disconnect',
    summary: 'Deletes a connection that ended.',
    trigger: { kind: 'websocket', route: '$disconnect' },
    grants: { table: ['get', 'delete'] },
  },
];
