import type { ServerResponse } from 'node:http';

/** Sends events to every listening page, as server-sent events. */
export type EventStream = {
  /** `ready` is the first event's data. */
  open(response: ServerResponse, ready: unknown): void;
  send(event: string, data: unknown, id?: number): void;
  listeners(): number;
  stop(): void;
};

/** Proxies and browsers close a connection that is silent for long. */
const HEARTBEAT_MS = 15_000;
/** A listener that does not read must not fill the memory: it reconnects and lists what it missed. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

export function createEventStream(): EventStream {
  const open = new Set<ServerResponse>();

  function write(response: ServerResponse, text: string): void {
    if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
    else response.write(text);
  }

  const heartbeat = setInterval(() => {
    for (const response of open) write(response, ': still here\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    open(response, ready) {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      response.write(`retry: 1000\nevent: ready\ndata: ${JSON.stringify(ready)}\n\n`);
      open.add(response);
      response.on('close', () => open.delete(response));
    },
    send(event, data, id) {
      if (open.size === 0) return;
      const text = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
      for (const response of open) write(response, text);
    },
    listeners: () => open.size,
    stop() {
      clearInterval(heartbeat);
      for (const response of open) response.end();
      open.clear();
    },
  };
}
