import { DatabaseSync } from 'node:sqlite';
import { insertMessage, readReceipt, takeMessages } from './queue-rules.ts';
import { migrateQueues, prepareQueueSql, QUEUE_SCHEMA } from './queue-sql.ts';

/** How a queue behaves; the same words as SQS. */
export type QueueOptions = {
  name: string;
  /** Groups and deduplication count; without it both are ignored, as on a standard queue. */
  fifo?: boolean;
  visibilityTimeoutSeconds: number;
  /** Receives before a message goes to the dead-letter queue. */
  receiveCountMax: number;
  /** Created before. Without it a message is received for ever. */
  deadLetterQueue?: string;
};

/** A message to send. */
export type LocalMessage = {
  body: string;
  /** For standard queues. */
  delaySeconds?: number;
  /** For FIFO queues: required there. */
  groupId?: string;
  deduplicationId?: string;
};

/** A message that was received and is in flight. */
export type ReceivedMessage = {
  messageId: string;
  /** Good until the message is received again. */
  receiptHandle: string;
  body: string;
  /** This receive included. */
  receiveCount: number;
  sentAtMs: number;
  firstReceivedAtMs: number;
  /** Rises in the order of sending. */
  sequenceNumber: number;
  groupId?: string;
  deduplicationId?: string;
};

/** What is in a queue: each message counts once. */
export type QueueDepth = {
  /** Could be received now. */
  visible: number;
  /** Received and not deleted: its consumer is at work, or it waits to be tried again. */
  inFlight: number;
  /** Waits for its delay, or for an earlier message of its group. */
  delayed: number;
};

/** A message that failed too often. */
export type DeadLetter = {
  id: string;
  body: string;
  sentAtMs: number;
  receiveCount: number;
  /** Error of the last receive, if it is known. */
  error?: string;
};

/** Durable queues with the rules of SQS: visibility timeout, delay, receive count, dead letters, FIFO groups. */
export type LocalQueues = {
  createQueue(options: QueueOptions): void;
  /**
   * Sends all or nothing. A repeat on a FIFO queue is accepted and dropped. Throws for what SQS refuses: a message of a
   * FIFO queue without a group or with a delay.
   */
  send(queue: string, messages: readonly LocalMessage[]): void;
  /**
   * Takes messages, at most one of a group. They come again after the visibility timeout; those that are held do not, as
   * long as this process lives and has not released them, however far the clock is moved meanwhile.
   */
  receive(queue: string, countMax: number, hold?: 'held'): ReceivedMessage[];
  /** Lets go of held messages that were not deleted: from now on their visibility timeout counts. */
  release(queue: string, receiptHandles: readonly string[]): void;
  delete(queue: string, receiptHandles: readonly string[]): void;
  /** Makes a message in flight visible `seconds` from now instead of after the visibility timeout. */
  changeVisibility(queue: string, receiptHandle: string, seconds: number): void;
  depth(queue: string): QueueDepth;
  /** Returns how many messages of all queues are due or being worked on. */
  backlog(): number;
  /** Stores why a message in flight failed. */
  fail(queue: string, receiptHandle: string, error: string): void;
  /** Lists the dead letters of a queue, oldest first. */
  deadLetters(queue: string, countMax: number): DeadLetter[];
  /** Moves dead letters of a queue back to it, as if they were new: all, or those with these IDs. Returns how many. */
  returnDeadLetters(queue: string, ids?: readonly string[]): number;
  /** When the next message could be received, maybe in the past; of all but dead-letter queues when none is named. */
  nextVisibleAtMs(queue?: string): number | undefined;
  /** Calls `listener` after each change that may have made a message visible; the function returned ends that. */
  onSend(queue: string, listener: () => void): () => void;
  /** Closes the store if it was opened here. */
  close(): void;
};

/**
 * Opens the store of queues and checkpoints. With WAL a commit has reached the operating system when it returns, so that
 * `synchronous = NORMAL` loses nothing when the process is killed: it only spares the fsync, which matters when the
 * machine itself loses power, and then the file is still whole, just short of its last moments.
 */
export function openQueueStore(file: string): DatabaseSync {
  const store = new DatabaseSync(file);
  store.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
  store.exec(QUEUE_SCHEMA);
  migrateQueues(store);
  return store;
}

/** Opens the queues of a file (or of a store). Messages that a killed process held become visible at once. */
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
    if (!found) throw new Error(`there is no queue ${name}`);
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
        sql.forget.run(nowMs);
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
      const { taken, buried } = inTransaction(store, () =>
        takeMessages(sql, queue, { countMax, nowMs, isHeld }),
      );
      if (buried > 0 && queue.deadLetterQueue !== undefined) listeners.notify(queue.deadLetterQueue);
      return taken;
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

    nextVisibleAtMs(name) {
      if (name !== undefined) return nextOf(name);
      const times = [...queues.keys()].filter(isConsumed).flatMap((queue) => nextOf(queue) ?? []);
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
