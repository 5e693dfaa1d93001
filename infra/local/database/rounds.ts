import { AsyncLocalStorage } from 'node:async_hooks';
import type { Engine, Reply, Request } from './embedded/engine.ts';
import type { Perform } from './embedded-client.ts';

/** So many operations of workers in a round: while requests come all the time, workers still get a seventh and more. */
const WORKERS_MAX = { besideRequests: 3, alone: 16 };

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
    const workersMax = requests.length > 0 ? WORKERS_MAX.besideRequests : WORKERS_MAX.alone;
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
