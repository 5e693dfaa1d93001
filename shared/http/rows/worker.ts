import type { SettingName } from '../../runtime/settings.ts';
import type { Grants } from './route.ts';

export type Trigger =
  | {
      kind: 'stream';
      /** Partition key prefixes of the records it sees. */
      prefixes: readonly string[];
      batchSize: number;
      /** Window that makes Lambda pass the shard's ID, so that usage can be counted exactly once (ADR 4). */
      windowSeconds: number;
    }
  | {
      kind: 'queue';
      queue: string;
      batchSize: number;
      /** Messages of one group are never delivered at the same time, repeats within five minutes are dropped (ADR 3). */
      fifo: boolean;
      visibilityTimeoutSeconds: number;
      /** Receives before a message goes to the dead-letter queue. */
      receiveCountMax: number;
      /** Largest number of concurrent invocations: paces a provider. */
      concurrencyMax?: number;
    }
  | { kind: 'schedule'; everyMinutes: number }
  /** Events of an external service that reach a queue through SNS (receipts, inbound messages). */
  | {
      kind: 'events';
      source: 'two-way-sms' | 'mail';
      queue: string;
      batchSize: number;
      /** Receives before a message goes to the dead-letter queue. */
      receiveCountMax: number;
    }
  /** Events of an external service that SNS sends to the function directly; failures go to the failed invocations. */
  | { kind: 'topic'; source: 'ses' | 'sms-voice' }
  /** API Gateway WebSocket route. */
  | { kind: 'websocket'; route: '$connect' | '$disconnect' }
  /** Invoked manually, with IAM only. */
  | { kind: 'manual' };

/** One worker as data: the source of its function, its event source, its queue and its role. */
export type WorkerRow = {
  /** Kebab-case. */
  name: string;
  summary: string;
  trigger: Trigger;
  timeoutSeconds: number;
  memoryMb: number;
  grants: Grants;
  settings?: readonly SettingName[];
  /** How a message can come back to this worker's queue, and what ends that cycle, because Lambda does not. */
  returns?: readonly Returning[];
};

/** A worker of the worker table: with the folder of `functions/workers` that contains the handler's file, `<name>.ts`. */
export type Worker = WorkerRow & { concern: string };

/** A cycle of queues: the other queues in the order that a message passes them; none if the worker sends to its own. */
type Returning = { by: readonly string[]; end: string };
