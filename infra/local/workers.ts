import type { DatabaseSync } from 'node:sqlite';
import type { SQSBatchResponse } from 'aws-lambda';
import { WORKERS } from '../../functions/workers.ts';
import type { Worker } from '../../shared/http/rows/worker.ts';
import { DISPATCH_FAILURES_QUEUE } from '../../shared/messaging/queue-names.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { asWorker } from './database/rounds.ts';
import type { LocalStreamEvent } from './database/stream/stream-event.ts';
import { readStream, type StreamReader } from './database/stream/stream-reader.ts';
import type { StreamSource } from './database/stream/stream-source.ts';
import { loadWorker, type WorkerHandler } from './functions/load.ts';
import type { LocalQueues } from './queue/local-queues.ts';
import { consumeQueue, type QueueConsumer } from './queue/queue-consumer.ts';

export type RunningWorkers = {
  consumers: readonly QueueConsumer[];
  reader: StreamReader;
  scheduled: readonly { name: string; everyMinutes: number; run: WorkerHandler }[];
  /** Runs queues and stream until a whole round finds nothing to do; `eachRound` runs before each. */
  settle(eachRound?: () => Promise<void>): Promise<void>;
  /** Resolves when running invocations have ended. */
  stop(): Promise<void>;
};

export type WorkersOptions = {
  queues: LocalQueues;
  now: () => number;
  stream: { store: DatabaseSync; source: StreamSource };
  onError: (error: unknown) => void;
  onStreamEvent?: ((event: LocalStreamEvent) => void) | undefined;
  /** Called with every event before its worker runs. */
  onInvocation?: ((worker: Worker, recordCount: number) => void) | undefined;
  /** True while nothing may start. */
  isPaused?: (() => boolean) | undefined;
  /** As Lambda: the stream is read four times per second. Otherwise, nothing waits. */
  pace?: { isAsLambda: boolean } | undefined;
};

const CONCURRENCY = 8;
const LAMBDA_POLL_MS = 250;
const ROUND_MS = 5;

/** Starts a consumer per queue and the reader of the stream, from the worker table. */
export function startWorkers(options: WorkersOptions): RunningWorkers {
  const consumers = WORKERS.flatMap((worker) => startConsumer(worker, options) ?? []);
  const reader = startReader(options);
  const scheduled = WORKERS.flatMap((worker) =>
    worker.trigger.kind === 'schedule'
      ? [{ name: worker.name, everyMinutes: worker.trigger.everyMinutes, run: lazyHandler(worker, options) }]
      : [],
  );

  async function settle(eachRound: () => Promise<void> = async () => {}): Promise<void> {
    // What is paused has nothing that could settle.
    for (let quietRounds = 0; quietRounds < 2 && !options.isPaused?.(); ) {
      await eachRound();
      for (const consumer of consumers) consumer.wake();
      await reader.caughtUp();
      const isQuiet = consumers.every((consumer) => consumer.isIdle());
      quietRounds = isQuiet ? quietRounds + 1 : 0;
      if (!isQuiet) await new Promise((resume) => setTimeout(resume, ROUND_MS));
    }
  }

  return {
    consumers,
    reader,
    scheduled,
    settle,
    async stop() {
      await reader.stop();
      await Promise.all(consumers.map((consumer) => consumer.stop()));
    },
  };
}

/** Attempts of Lambda's own queue of events: an invocation and two retries, a minute and two minutes later. */
const OF_TOPICS = { visibilityTimeoutSeconds: 60, receiveCountMax: 3, batchSize: 1 };

/** Lambda keeps the events of a topic in a separate queue, which has the worker's name. */
function startConsumer(worker: Worker, options: WorkersOptions): QueueConsumer | undefined {
  const { name, trigger, timeoutSeconds } = worker;
  if (trigger.kind !== 'queue' && trigger.kind !== 'events' && trigger.kind !== 'topic') return undefined;
  const isOfTopic = trigger.kind === 'topic';
  // A queue of events has the rules that the stacks give it.
  const ofEvents = { fifo: false, visibilityTimeoutSeconds: 6 * timeoutSeconds, concurrencyMax: CONCURRENCY };
  const {
    fifo,
    batchSize,
    visibilityTimeoutSeconds,
    receiveCountMax,
    concurrencyMax = CONCURRENCY,
  } = {
    ...ofEvents,
    ...(isOfTopic ? OF_TOPICS : trigger),
  };
  const queue = isOfTopic ? name : trigger.queue;
  const deadLetterQueue = `${queue}-dead`;
  const { queues, now, onError, isPaused } = options;
  const common = { fifo, visibilityTimeoutSeconds };
  queues.createQueue({ name: deadLetterQueue, ...common, receiveCountMax: Number.MAX_SAFE_INTEGER });
  queues.createQueue({ name: queue, ...common, receiveCountMax, deadLetterQueue });
  const handler = lazyHandler(worker, options);
  return consumeQueue({
    ...{ queues, queue, batchSize, now, onError, timeoutSeconds },
    ...defined({ isPaused }),
    concurrency: Math.min(concurrencyMax, CONCURRENCY),
    async handler(event, context) {
      if (!isOfTopic) return asBatchResponse(await handler(event, context));
      await handler({ Records: event.Records.map(({ body }) => ({ Sns: JSON.parse(body) })) }, context);
      return undefined;
    },
  });
}

function startReader(options: WorkersOptions): StreamReader {
  const worker = WORKERS.find(({ trigger }) => trigger.kind === 'stream');
  if (worker?.trigger.kind !== 'stream') throw new Error('The worker table has no stream consumer.');
  // The queue has no reader: its messages wait for the operator.
  options.queues.createQueue({
    name: DISPATCH_FAILURES_QUEUE,
    fifo: false,
    visibilityTimeoutSeconds: 30,
    receiveCountMax: Number.MAX_SAFE_INTEGER,
  });
  const handler = lazyHandler(worker, options);
  return readStream({
    ...options.stream,
    batchSize: worker.trigger.batchSize,
    prefixes: worker.trigger.prefixes,
    ...defined({ isPaused: options.isPaused }),
    paceMs: () => (options.pace?.isAsLambda ? LAMBDA_POLL_MS : 0),
    onError: options.onError,
    handler: async (event) => {
      options.onStreamEvent?.(event);
      return asBatchResponse(await handler(event));
    },
  });
}

function lazyHandler(worker: Worker, { onInvocation }: Pick<WorkersOptions, 'onInvocation'>): WorkerHandler {
  return async (event, context) => {
    onInvocation?.(worker, recordCountOf(event));
    const handler = await loadWorker(worker);
    return asWorker(() => handler(event, context));
  };
}

function recordCountOf(event: unknown): number {
  const isBatch = typeof event === 'object' && event !== null && 'Records' in event;
  return isBatch && Array.isArray(event.Records) ? event.Records.length : 1;
}

/** Queue and stream workers return batch item failures or nothing. */
function asBatchResponse(response: unknown): SQSBatchResponse | undefined {
  return response as SQSBatchResponse | undefined;
}
