import type { Stack } from 'aws-cdk-lib';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Trigger, Worker } from '../../../shared/http/rows/worker.ts';
import type { Invoked } from '../functions/rollout.ts';
import type { Statement } from '../functions/statement.ts';
import type { Platform } from '../platform.ts';
import type { QueueRow } from './queue-address.ts';

export type DeadLetterQueue = { name: string; queueName: string };

/** The context of a trigger: its worker, and the resources that the stack's workers share. */
export type Connection<T extends Trigger = Trigger> = {
  stack: Stack;
  platform: Platform;
  worker: Worker;
  trigger: T;
  queues: ReadonlyMap<string, QueueRow>;
  /** Receives asynchronous invocations that failed. */
  failures: sqs.IQueue;
};

/** A trigger's part of the role, and how it reaches the function once that is there. */
export type Connected = {
  statements: readonly Statement[];
  /** The queue it reads, by the name in the worker table. */
  readsFrom?: string;
  deadLetters?: readonly DeadLetterQueue[];
  /** Concurrent invocations, regardless of the parameters. */
  concurrency?: number;
  attach(invoked: Invoked): void;
};
