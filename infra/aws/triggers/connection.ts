import type { Stack } from 'aws-cdk-lib';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Trigger, Worker } from '../../../shared/http/worker.ts';
import type { Statement } from '../permissions/role-policy.ts';
import type { Platform } from '../platform.ts';
import type { Invoked } from '../rollout.ts';
import type { QueueRow } from './queue-address.ts';

/** A queue in which nothing should ever be. */
export type DeadLetterQueue = { name: string; queueName: string };

/** What a trigger is connected with: its worker, and what the stack's workers share. */
export type Connection<T extends Trigger = Trigger> = {
  stack: Stack;
  platform: Platform;
  worker: Worker;
  trigger: T;
  queues: ReadonlyMap<string, QueueRow>;
  /** Takes what an invocation that nobody waits for could not do. */
  failures: sqs.IQueue;
};

/** A trigger's part of the role, and how it reaches the function once that is there. */
export type Connected = {
  statements: readonly Statement[];
  /** The queue it reads, by the name in the worker table. */
  readsFrom?: string;
  deadLetters?: readonly DeadLetterQueue[];
  attach(invoked: Invoked): void;
};
