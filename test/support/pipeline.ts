import type { SQSBatchResponse } from 'aws-lambda';
import { handler as sweep } from '../../functions/workers/due/sweep.ts';
import { WORKERS } from '../../functions/workers.ts';
import { type LocalQueues, openLocalQueues, openQueueStore } from '../../infra/local/queue/queue.ts';
import { consumeQueue, type QueueConsumer } from '../../infra/local/queue/queue-consumer.ts';
import { readStream } from '../../infra/local/stream/stream-reader.ts';
import type { SandboxMessage } from '../../shared/channels/sandbox/sandbox.ts';
import type { Worker } from '../../shared/http/worker.ts';
import { queues as queuesDependency } from '../../shared/messaging/queues.ts';
import { sandboxOutbox } from '../../shared/providers/sandbox.ts';
import { replace } from '../../shared/runtime/dependency.ts';
import { createStreamedApp, type TestApp } from './app.ts';

/** A test app on which the real workers run: stream, queues, sweeper, sandbox providers. */
export type Pipeline = TestApp & {
  /** What the sandbox providers were given, in the order it went out. */
  outbox: SandboxMessage[];
  queues: LocalQueues;
  /** Runs everything due at the test clock until nothing is left to do; with `sweep: false` the sweeper is down. */
  settle(options?: { sweep: boolean }): Promise<void>;
  /** Moves the clock and settles. */
  goTo(nowMs: number): Promise<void>;
  /** Errors that workers threw and did not answer. */
  errors: unknown[];
  stop(): Promise<void>;
};

const SETTINGS = {
  EMAIL_PROVIDER: 'sandbox',
  SMS_PROVIDER: 'sandbox',
  CALL_PROVIDER: 'sandbox',
  PUSH_PROVIDER: 'sandbox',
  WEB_PUSH_PROVIDER: 'sandbox',
  CHAT_PROVIDER: 'sandbox',
  INAPP_PROVIDER: 'sandbox',
  PUBLIC_BASE_URL: 'https://api.example.com',
  MAIL_DOMAIN: 'mail.example.com',
};
const CONCURRENCY = 8;
const ROUND_MS = 5;

type Handler = (event: unknown) => Promise<unknown>;

/** Starts the workers on an own table. Call it once per file, in `beforeAll`, and `stop` in `afterAll`. */
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
  replace(queuesDependency, () => ({
    send: async (queue, messages) => {
      queues.send(queue, messages);
      return [];
    },
    changeVisibility: async (queue, handle, seconds) => queues.changeVisibility(queue, handle, seconds),
  }));
  const consumers: QueueConsumer[] = [];
  for (const worker of WORKERS) {
    const consumer = await startConsumer(worker, queues, now, onError);
    if (consumer) consumers.push(consumer);
  }
  const reader = await startReader(app, store, onError);

  async function settle({ sweep: isSwept } = { sweep: true }): Promise<void> {
    if (isSwept) await sweep();
    for (let quietRounds = 0; quietRounds < 2; ) {
      for (const consumer of consumers) consumer.wake();
      await reader.caughtUp();
      const isQuiet = consumers.every((consumer) => consumer.isIdle());
      quietRounds = isQuiet ? quietRounds + 1 : 0;
      if (!isQuiet) await new Promise((resume) => setTimeout(resume, ROUND_MS));
    }
  }

  return Object.assign(app, {
    outbox,
    queues,
    errors,
    settle,
    async goTo(nowMs: number) {
      app.clock.nowMs = nowMs;
      await settle();
    },
    async stop() {
      await reader.stop();
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      store.close();
    },
  });
}

async function loadHandler(worker: Worker): Promise<Handler> {
  const { handler } = await import(`../../functions/workers/${worker.concern}/${worker.name}.ts`);
  return handler;
}

async function startConsumer(
  worker: Worker,
  queues: LocalQueues,
  now: () => number,
  onError: (error: unknown) => void,
): Promise<QueueConsumer | undefined> {
  const { trigger } = worker;
  if (trigger.kind !== 'queue') return undefined;
  const { queue, fifo, visibilityTimeoutSeconds, receiveCountMax, batchSize } = trigger;
  const deadLetterQueue = `${queue}-dead`;
  queues.createQueue({ name: deadLetterQueue, fifo, visibilityTimeoutSeconds, receiveCountMax: 1_000_000 });
  queues.createQueue({ name: queue, fifo, visibilityTimeoutSeconds, receiveCountMax, deadLetterQueue });
  const handler = await loadHandler(worker);
  return consumeQueue({
    queues,
    queue,
    batchSize,
    concurrency: CONCURRENCY,
    now,
    onError,
    handler: async (event) => asBatchResponse(await handler(event)),
  });
}

async function startReader(
  app: TestApp & { streamArn: string },
  store: ReturnType<typeof openQueueStore>,
  onError: (error: unknown) => void,
) {
  const worker = WORKERS.find((each) => each.trigger.kind === 'stream');
  if (worker?.trigger.kind !== 'stream') throw new Error('the worker table has no stream consumer');
  const handler = await loadHandler(worker);
  return readStream({
    endpoint: app.endpoint,
    streamArn: app.streamArn,
    store,
    batchSize: worker.trigger.batchSize,
    prefixes: worker.trigger.prefixes,
    onError,
    handler: async (event) => asBatchResponse(await handler(event)),
  });
}

/** Queue and stream workers answer with batch item failures or nothing. */
function asBatchResponse(answer: unknown): SQSBatchResponse | undefined {
  return answer as SQSBatchResponse | undefined;
}
