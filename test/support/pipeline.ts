import { handler as sweep } from '../../functions/workers/due/sweep.ts';
import { type LocalQueues, queuesPort } from '../../infra/local/queue/local-queues.ts';
import { openLocalQueues, openQueueStore } from '../../infra/local/queue/queue.ts';
import { SANDBOX_PROVIDERS } from '../../infra/local/start/local-settings.ts';
import { startWorkers } from '../../infra/local/workers.ts';
import type { SandboxMessage } from '../../shared/channels/sandbox/sandbox.ts';
import { queues as queuesDependency } from '../../shared/messaging/queues.ts';
import { sandboxOutbox } from '../../shared/providers/sandbox.ts';
import { replace } from '../../shared/runtime/dependency.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import { createStreamedApp, type TestAccount, type TestApp, useTable } from './app.ts';
import type { TestTable } from './test-table.ts';
import { useStarted } from './use-started.ts';

/** A test app with the real workers: stream, queues, sweeper, sandbox providers. */
export type Pipeline = TestApp & {
  /** Messages to the sandbox providers, in the order sent. */
  outbox: SandboxMessage[];
  /** Returns the messages sent from an account's first environment, by time, then by channel. */
  sentBy(account: Pick<TestAccount, 'environment'>): SandboxMessage[];
  queues: LocalQueues;
  /** Runs everything due at the test clock until nothing is left to do; with `sweep: false` the sweeper is down. */
  settle(options?: { sweep: boolean }): Promise<void>;
  /** Moves the clock and settles. */
  goTo(nowMs: number): Promise<void>;
  /** Errors that workers threw. */
  errors: unknown[];
  /** Stops the workers, as a paused deployment does: queues and stream keep what is on them. */
  pause(): Promise<void>;
  /** Starts the workers of a paused pipeline, on another table when one is given. */
  resume(table?: TestTable): void;
  stop(): Promise<void>;
};

const SETTINGS = {
  ...SANDBOX_PROVIDERS,
  PUBLIC_BASE_URL: 'https://api.example.com',
  MAIL_DOMAIN: 'mail.example.com',
};

/** Starts the workers on an own table for the tests of a file. */
export const usePipeline = (): Pipeline => useStarted(createPipeline);

/** Starts the workers on an own table. Whoever calls it calls `stop` in the end. */
export async function createPipeline(): Promise<Pipeline> {
  Object.assign(process.env, SETTINGS);
  const app = await createStreamedApp();
  const now = () => app.clock.nowMs;
  const store = openQueueStore(':memory:');
  const queues = openLocalQueues({ store, now });
  const outbox: SandboxMessage[] = [];
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  replace(sandboxOutbox, () => ({ record: async (message) => void outbox.push(message) }));
  replace(queuesDependency, () => queuesPort(queues));
  const start = () => {
    const stream = { store, source: app.openStream() };
    return startWorkers({ queues, now, onError, stream });
  };
  let workers = start();

  async function settle({ sweep: isSwept } = { sweep: true }): Promise<void> {
    if (isSwept) await sweep();
    await workers.settle();
  }

  return Object.assign(app, {
    outbox,
    queues,
    errors,
    sentBy: ({ environment }: Pick<TestAccount, 'environment'>) =>
      outbox
        .filter(
          ({ message }) =>
            (message as { environmentId?: string }).environmentId === environment.environmentId,
        )
        // Channels are delivered concurrently.
        .toSorted(
          (left, right) =>
            left.atMs - right.atMs || CHANNELS.indexOf(left.channel) - CHANNELS.indexOf(right.channel),
        ),
    settle,
    async goTo(nowMs: number) {
      app.clock.nowMs = nowMs;
      await settle();
    },
    pause: () => workers.stop(),
    resume(table?: TestTable) {
      if (table) useTable(app, table);
      workers = start();
    },
    async stop() {
      await workers.stop();
      store.close();
    },
  });
}
