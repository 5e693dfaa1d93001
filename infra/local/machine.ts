import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { blobs } from '../../shared/blobs/blobs.ts';
import { createDatabase, database } from '../../shared/database/database.ts';
import { createDocumentClient } from '../../shared/database/document-client.ts';
import { createTablePages, tablePages } from '../../shared/database/table-pages.ts';
import { keyWrapper } from '../../shared/encryption/keyring.ts';
import { eventBus } from '../../shared/messaging/event-bus.ts';
import { DUE_QUEUE, FOLLOW_UP_QUEUE } from '../../shared/messaging/queue-names.ts';
import { queues as queuesDependency } from '../../shared/messaging/queues.ts';
import { sandboxOutbox } from '../../shared/providers/sandbox.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { clock, jitter, replace } from '../../shared/runtime/dependency.ts';
import { createClockMover, type MoveClock, nextStopAtMs } from './clock/clock-mover.ts';
import { type LocalClock, openLocalClock } from './clock/local-clock.ts';
import { startTicks } from './clock/ticks.ts';
import { createTable } from './database/create-table.ts';
import { launchDynamoDbLocal } from './database/dynamodb-local.ts';
import { inTurn } from './database/in-turn.ts';
import { openTurns, type Turns } from './database/turns.ts';
import { createFolderBlobs } from './folder-blobs.ts';
import { createLocalKeyWrapper, loadKeyFile } from './key-file.ts';
import type { LocalQueues } from './queue/local-queues.ts';
import { openLocalQueues, openQueueStore } from './queue/queue.ts';
import { type LocalEventBus, openLocalEventBus } from './sandbox/bus-events.ts';
import { type Outbox, openOutbox } from './sandbox/outbox.ts';
import { openStreamClient } from './stream/stream-client.ts';
import { startWorkers, type WorkersOptions } from './workers.ts';

/** Everything of AWS that the functions need, on one machine. */
export type Machine = {
  /** The data folder, or a temporary one if nothing is stored. */
  folder: string;
  clock: LocalClock;
  outbox: Outbox;
  eventBus: LocalEventBus;
  queues: LocalQueues;
  store: DatabaseSync;
  /** True if receipts of the sandbox are still to come. */
  isAwaitingReceipts(): boolean;
  /** Runs due work until nothing is left to do at this time. */
  settle(): Promise<void>;
  /**
   * Moves the clock forward and returns when all work that became due on the way is done, at its due time:
   * the clock is stopped while it runs.
   */
  moveClock: MoveClock;
  /** Returns the next due time: of the table's items, or else of a queue's messages. */
  nextStopAtMs(): Promise<number | undefined>;
  stop(): Promise<void>;
};

/** Options for starting a machine. */
export type MachineOptions = {
  /** The data folder; undefined: in memory, lost with the process. */
  dataFolder: string | undefined;
  clockStartMs: number | undefined;
  /** Called when the database ends unexpectedly. */
  onDatabaseLost?: () => void;
  /** The turns of a table that the caller has put in the place of AWS. */
  turns?: Turns;
} & Pick<WorkersOptions, 'onStreamEvent' | 'onError' | 'onInvocation' | 'pace' | 'isPaused'>;

/** The table's name on this machine. */
export const LOCAL_TABLE = 'notifications';

/** Starts database, stream, queues and ticks, and puts the local adapters in the place of AWS. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { dataFolder, turns = openTurns() } = options;
  const scratch = dataFolder === undefined ? mkdtempSync(join(tmpdir(), 'notifications-')) : undefined;
  const folder = dataFolder ?? scratch ?? '';
  mkdirSync(folder, { recursive: true });
  const store = openQueueStore(dataFolder === undefined ? ':memory:' : join(folder, 'local.sqlite'));
  const localClock = openLocalClock(store, options.clockStartMs);
  const outbox = openOutbox(store);
  const bus = openLocalEventBus(store);
  const queues = openLocalQueues({ store, now: localClock.now });
  replaceAdapters({ folder, clock: localClock, outbox, queues, bus, turns });
  const connection = await startDatabase(dataFolder, turns, options.onDatabaseLost);
  const { endpoint, accessKeyId } = connection;
  const timeToLive = localClock.now() >= Date.now() - 60_000;
  const streamArn = await createTable(endpoint, LOCAL_TABLE, { timeToLive, accessKeyId }).catch(
    async (error: unknown) => {
      await connection.stop();
      throw new Error(
        `The database ${dataFolder ? `of ${dataFolder}` : `at ${endpoint}`} cannot be opened (${error instanceof Error ? error.message : 'unknown'}). Restore a copy of it, or use another with --data.`,
        { cause: error },
      );
    },
  );
  const workers = startWorkers({
    ...options,
    queues,
    now: localClock.now,
    stream: { store, streamArn, client: openStreamClient(endpoint, accessKeyId) },
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
      await connection.stop();
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
  turns: Turns;
}): void {
  const key = loadKeyFile(join(local.folder, 'master.key'));
  replace(clock, () => local.clock);
  replace(jitter, () => () => 0.5);
  replace(keyWrapper, () => createLocalKeyWrapper(key));
  replace(blobs, () => createFolderBlobs(join(local.folder, 'blobs')));
  replace(sandboxOutbox, () => ({
    async record(message) {
      // As the response of a real provider: it arrives alone.
      await local.turns.resume();
      await local.outbox.record(message);
    },
  }));
  replace(eventBus, () => local.bus);
  replace(queuesDependency, () => ({
    send: async (queue, messages) => {
      local.queues.send(queue, messages);
      return [];
    },
    changeVisibility: async (queue, handle, seconds) => local.queues.changeVisibility(queue, handle, seconds),
    countWaiting: async (queue) => local.queues.depth(queue).visible,
  }));
}

type Connection = { endpoint: string; accessKeyId: string | undefined; stop: () => Promise<void> };

/** Connects to `DYNAMODB_ENDPOINT`, any DynamoDB-compatible server; without it, starts DynamoDB Local as a child. */
async function startDatabase(
  dataFolder: string | undefined,
  turns: Turns,
  onExit: (() => void) | undefined,
): Promise<Connection> {
  const configuredEndpoint = process.env.DYNAMODB_ENDPOINT;
  if (configuredEndpoint)
    return { endpoint: configuredEndpoint, accessKeyId: undefined, stop: async () => {} };
  const folder = dataFolder === undefined ? undefined : join(dataFolder, 'dynamodb');
  const accessKeyId = folder === undefined ? newAccessKeyId() : openAccessKeyId(folder);
  const local = await launchDynamoDbLocal({
    accessKeyId,
    ...defined({ dataFolder: folder, onExit }),
  });
  const { endpoint } = local;
  const credentials = { accessKeyId, secretAccessKey: 'local' };
  const client = createDocumentClient({ endpoint, region: 'local', credentials });
  replace(database, () => inTurn(createDatabase(client, LOCAL_TABLE), turns));
  replace(tablePages, () => createTablePages(client, LOCAL_TABLE));
  return { endpoint, accessKeyId, stop: local.stop };
}

/** An access key id of DynamoDB Local is letters and digits. */
function newAccessKeyId(): string {
  return randomBytes(24).toString('hex');
}

/** Reads the secret that selects the folder's database; the database of a version without it becomes this one. */
function openAccessKeyId(folder: string): string {
  const accessKeyId = Buffer.from(loadKeyFile(join(folder, '..', 'dynamodb.key'))).toString('hex');
  const shared = join(folder, 'shared-local-instance.db');
  const own = join(folder, `${accessKeyId}_local.db`);
  if (existsSync(shared) && !existsSync(own)) renameSync(shared, own);
  return accessKeyId;
}
