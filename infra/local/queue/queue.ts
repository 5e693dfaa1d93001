import { DatabaseSync } from 'node:sqlite';
import type { LocalQueues, QueueOptions } from './local-queues.ts';
import { insertMessage, readReceipt, takeMessages } from './queue-rules.ts';
import { migrateQueues, prepareQueueSql, QUEUE_SCHEMA } from './queue-sql.ts';

/**
 * Opens the store of queues and checkpoints. With WAL, a commit has reached the operating system when it
 * returns, so `synchronous = NORMAL` loses nothing if the process is killed: it only saves the fsync, which
 * matters if the machine loses power, and then the file is intact, without its last moments.
 */
export function openQueueStore(file: string): DatabaseSync {
  const store = new DatabaseSync(file);
  store.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
  store.exec(QUEUE_SCHEMA);
  migrateQueues(store);
  return store;
}

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
  sql.recover.run(now());

  function optionsOf(name: string): QueueOptions {
    const found = queues.get(name);
    if (!found) throw new Error(`the queue ${name} does not exist`);
    return found;
  }

  /** Nothing reads dead letters. */
  function isConsumed(name: string): boolean {
    return queues.has(name) && ![...queues.values()].some((queue) => queue.deadLetterQueue === name);
  }

  function nextOf(name: string): number | undefined {
    const row = sql.next.get(name);
    return row ? Number(row.at) : undefined;
  }

  function eachReceipt(
    handles: readonly string[],
    change: (seq: number, receiveCount: number) => void,
  ): void {
    inTransaction(store, () => {
      for (const handle of handles) change(...readReceipt(handle));
    });
  }

  return {
    createQueue(queue) {
      if (queue.deadLetterQueue !== undefined) optionsOf(queue.deadLetterQueue);
      queues.set(queue.name, queue);
    },

    send(name, messages) {
      const queue = optionsOf(name);
      inTransaction(store, () => {
        const nowMs = now();
        sql.expireDuplicates.run(nowMs);
        for (const message of messages) insertMessage(sql, queue, message, nowMs);
      });
      listeners.notify(name);
    },

    receive(name, countMax, hold) {
      const queue = optionsOf(name);
      const nowMs = now();
      const nextMs = nextOf(name);
      if (nextMs === undefined || nextMs > nowMs) return [];
      const isHeld = hold === 'held';
      const { received, buried } = inTransaction(store, () =>
        takeMessages(sql, queue, { countMax, nowMs, isHeld }),
      );
      if (buried > 0 && queue.deadLetterQueue !== undefined) listeners.notify(queue.deadLetterQueue);
      return received;
    },

    release(name, receiptHandles) {
      eachReceipt(receiptHandles, (seq, receiveCount) => sql.release.run(seq, name, receiveCount));
      listeners.notify(name);
    },

    delete(name, receiptHandles) {
      eachReceipt(receiptHandles, (seq, receiveCount) => sql.remove.run(seq, name, receiveCount));
      if (optionsOf(name).fifo) listeners.notify(name);
    },

    changeVisibility(name, receiptHandle, seconds) {
      const [seq, receiveCount] = readReceipt(receiptHandle);
      sql.move.run(Math.round(now() + seconds * 1000), seq, name, receiveCount);
      listeners.notify(name);
    },

    depth(name) {
      const nowMs = now();
      const row = sql.depth.get(nowMs, nowMs, name);
      const [visible, inFlight] = [Number(row?.visible ?? 0), Number(row?.in_flight ?? 0)];
      return { visible, inFlight, delayed: Number(row?.total ?? 0) - visible - inFlight };
    },

    backlog() {
      const rows = sql.backlog.all(now());
      return rows
        .filter((row) => isConsumed(String(row.queue)))
        .reduce((total, row) => total + Number(row.total), 0);
    },

    fail(name, receiptHandle, error) {
      const [seq, receiveCount] = readReceipt(receiptHandle);
      sql.fail.run(error, seq, name, receiveCount);
    },

    deadLetters(name, countMax) {
      const { deadLetterQueue } = optionsOf(name);
      if (deadLetterQueue === undefined) return [];
      return sql.list.all(deadLetterQueue, countMax).map((row) => ({
        id: String(row.id),
        body: String(row.body),
        sentAtMs: Number(row.sent_at),
        receiveCount: Number(row.receive_count),
        ...(row.last_error === null ? {} : { error: String(row.last_error) }),
      }));
    },

    returnDeadLetters(name, ids) {
      const { deadLetterQueue } = optionsOf(name);
      if (deadLetterQueue === undefined) return 0;
      const nowMs = now();
      const moved = inTransaction(store, () =>
        (ids ?? [null]).map((id) => Number(sql.revive.run(name, nowMs, deadLetterQueue, id, id).changes)),
      );
      listeners.notify(name);
      return moved.reduce((total, count) => total + count, 0);
    },

    nextVisibleAtMs(which = () => true) {
      if (typeof which === 'string') return nextOf(which);
      const names = [...queues.keys()].filter((name) => isConsumed(name) && which(name));
      const times = names.flatMap((name) => nextOf(name) ?? []);
      return times.length === 0 ? undefined : Math.min(...times);
    },

    onSend: listeners.add,
    close: () => {
      if (!('store' in options)) store.close();
    },
  };
}

function inTransaction<T>(store: DatabaseSync, work: () => T): T {
  store.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    store.exec('COMMIT');
    return result;
  } catch (error) {
    store.exec('ROLLBACK');
    throw error;
  }
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
