import { AsyncLocalStorage } from 'node:async_hooks';
import type { Engine, Reply, Request } from './embedded/engine.ts';
import type { Perform } from './embedded-client.ts';

/** Places of workers in a round. Each operation of a request takes two of them; three stay, so that no worker waits forever. */
const WORKERS_MAX = 16;
const WORKERS_MIN = 3;

const background = new AsyncLocalStorage<true>();

/** Runs a worker: its operations on the table come after those of requests. */
export function asWorker<T>(run: () => T): T {
  return background.run(true, run);
}

type Waiting = Request & { done: (reply: Reply) => void };

/**
 * Performs operations in rounds, which are one commit each. A Lambda has a machine to itself, here all share a thread: between
 * two rounds the process reads from its connections, and no worker with much to do keeps a request waiting.
 */
export function inRounds(engine: Engine): Perform {
  const requests: Waiting[] = [];
  const workers: Waiting[] = [];

  function round(): void {
    const workersMax = Math.max(WORKERS_MIN, WORKERS_MAX - 2 * requests.length);
    const chosen = [...requests.splice(0), ...workers.splice(0, workersMax)];
    if (workers.length > 0) setImmediate(round);
    for (const [at, reply] of engine.performAll(chosen).entries()) chosen[at]?.done(reply);
  }

  return (operation, input) =>
    new Promise((done) => {
      if (requests.length + workers.length === 0) setImmediate(round);
      (background.getStore() ? workers : requests).push({ operation, input, done });
    });
}
