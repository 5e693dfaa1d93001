import { DatabaseSync } from 'node:sqlite';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import { copyLogInPauses } from '../files/log-in-pauses.ts';
import { assertOwnTables } from '../files/own-tables.ts';
import type { DeadLetter, LocalQueues, QueueDepth, QueueOptions, ReceivedMessage } from './local-queues.ts';
import { assertAccepted, insertMessage, readReceipt, takeMessages } from './queue-rules.ts';
import { migrateQueues, prepareQueueSql, QUEUE_SCHEMA, type QueueSql } from './queue-sql.ts';
import { committed, commitWrites, write } from './shared-commit.ts';

/**
 * Opens the store of queues and checkpoints. With WAL, a commit has reached the operating system when it
 * returns, so `synchronous = NORMAL` loses nothing if the process is killed: it only saves the fsync, which
 * matters if the machine loses power, and then the file is intact, without its last moments.
 */
export function openQueueStore(file: string): DatabaseSync {
  try {
    const store = new DatabaseSync(file);
    assertOwnTables(store, 'queue_messages');
    store.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
    store.exec(QUEUE_SCHEMA);
    migrateQueues(store);
    if (file !== ':memory:') copyLogInPauses(store);
    return store;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new Error(
      `The queues in ${file} cannot be opened (${reason}). Restore a copy of the data folder, or choose another with --data.`,
      { cause: error },
    );
  }
}

type Opened = {
  store: DatabaseSync;
  now: () => number;
  sql: QueueSql;
  queues: Map<string, QueueOptions>;
  listeners: ReturnType<typeof createListeners>;
};

/**
 * Opens the queues of a file (or of a store). Messages that a killed process held become visible immediately.
 */
export function openLocalQueues(
  options: ({ file: string } | { store: DatabaseSync }) & { now: () => number },
): LocalQueues {
  const store = 'store' in options ? options.store : openQueueStore(options.file);
  const { now } = options;
  const sql = prepareQueueSql(store);
  const queues = new Map<string, QueueOptions>();
  const listeners = createListeners();
  const opened: Opened = { store, now, sql, queues, listeners };
  sql.recover.run(now());
  return {
    createQueue(queue) {
      if (queue.deadLetterQueue !== undefined) optionsOf(opened, queue.deadLetterQueue);
      queues.set(queue.name, queue);
    },

    send: (name, messages) => sendMessages(opened, name, messages),
    receive: (name, countMax, hold) => receiveMessages(opened, name, countMax, hold),

    release(name, receiptHandles) {
      eachReceipt(opened, receiptHandles, (seq, receiveCount) => sql.release.run(seq, name, receiveCount));
      listeners.notify(name);
    },

    delete(name, receiptHandles) {
      eachReceipt(opened, receiptHandles, (seq, receiveCount) => sql.remove.run(seq, name, receiveCount));
      if (optionsOf(opened, name).fifo) listeners.notify(name);
    },

    changeVisibility(name, receiptHandle, seconds) {
      const [seq, receiveCount] = readReceipt(receiptHandle);
      write(store, () => sql.move.run(Math.round(now() + seconds * 1000), seq, name, receiveCount));
      listeners.notify(name);
    },

    depth: (name) => depth(opened, name),

    fail(name, receiptHandle, error) {
      const [seq, receiveCount] = readReceipt(receiptHandle);
      write(store, () => sql.fail.run(error, seq, name, receiveCount));
    },

    deadLetters: (name, countMax) => deadLetters(opened, name, countMax),
    returnDeadLetters: (name, ids) => returnDeadLetters(opened, name, ids),
    nextVisibleAtMs: (which) => nextVisibleAtMs(opened, which),
    onSend: listeners.add,
    committed: () => committed(store),

    close: () => {
      commitWrites(store);
      if (!('store' in options)) store.close();
    },
  };
}

function optionsOf(opened: Opened, name: string): QueueOptions {
  const found = opened.queues.get(name);
  if (!found) throw new Error(`the queue ${name} does not exist`);
  return found;
}

/** Dead letters have no reader. */
function isConsumed(opened: Opened, name: string): boolean {
  return (
    opened.queues.has(name) && ![...opened.queues.values()].some((queue) => queue.deadLetterQueue === name)
  );
}

function nextOf(opened: Opened, name: string): number | undefined {
  const row = opened.sql.next.get(name);
  return row ? Number(row.at) : undefined;
}

function eachReceipt(
  opened: Opened,
  handles: readonly string[],
  change: (seq: number, receiveCount: number) => void,
): void {
  write(opened.store, () => {
    for (const handle of handles) change(...readReceipt(handle));
  });
}

function sendMessages(opened: Opened, name: string, messages: readonly QueueMessage[]): void {
  const queue = optionsOf(opened, name);
  for (const message of messages) assertAccepted(queue, message);
  write(opened.store, () => {
    const nowMs = opened.now();
    opened.sql.expireDuplicates.run(nowMs);
    for (const message of messages) insertMessage(opened.sql, queue, message, nowMs);
  });
  opened.listeners.notify(name);
}

function receiveMessages(opened: Opened, name: string, countMax: number, hold?: 'held'): ReceivedMessage[] {
  const queue = optionsOf(opened, name);
  const nowMs = opened.now();
  const nextMs = nextOf(opened, name);
  if (nextMs === undefined || nextMs > nowMs) return [];
  const isHeld = hold === 'held';
  const { received, buried } = write(opened.store, () =>
    takeMessages(opened.sql, queue, { countMax, nowMs, isHeld }),
  );
  if (buried > 0 && queue.deadLetterQueue !== undefined) opened.listeners.notify(queue.deadLetterQueue);
  return received;
}

function depth(opened: Opened, name: string): QueueDepth {
  const nowMs = opened.now();
  const row = opened.sql.depth.get(nowMs, nowMs, name);
  const [visible, inFlight] = [Number(row?.visible ?? 0), Number(row?.in_flight ?? 0)];
  return { visible, inFlight, delayed: Number(row?.total ?? 0) - visible - inFlight };
}

function deadLetters(opened: Opened, name: string, countMax: number): DeadLetter[] {
  const { deadLetterQueue } = optionsOf(opened, name);
  if (deadLetterQueue === undefined) return [];
  return opened.sql.list.all(deadLetterQueue, countMax).map((row) => ({
    id: String(row.id),
    body: String(row.body),
    sentAtMs: Number(row.sent_at),
    receiveCount: Number(row.receive_count),
    ...(row.last_error === null ? {} : { error: String(row.last_error) }),
  }));
}

function returnDeadLetters(opened: Opened, name: string, ids?: readonly string[]): number {
  const { deadLetterQueue } = optionsOf(opened, name);
  if (deadLetterQueue === undefined) return 0;
  const nowMs = opened.now();
  const moved = write(opened.store, () =>
    (ids ?? [null]).map((id) => Number(opened.sql.revive.run(name, nowMs, deadLetterQueue, id, id).changes)),
  );
  opened.listeners.notify(name);
  return moved.reduce((total, count) => total + count, 0);
}

function nextVisibleAtMs(
  opened: Opened,
  which: string | ((name: string) => boolean) = () => true,
): number | undefined {
  if (typeof which === 'string') return nextOf(opened, which);
  const names = [...opened.queues.keys()].filter((name) => isConsumed(opened, name) && which(name));
  const times = names.flatMap((name) => nextOf(opened, name) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

function createListeners() {
  const byQueue = new Map<string, Set<() => void>>();
  return {
    notify(queue: string): void {
      for (const listener of byQueue.get(queue) ?? []) listener();
    },
    add(queue: string, listener: () => void): () => void {
      const ofQueue = byQueue.get(queue) ?? new Set();
      byQueue.set(queue, ofQueue.add(listener));
      return () => void ofQueue.delete(listener);
    },
  };
}
