import type { QueueMessage, Queues } from '../../../shared/messaging/queues-port.ts';
export type QueueOptions = {
  name: string;
  /** Groups and deduplication count; without it both are ignored, as on a standard queue. */
  fifo?: boolean;
  visibilityTimeoutSeconds: number;
  receiveCountMax: number;
  /** Created before. Without it a message is received indefinitely. */
  deadLetterQueue?: string;
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

/** The messages in a queue: each counts once. */
export type QueueDepth = {
  /** Could be received now. */
  visible: number;
  /** Received and not deleted: its consumer is at work, or it waits for a retry. */
  inFlight: number;
  /** Waits for its delay, or for an earlier message of its group. */
  delayed: number;
};

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
   * Sends all or nothing. A duplicate on a FIFO queue is accepted and dropped. Throws for what SQS rejects: characters that
   * XML does not allow, over 1 MiB, an ID with spaces or over 128 characters, a message of a
   * FIFO queue without a group or with a delay.
   */
  send(queue: string, messages: readonly QueueMessage[]): void;
  /**
   * Receives messages, at most one per group. They are redelivered after the visibility timeout. Held messages are not
   * redelivered while this process lives and has not released them, even if the clock is moved.
   */
  receive(queue: string, countMax: number, hold?: 'held'): ReceivedMessage[];
  release(queue: string, receiptHandles: readonly string[]): void;
  delete(queue: string, receiptHandles: readonly string[]): void;
  /** Makes a message in flight visible `seconds` from now instead of after the visibility timeout. */
  changeVisibility(queue: string, receiptHandle: string, seconds: number): void;
  depth(queue: string): QueueDepth;
  /** Stores why a message in flight failed. */
  fail(queue: string, receiptHandle: string, error: string): void;
  /** Lists the dead letters of a queue, oldest first. */
  deadLetters(queue: string, countMax: number): DeadLetter[];
  /** Moves dead letters of a queue back to it, as if they were new: all, or those with these IDs. Returns how many. */
  returnDeadLetters(queue: string, ids?: readonly string[]): number;
  /** When the next message can be received, possibly in the past; of all but dead-letter queues if `queue` is omitted. */
  nextVisibleAtMs(queue?: string | ((name: string) => boolean)): number | undefined;
  /**
   * Calls `listener` after each change that may have made a message visible; the returned function ends that.
   */
  onSend(queue: string, listener: () => void): () => void;
  /** Resolves when all changes until now are on disk: nobody is told of one before. */
  committed(): Promise<void>;
  close(): void;
};

/** The queues as functions use them: nobody is told of a change before it is on disk. */
export function queuesPort(local: LocalQueues): Queues {
  return {
    async send(queue, messages) {
      local.send(queue, messages);
      await local.committed();
      return [];
    },
    async changeVisibility(queue, handle, seconds) {
      local.changeVisibility(queue, handle, seconds);
      await local.committed();
    },
    countWaiting: async (queue) => local.depth(queue).visible,
  };
}
