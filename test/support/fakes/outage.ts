import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { until } from '../until.ts';

/** Kills a provider's process and starts it again at the same address. */
export type Outage = {
  /** Breaks the connection of the next caller; from then on, the port is closed. */
  dieAtNextCall(): void;
  isDown(): boolean;
  comeBack(): Promise<void>;
};

/** The outage of a server that listens on 127.0.0.1. */
export function outageOf(server: Server): Outage {
  const sockets = new Set<Socket>();
  let isArmed = false;
  let port = 0;
  const cutOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (!isArmed) return;
    isArmed = false;
    port = (server.address() as AddressInfo).port;
    server.close();
    cutOff();
  });
  return {
    dieAtNextCall() {
      isArmed = true;
      cutOff();
    },
    isDown: () => !server.listening,
    // Meanwhile, a connection of another process may have the port.
    comeBack: () =>
      until(
        () =>
          once(server.listen(port, '127.0.0.1'), 'listening').then(
            () => true,
            () => false,
          ),
        `port ${port} to be free`,
      ),
  };
}
