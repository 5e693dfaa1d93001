import type { DatabaseSync } from 'node:sqlite';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import type { LocalStreamEvent } from './stream-event.ts';
import type { StreamSource } from './stream-source.ts';

export type StreamReaderOptions = {
  /** Closed when the reader stops. */
  source: StreamSource;
  /** The store of checkpoints: the queues' store. */
  store: DatabaseSync;
  /** At most 1,000. */
  batchSize: number;
  /** Partition key prefixes of the records for the handler, as the event source's filter; none: all. */
  prefixes: readonly string[];
  /** Length of the window that events name; 10 by default. */
  windowSeconds?: number;
  /** True while nothing is read. */
  isPaused?: () => boolean;
  /** Minimum time between two reads, ms, evaluated after each; by default none. */
  paceMs?: () => number;
  /**
   * As Lambda reads the response: the lowest named failure is redelivered with all after it, a thrown error
   * fails all.
   */
  handler: (event: LocalStreamEvent) => Promise<DynamoDBBatchResponse | undefined>;
  /** Deliveries of a record before it is skipped; by default it never is. */
  attemptsMax?: number;
  /**
   * Called with each failure of the handler, and with the first of consecutive failures to reach the stream.
   */
  onError: (error: unknown) => void;
};
