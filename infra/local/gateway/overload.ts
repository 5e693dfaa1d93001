import type { Route } from '../../../shared/http/route.ts';

/** A request that may not start: too much is waiting (429), or nothing can be stored (503). */
type Refused = { statusCode: 429 | 503; retryAfterSeconds: number; release(): void };

/** Decides whether a request may start. */
export type Admission = {
  admit(route: Pick<Route, 'method' | 'resource'>): { release(): void } | Refused;
  /** Requests that were admitted and have not ended. */
  running(): number;
};

const WAITING_MAX = 10_000;
const RETRY_AFTER_SECONDS = 2;
const BUSY = { statusCode: 429, retryAfterSeconds: RETRY_AFTER_SECONDS, release() {} } as const;
const FULL = { statusCode: 503, retryAfterSeconds: 10, release() {} } as const;

/**
 * Queues what it accepts, and refuses what it could not hold: every request beyond those that may run, and new
 * notifications while as many messages wait to be delivered (`backlog`). Reads are accepted then, so that a person still
 * sees what happens. While the disk is full, changes are rejected.
 */
export function createAdmission(backlog: () => number, isFull: () => boolean = () => false): Admission {
  let running = 0;
  return {
    admit(route) {
      if (route.method !== 'GET' && isFull()) return FULL;
      if (running >= WAITING_MAX) return BUSY;
      const isSend = route.resource === 'sending' && route.method === 'POST';
      if (isSend && running + backlog() >= WAITING_MAX) return BUSY;
      running += 1;
      return {
        release() {
          running -= 1;
        },
      };
    },
    running: () => running,
  };
}
