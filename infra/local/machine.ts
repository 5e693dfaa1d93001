import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { blobs } from '../../shared/blobs/blobs.ts';
import { keyWrapper } from '../../shared/encryption/keyring.ts';
import { eventBus } from '../../shared/messaging/event-bus.ts';
import { DUE_QUEUE, FOLLOW_UP_QUEUE } from '../../shared/messaging/queue-names.ts';
import { queues as queuesDependency } from '../../shared/messaging/queues.ts';
import { sandboxOutbox } from '../../shared/providers/sandbox.ts';
import { clock, jitter, replace } from '../../shared/runtime/dependency.ts';
import { createClockMover, type MoveClock, nextStopAtMs } from './clock/clock-mover.ts';
import { type LocalClock, openLocalClock } from './clock/local-clock.ts';
import { startTicks } from './clock/ticks.ts';
import { assertNotEmptied, type DatabaseKind, QUEUES_FILE } from './database/data-folder.ts';
import type { Engine } from './database/embedded/engine.ts';
import { startDatabase } from './database/start-database.ts';
import { createFolderBlobs } from './files/folder-blobs.ts';
import { createLocalKeyWrapper, KEY_FILE, loadKeyFile } from './files/key-file.ts';
import { type LocalQueues, queuesPort } from './queue/local-queues.ts';
import { openLocalQueues, openQueueStore } from './queue/queue.ts';
import { type LocalEventBus, openLocalEventBus } from './sandbox/bus-events.ts';
import { type Outbox, openOutbox } from './sandbox/outbox.ts';
import { startWorkers, type WorkersOptions } from './workers.ts';

export type Machine = {
  /** The data folder, or a temporary one if nothing is stored. */
  folder: string;
  clock: LocalClock;
  outbox: Outbox;
  eventBus: LocalEventBus;
  queues: LocalQueues;
  store: DatabaseSync;
  /** Of the embedded table. */
  engine: Engine | undefined;
  /** True if receipts of the sandbox are still to come. */
  isAwaitingReceipts(): boolean;
  /** Runs due work until nothing is left to do at this time. */
  settle(): Promise<void>;
  /**
   * Moves the clock forward and returns when all work that became due on the way is done, at its due time:
   * the clock is stopped while it runs.
   */
  moveClock: MoveClock;
  /** Returns the next due time: the time of the table's items, then of a queue's messages. */
  nextStopAtMs(): Promise<number | undefined>;
  stop(): Promise<void>;
};

export type MachineOptions = {
  /** The data folder; undefined: in memory, lost with the process. */
  dataFolder: string | undefined;
  clockStartMs: number | undefined;
  /** Called when the database ends unexpectedly. */
  onDatabaseLost?: () => void;
  database?: DatabaseKind | undefined;
  /** Of a table that the caller has put in the place of AWS: awaited before the outcome of a message is recorded. */
  beforeOutcome?: () => Promise<void>;
} & Pick<WorkersOptions, 'onStreamEvent' | 'onError' | 'onInvocation' | 'pace' | 'isPaused'>;

/** Starts database, stream, queues and ticks, and puts the local adapters in the place of AWS. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { dataFolder } = options;
  const scratch = dataFolder === undefined ? mkdtempSync(join(tmpdir(), 'notifications-')) : undefined;
  const folder = dataFolder ?? scratch ?? '';
  mkdirSync(folder, { recursive: true });
  assertNotEmptied(folder);
  const store = openQueueStore(dataFolder === undefined ? ':memory:' : join(folder, QUEUES_FILE));
  const localClock = openLocalClock(store, options.clockStartMs);
  const outbox = openOutbox(store);
  const bus = openLocalEventBus(store);
  const queues = openLocalQueues({ store, now: localClock.now });
  const database = await startDatabase({
    kind: options.database ?? 'embedded',
    dataFolder,
    nowMs: localClock.now,
    onExit: options.onDatabaseLost,
  });
  const beforeOutcome = options.beforeOutcome ?? database.beforeOutcome;
  replaceAdapters({ folder, clock: localClock, outbox, queues, bus, beforeOutcome });
  const workers = startWorkers({
    ...options,
    queues,
    now: localClock.now,
    stream: { store, source: database.source },
  });
  const ticks = startTicks({
    clock: localClock,
    jobs: workers.scheduled,
    isPaused: options.isPaused,
    onError: options.onError,
  });
  const clockParts = {
    clock: localClock,
    // Waiting work is in the table's index, with its exact time.
    nextVisibleAtMs: () => queues.nextVisibleAtMs((name) => name !== DUE_QUEUE),
  };
  const settle = async () => {
    await ticks.runStop();
    await workers.settle(ticks.runDue);
  };
  return {
    folder,
    clock: localClock,
    outbox,
    eventBus: bus,
    queues,
    store,
    engine: database.engine,
    isAwaitingReceipts() {
      const { visible, inFlight, delayed } = queues.depth(FOLLOW_UP_QUEUE);
      return visible + inFlight + delayed > 0;
    },
    settle,
    moveClock: createClockMover({ ...clockParts, settle }),
    nextStopAtMs: () => nextStopAtMs(clockParts),
    async stop() {
      await ticks.stop();
      await workers.stop();
      await database.stop();
      queues.close();
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
  bus: LocalEventBus;
  beforeOutcome: () => Promise<void>;
}): void {
  const key = loadKeyFile(join(local.folder, KEY_FILE));
  replace(clock, () => local.clock);
  replace(jitter, () => () => 0.5);
  replace(keyWrapper, () => createLocalKeyWrapper(key));
  replace(blobs, () => createFolderBlobs(join(local.folder, 'blobs')));
  replace(sandboxOutbox, () => ({
    async record(message) {
      // As the response of a real provider: it arrives alone.
      await local.beforeOutcome();
      await local.outbox.record(message);
    },
  }));
  replace(eventBus, () => local.bus);
  replace(queuesDependency, () => queuesPort(local.queues));
}
