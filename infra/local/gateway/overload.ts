import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Route } from '../../../shared/http/rows/route.ts';

/** A request that may not start: no memory is left (429), or nothing can be stored (503). */
type Refused = { statusCode: 429 | 503; retryAfterSeconds: number; release(): void };

/** A request that may start, after `turn`. */
type Admitted = { turn: Promise<void> | undefined; release(): void };

/** Decides whether a request may start, and when. */
export type Admission = { admit(route: Pick<Route, 'method'>): Admitted | Refused };

const BUSY = { statusCode: 429, retryAfterSeconds: 2, release() {} } as const;
const FULL = { statusCode: 503, retryAfterSeconds: 10, release() {} } as const;

/** From these shares of the JavaScript memory, and of the machine's (or its container's), changes are rejected. */
const SHARE_MAX = 0.85;
const CHECK_MS = 50;
/**
 * Requests that run at once. Each has a Lambda to itself in the cloud; here they share one process, and the more run, the longer
 * each takes. The time limit of a function begins when its request starts, so that many at once do not reach it.
 */
const RUNNING_MAX = 32;

/**
 * Queues what it accepts. Rejects changes while the memory is nearly exhausted or the disk is full; reads are accepted
 * then, so that a person still sees what happens.
 */
export function createAdmission({
  isExhausted = isMemoryExhausted,
  isFull = () => false,
}: {
  isExhausted?: () => boolean;
  isFull?: () => boolean;
} = {}): Admission {
  let running = 0;
  const waiting: (() => void)[] = [];
  let exhausted = { is: false, atMs: Number.NEGATIVE_INFINITY };
  const isShort = () => {
    const nowMs = performance.now();
    if (nowMs - exhausted.atMs >= CHECK_MS) exhausted = { is: isExhausted(), atMs: nowMs };
    return exhausted.is;
  };
  return {
    admit(route) {
      if (route.method !== 'GET' && isFull()) return FULL;
      if (route.method !== 'GET' && isShort()) return BUSY;
      running += 1;
      return {
        turn: running > RUNNING_MAX ? new Promise((start) => waiting.push(start)) : undefined,
        release() {
          running -= 1;
          waiting.shift()?.();
        },
      };
    },
  };
}

function isMemoryExhausted(): boolean {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  if (used_heap_size > heap_size_limit * SHARE_MAX) return true;
  return (
    process.memoryUsage.rss() > Math.min(process.constrainedMemory() || Infinity, totalmem()) * SHARE_MAX
  );
}
