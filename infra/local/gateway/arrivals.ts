import type { RequestListener, Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

const TURNS_MAX = 32;

/**
 * Node accepts one connection per turn of its event loop. Requests wait for those that arrive with them, to share rounds of the
 * table: sixteen at once take a quarter of the CPU time.
 */
export function afterArrivals(server: Server, listener: RequestListener): RequestListener {
  let accepted = 0;
  let arriving: Promise<void> | undefined;

  async function untilAccepted(): Promise<void> {
    await nextTurn();
    for (let turns = 0, before = 0; before !== accepted && turns < TURNS_MAX; turns += 1) {
      before = accepted;
      await nextTurn();
    }
    arriving = undefined;
  }

  server.on('connection', () => {
    accepted += 1;
    arriving ??= untilAccepted();
  });
  return (request, response) => {
    if (arriving) void arriving.then(() => listener(request, response));
    else listener(request, response);
  };
}
