import { openShards, type ShardOptions } from './stream-shards.ts';

export type StreamReaderOptions = ShardOptions & {
  /** True while nothing is read. */
  isPaused?: () => boolean;
  /** Minimum time between two reads, ms, evaluated after each; by default none. */
  paceMs?: () => number;
};

export type StreamReader = {
  /**
   * Resolves when a read that began after the call found nothing more in any shard, or when the reader is
   * stopped.
   */
  caughtUp(): Promise<void>;
  /** Resolves when the running batch is done and its checkpoint stored. */
  stop(): Promise<void>;
};

/** Measured: a poll each 50 ms costs 6% of one core, database included. After a record another is likely soon. */
const IDLE_MS = 50;
const EAGER_MS = 20;
const EAGER_FOR_MS = 2000;
const PAUSED_MS = 1000;
/** A source that tells of its changes is asked only in case another process has made one. */
const TOLD_MS = 1000;
const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5000;

/** Returns the pause after this many consecutive failures. */
export function retryDelayMs(failuresInRow: number): number {
  return Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failuresInRow - 1));
}

/**
 * Reads the table's stream like Lambda does: shard by shard, parents first, in order, from the oldest record
 * on. A checkpoint is stored after the handler has returned, so a crash repeats a batch and never skips one.
 */
export function readStream(options: StreamReaderOptions): StreamReader {
  const { source } = options;
  const sleeper = createSleeper();
  const readShards = openShards(options);
  const waiters = new Set<{ afterRound: number; done: () => void }>();
  let isStopped = false;
  let rounds = 0;
  let failuresInRow = 0;
  let isReachable = true;
  let retryAtMs = 0;
  let lastRecordsAtMs = 0;

  async function run(): Promise<void> {
    while (!isStopped) {
      rounds += 1;
      const waitMs = await roundWithoutThrowing();
      if (waitMs > 0 && !isStopped) await sleeper.sleep(waitMs);
    }
  }

  /** Time to wait before the next round; 0 if there may be more. */
  async function roundWithoutThrowing(): Promise<number> {
    const round = rounds;
    if (options.isPaused?.()) return PAUSED_MS;
    // Writes wake the reader, and do not shorten the pause after a failure.
    const restMs = retryAtMs - performance.now();
    if (restMs > 0) return restMs;
    try {
      const found = await readShards();
      isReachable = true;
      if (found === 'failed') return failed();
      failuresInRow = 0;
      if (found === 'empty') return idle(round);
      lastRecordsAtMs = performance.now();
      return options.paceMs?.() ?? 0;
    } catch (error) {
      if (!isStopped && isReachable) options.onError(error);
      isReachable = false;
      return failed();
    }
  }

  function failed(): number {
    failuresInRow += 1;
    const delayMs = retryDelayMs(failuresInRow);
    retryAtMs = performance.now() + delayMs;
    return delayMs;
  }

  function idle(round: number): number {
    settle((waiter) => waiter.afterRound < round);
    if (waiters.size > 0) return 0;
    if (source.onChange) return TOLD_MS;
    return performance.now() - lastRecordsAtMs < EAGER_FOR_MS ? EAGER_MS : IDLE_MS;
  }

  function settle(isDue: (waiter: { afterRound: number }) => boolean): void {
    for (const waiter of [...waiters].filter(isDue)) {
      waiters.delete(waiter);
      waiter.done();
    }
  }

  source.onChange?.(sleeper.wake);
  const running = run();
  return {
    caughtUp: () =>
      new Promise((done) => {
        if (isStopped) return done();
        waiters.add({ afterRound: rounds, done });
        sleeper.wake();
      }),
    async stop() {
      isStopped = true;
      sleeper.wake();
      await running;
      settle(() => true);
      source.close();
    },
  };
}

/** A sleep that can be cut short; a wake while nobody sleeps cuts the next one. */
function createSleeper() {
  let woken = Promise.withResolvers<void>();
  return {
    wake: () => woken.resolve(),
    async sleep(ms: number): Promise<void> {
      const timer = setTimeout(woken.resolve, ms);
      await woken.promise;
      clearTimeout(timer);
      woken = Promise.withResolvers();
    },
  };
}
