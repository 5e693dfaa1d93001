/** A message for a queue. `groupId` and `deduplicationId` are for FIFO queues, `delaySeconds` for standard queues. */
export type QueueMessage = {
  body: string;
  groupId?: string;
  deduplicationId?: string;
  /** At most 900. */
  delaySeconds?: number;
};

/** Queues by name: SQS in AWS, a durable file in the local run. */
export type Queues = {
  /** Sends any number of messages; returns the indexes of messages that were not accepted. */
  send(queue: string, messages: readonly QueueMessage[]): Promise<number[]>;
  /** Makes a received message visible again after `seconds` (0 to 43,200). */
  changeVisibility(queue: string, receiptHandle: string, seconds: number): Promise<void>;
  /** The number of messages of a queue that could be received now; SQS counts approximately. */
  countWaiting(queue: string): Promise<number>;
};
