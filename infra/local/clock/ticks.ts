import type { Clock } from '../../../shared/runtime/clock.ts';

/** The minute ticks of EventBridge rules. */
export type Ticks = {
  /** Runs every job whose tick is due by the clock, and waits for them. */
  runDue(): Promise<void>;
  /** Runs every job whose tick is due, and all but the sweep in any case; waits for them. */
  runStop(): Promise<void>;
  stop(): Promise<void>;
};

type Job = { name: string; everyMinutes: number; run: (event: unknown) => Promise<unknown> };

const MINUTE_MS = 60_000;
const LOOK_MS = 1000;
const SWEEP = 'sweep';

/** Starts ticking: a job runs once at the start, so that missed ticks are caught up, then at each of its minutes. */
export function startTicks(options: {
  clock: Clock;
  jobs: readonly Job[];
  /** True while no tick runs automatically. */
  isPaused?: (() => boolean) | undefined;
  onError: (error: unknown) => void;
}): Ticks {
  const lastTick = new Map<Job, number>();
  const running = new Set<Promise<void>>();

  function tickOf(job: Job): number {
    return Math.floor(options.clock.now() / (job.everyMinutes * MINUTE_MS));
  }

  function isDue(job: Job): boolean {
    return lastTick.get(job) !== tickOf(job);
  }

  async function run(job: Job): Promise<void> {
    lastTick.set(job, tickOf(job));
    const time = new Date(options.clock.now()).toISOString();
    try {
      await job.run({ 'detail-type': 'Scheduled Event', source: 'aws.events', time, detail: {} });
    } catch (error) {
      options.onError(error);
    }
  }

  async function runDue(): Promise<void> {
    await Promise.all(options.jobs.filter(isDue).map(run));
  }

  const timer = setInterval(() => {
    if (options.isPaused?.()) return;
    const round = runDue().finally(() => running.delete(round));
    running.add(round);
  }, LOOK_MS);

  return {
    runDue,
    async runStop() {
      await Promise.all(options.jobs.filter((job) => job.name !== SWEEP || isDue(job)).map(run));
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}
