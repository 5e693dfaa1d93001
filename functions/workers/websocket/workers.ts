import type { Worker } from '../../../shared/http/worker.ts';

const row = { timeoutSeconds: 10, memoryMb: 256 } as const;

/** The routes of the WebSocket API that in-app notifications are pushed over. */
export const workers: readonly Worker[] = [
  {
    ...row,
    concern: 'websocket',
    name: 'websocket-connect',
    summary: 'Lets a browser connect for a user, with the user hash in secure mode.',
    trigger: { kind: 'websocket', route: '$connect' },
    grants: { table: ['get', 'transact'], keyring: ['decrypt'] },
  },
  {
    ...row,
    concern: 'websocket',
    name: 'websocket-disconnect',
    summary: 'Forgets a connection that ended.',
    trigger: { kind: 'websocket', route: '$disconnect' },
    grants: { table: ['get', 'delete'] },
  },
  {
    ...row,
    concern: 'websocket',
    name: 'websocket-default',
    summary: 'Takes whatever a browser sends, such as the pings that keep its connection open.',
    trigger: { kind: 'websocket', route: '$default' },
    grants: {},
  },
];
