import type { Route } from '../../../shared/http/route.ts';

/** A request that may not start: too many are running (429), or nothing can be stored (503). */
type Refused = { statusCode: 429 | 503; retryAfterSeconds: number; release(): void };

/** Decides whether a request may start. */
export type Admission = {
  admit(route: Pick<Route, 'method' | 'resource'>): { release(): void } | Refused;
  /** Requests that were admitted and have not ended. */
  running(): number;
};

/** The machine's current work and response time. */
export type Load = {
  /** Messages that could be delivered now. */
  backlog: number;
  /** Time a ready callback waits for its turn, ms. */
  lagMs: number;
};

const RUNNING_MAX = 96;
/** New notifications leave room for reads. */
const SENDING_RUNNING_MAX = 24;
const BACKLOG_MAX = 150;
const LAG_MS_MAX = 200;
const RETRY_AFTER_SECONDS = 2;
const BUSY = { statusCode: 429, retryAfterSeconds: RETRY_AFTER_SECONDS, release() {} } as const;
const FULL = { statusCode: 503, retryAfterSeconds: 10, release() {} } as const;

/**
 * Rejects requests that the machine cannot process in time, as API Gateway throttles: every request beyond
 * the concurrent ones, and new notifications while many wait to be delivered or the process is slow. Reads
 * are accepted, so that a person still sees what happens. While the disk is full, changes are rejected.
 */
export function createAdmission(load: () => Load, isFull: () => boolean = () => false): Admission {
  let running = 0;
  return {
    admit(route) {
      if (route.method !== 'GET' && isFull()) return FULL;
      if (running >= RUNNING_MAX) return BUSY;
      const isSend = route.resource === 'sending' && route.method === 'POST';
      if (isSend && (running >= SENDING_RUNNING_MAX || isOverloaded(load()))) return BUSY;
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

function isOverloaded({ backlog, lagMs }: Load): boolean {
  return backlog > BACKLOG_MAX || lagMs > LAG_MS_MAX;
}
