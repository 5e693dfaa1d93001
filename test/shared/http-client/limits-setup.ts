import type { Socket } from 'node:net';
import { parseAllowedHosts } from '../../../shared/http-client/address-guard.ts';
import { createGuardedClient, type GuardedRequest } from '../../../shared/http-client/guarded-client.ts';

export const KB = 1024;

export function ask(port: number, input: Omit<GuardedRequest, 'url'> = {}) {
  const client = createGuardedClient({ allowedHosts: parseAllowedHosts(`127.0.0.1:${port}`) });
  return client.request({ url: `http://127.0.0.1:${port}/`, ...input });
}

export async function closed(sockets: Socket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) => socket.closed || new Promise((resolve) => socket.on('close', resolve))),
  );
}
