import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { SQSEvent } from 'aws-lambda';
import { WORKERS } from '../../functions/workers.ts';
import { blobs } from '../../shared/blobs/blobs.ts';
import { keyWrapper } from '../../shared/encryption/keyring.ts';
import type { Worker } from '../../shared/http/worker.ts';
import { RECEIPTS_QUEUE } from '../../shared/messaging/queue-names.ts';
import { queues as queuesDependency } from '../../shared/messaging/queues.ts';
import { sandboxOutbox } from '../../shared/providers/sandbox.ts';
import { clock, jitter, replace } from '../../shared/runtime/dependency.ts';
import { createClockMover, type MoveClock } from './clock/clock-mover.ts';
import { type LocalClock, openLocalClock } from './clock/local-clock.ts';
import { startTicks, type Ticks } from './clock/ticks.ts';
import { createTable } from './database/create-table.ts';
import { type DynamoDbLocal, launchDynamoDbLocal } from './database/dynamodb-local.ts';
import { createFolderBlobs } from './folder-blobs.ts';
import { createLocalKeyWrapper, loadKeyFile } from './key-file.ts';
import { type LocalQueues, openLocalQueues, openQueueStore } from './queue/queue.ts';
import { consumeQueue, type QueueConsumer } from './queue/queue-consumer.ts';
import { asBatchResponse, recordCountOf } from './queue/worker-events.ts';
import { type Outbox, openOutbox } from './sandbox/outbox.ts';
import { type LocalStreamEvent, readStream, type StreamReader } from './stream/stream-reader.ts';

/** Everything of AWS that the functions need, on one machine. */
export type Machine = {
  /** The data folder, or its stand-in while nothing is kept. */
  folder: string;
  clock: LocalClock;
  outbox: Outbox;
  queues: LocalQueues;
  store: DatabaseSync;
  /** Whether receipts of the sandbox are still to come. */
  isAwaitingReceipts(): boolean;
  /** Runs what the clock made due, until nothing is left to do at this time. */
  settle(): Promise<void>;
  /**
   * Moves the clock forward and answers when everything that became due on the way is done, each thing at its own time:
   * the clock stands still while it is.
   */
  moveClock: MoveClock;
  stop(): Promise<void>;
};

/** How a machine is started. */
export type MachineOptions = {
  /** Where everything is kept; undefined: in memory, gone with the process. */
  dataFolder: string | undefined;
  clockStartMs: number | undefined;
  /** Told of every stream record of the log, for the lines on the terminal. */
  onStreamEvent: (event: LocalStreamEvent) => void;
  onError: (error: unknown) => void;
  /** Told of every event a worker is given, before it runs. */
  onInvocation?: (worker: Worker, recordCount: number) => void;
  /** As Lambda: the stream is read four times a second, and queues gather batches. Else all is done at once. */
  pace?: { isAsLambda: boolean };
  /** Told when the database ends by itself: nothing can go on without it. */
  onDatabaseLost?: () => void;
};

/** The table's name on this machine. */
export const LOCAL_TABLE = 'notifications';
const CONCURRENCY = 8;
const LAMBDA_POLL_MS = 250;

/** Starts database, stream, queues and ticks, and puts the local adapters in the place of AWS. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { dataFolder } = options;
  const scratch = dataFolder === undefined ? mkdtempSync(join(tmpdir(), 'notifications-')) : undefined;
  const folder = dataFolder ?? scratch ?? '';
  mkdirSync(folder, { recursive: true });
  const store = openQueueStore(dataFolder === undefined ? ':memory:' : join(folder, 'local.sqlite'));
  const localClock = openLocalClock(store, options.clockStartMs);
  const outbox = openOutbox(store);
  const queues = openLocalQueues({ store, now: localClock.now });
  replaceAdapters({ folder, clock: localClock, outbox, queues });
  const database = await startDatabase(dataFolder, options.onDatabaseLost);
  const streamArn = await createTable(database.endpoint, LOCAL_TABLE, {
    timeToLive: localClock.now() >= Date.now() - 60_000,
  });
  const running = startWorkers(
    queues,
    localClock,
    { store, streamArn, endpoint: database.endpoint },
    options,
  );
  return {
    folder,
    clock: localClock,
    outbox,
    queues,
    store,
    isAwaitingReceipts() {
      const { visible, inFlight, delayed } = queues.depth(RECEIPTS_QUEUE);
      return visible + inFlight + delayed > 0;
    },
    settle: () => settle(running),
    moveClock: createClockMover({
      clock: localClock,
      settle: () => settle(running),
      nextVisibleAtMs: queues.nextVisibleAtMs,
    }),
    async stop() {
      await running.ticks.stop();
      await running.reader?.stop();
      await Promise.all(running.consumers.map((consumer) => consumer.stop()));
      await database.stop();
      store.close();
      if (scratch) rmSync(scratch, { recursive: true, force: true });
    },
  };
}

function replaceAdapters(local: {
  folder: string;
  clock: LocalClock;
  outbox: Outbox;
  queues: LocalQueues;
}): void {
  const key = loadKeyFile(join(local.folder, 'master.key'));
  replace(clock, () => local.clock);
  replace(jitter, () => () => 0.5);
  replace(keyWrapper, () => createLocalKeyWrapper(key));
  replace(blobs, () => createFolderBlobs(join(local.folder, 'blobs')));
  replace(sandboxOutbox, () => local.outbox);
  replace(queuesDependency, () => ({
    send: async (queue, messages) => {
      local.queues.send(queue, messages);
      return [];
    },
    changeVisibility: async (queue, handle, seconds) => local.queues.changeVisibility(queue, handle, seconds),
  }));
}

/** `DYNAMODB_ENDPOINT` may point to any DynamoDB-compatible server; else DynamoDB Local is started as a child. */
async function startDatabase(
  dataFolder: string | undefined,
  onExit: (() => void) | undefined,
): Promise<Pick<DynamoDbLocal, 'endpoint' | 'stop'>> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return { endpoint: given, stop: async () => {} };
  const folder = dataFolder === undefined ? {} : { dataFolder: join(dataFolder, 'dynamodb') };
  const local = await launchDynamoDbLocal({ ...folder, ...(onExit ? { onExit } : {}) });
  process.env.DYNAMODB_ENDPOINT = local.endpoint;
  return local;
}

type Running = { consumers: QueueConsumer[]; reader: StreamReader | undefined; ticks: Ticks };
type Handler = (event: unknown) => Promise<unknown>;

function startWorkers(
  queues: LocalQueues,
  localClock: LocalClock,
  stream: { store: DatabaseSync; streamArn: string; endpoint: string },
  options: MachineOptions,
): Running {
  const consumers: QueueConsumer[] = [];
  const scheduled: { worker: Worker; everyMinutes: number }[] = [];
  let reader: StreamReader | undefined;
  for (const worker of WORKERS) {
    const { trigger } = worker;
    if (trigger.kind === 'queue' || trigger.kind === 'events') {
      consumers.push(startConsumer(worker, trigger, queues, localClock, options));
    } else if (trigger.kind === 'schedule') {
      scheduled.push({ worker, everyMinutes: trigger.everyMinutes });
    } else if (trigger.kind === 'stream') {
      const handler = lazyHandler(worker, options);
      reader = readStream({
        ...stream,
        batchSize: trigger.batchSize,
        prefixes: trigger.prefixes,
        paceMs: () => (options.pace?.isAsLambda ? LAMBDA_POLL_MS : 0),
        onError: options.onError,
        handler: async (event) => {
          options.onStreamEvent(event);
          return asBatchResponse(await handler(event));
        },
      });
    }
  }
  const ticks = startTicks({
    clock: localClock,
    jobs: scheduled.map(({ worker, everyMinutes }) => ({ everyMinutes, run: lazyHandler(worker, options) })),
    onError: options.onError,
  });
  return { consumers, reader, ticks };
}

function startConsumer(
  worker: Worker,
  trigger: Extract<Worker['trigger'], { kind: 'queue' | 'events' }>,
  queues: LocalQueues,
  localClock: LocalClock,
  options: MachineOptions,
): QueueConsumer {
  const isQueue = trigger.kind === 'queue';
  const deadLetterQueue = `${trigger.queue}-dead`;
  const common = {
    fifo: isQueue && trigger.fifo,
    visibilityTimeoutSeconds: isQueue ? trigger.visibilityTimeoutSeconds : 180,
  };
  queues.createQueue({ name: deadLetterQueue, ...common, receiveCountMax: Number.MAX_SAFE_INTEGER });
  queues.createQueue({
    name: trigger.queue,
    ...common,
    receiveCountMax: isQueue ? trigger.receiveCountMax : 10,
    deadLetterQueue,
  });
  const handler = lazyHandler(worker, options);
  return consumeQueue({
    queues,
    queue: trigger.queue,
    batchSize: trigger.batchSize,
    concurrency: isQueue ? Math.min(trigger.concurrencyMax ?? CONCURRENCY, CONCURRENCY) : CONCURRENCY,
    now: localClock.now,
    gatherMs: () => (options.pace?.isAsLambda ? (trigger.gatherSeconds ?? 0) * 1000 : 0),
    onError: options.onError,
    handler: async (event: SQSEvent) => asBatchResponse(await handler(event)),
  });
}

/** A worker's function, loaded with its first event. */
function lazyHandler(worker: Worker, { onInvocation }: Pick<MachineOptions, 'onInvocation'>): Handler {
  let loading: Promise<{ handler: Handler }> | undefined;
  return async (event) => {
    onInvocation?.(worker, recordCountOf(event));
    loading ??= import(`../../functions/workers/${worker.concern}/${worker.name}.ts`);
    const { handler } = await loading;
    return handler(event);
  };
}

/** Ticks, stream and queues in turn, until a whole round finds nothing to do. */
async function settle(running: Running): Promise<void> {
  await running.ticks.runAll();
  for (;;) {
    await running.ticks.runDue();
    await running.reader?.caughtUp();
    for (const consumer of running.consumers) consumer.wake();
    if (running.consumers.every((consumer) => consumer.isIdle())) {
      await running.reader?.caughtUp();
      if (running.consumers.every((consumer) => consumer.isIdle())) return;
    }
    await new Promise((resume) => setTimeout(resume, 10));
  }
}
