import type { StreamReaderOptions } from './stream-options.ts';
import { openShards, retryDelayMs } from './stream-shards.ts';

export type StreamReader = {
  /** Reads now instead of at the next poll: after a write. */
  poke(): void;
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

/**
 * Reads the table's stream like Lambda does: shard by shard, parents first, in order, from the oldest record
 * on. A checkpoint is stored after the handler has returned, so a crash repeats a batch and never skips one.
 */
export function readStream(options: StreamReaderOptions): StreamReader {
  const sleeper = createSleeper();
  const shards = openShards(options);
  const waiters = new Set<{ afterRound: number; done: () => void }>();
  let isStopped = false;
  let rounds = 0;
  let failuresInRow = 0;
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
    try {
      const found = await shards.readAll();
      failuresInRow = 0;
      if (found === 'records') {
        lastRecordsAtMs = performance.now();
        return options.paceMs?.() ?? 0;
      }
      if (found === 'failed') return IDLE_MS;
      settle((waiter) => waiter.afterRound < round);
      if (waiters.size > 0) return 0;
      if (options.source.onChange) return TOLD_MS;
      return performance.now() - lastRecordsAtMs < EAGER_FOR_MS ? EAGER_MS : IDLE_MS;
    } catch (error) {
      if (isStopped) return 0;
      failuresInRow += 1;
      if (failuresInRow === 1) options.onError(error);
      return retryDelayMs(failuresInRow);
    }
  }

  function settle(isDue: (waiter: { afterRound: number }) => boolean): void {
    for (const waiter of [...waiters].filter(isDue)) {
      waiters.delete(waiter);
      waiter.done();
    }
  }

  options.source.onChange?.(sleeper.wake);
  const running = run();
  return {
    poke: sleeper.wake,
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
      options.source.close();
    },
  };
}

/** A sleep that can be cut short; a wake while nobody sleeps cuts the next one. */
function createSleeper() {
  let isWoken = false;
  let wakeSleeper: (() => void) | undefined;
  return {
    wake(): void {
      isWoken = true;
      wakeSleeper?.();
    },
    async sleep(ms: number): Promise<void> {
      if (!isWoken) {
        await new Promise<void>((resume) => {
          const timer = setTimeout(resume, ms);
          wakeSleeper = () => {
            clearTimeout(timer);
            resume();
          };
        });
      }
      isWoken = false;
      wakeSleeper = undefined;
    },
  };
}
