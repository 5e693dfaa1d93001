import type { DatabaseSync } from 'node:sqlite';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import type { LocalStreamEvent } from './stream-event.ts';

/** What the reader needs. */
export type StreamReaderOptions = {
  endpoint: string;
  /** Selects the database of DynamoDB Local; `local` by default. */
  accessKeyId?: string | undefined;
  streamArn: string;
  /** Where checkpoints are kept: the queues' store. */
  store: DatabaseSync;
  /** At most 1,000. */
  batchSize: number;
  /** Partition key prefixes of the records that the handler sees, as the event source's filter; none: all. */
  prefixes: readonly string[];
  /** Length of the window that events name; 10 by default. */
  windowSeconds?: number;
  /** Least time between two reads, ms, asked after each; by default there is none. */
  paceMs?: () => number;
  /** As Lambda reads its answer: the lowest failure named comes again with all after it, a thrown error fails all. */
  handler: (event: LocalStreamEvent) => Promise<DynamoDBBatchResponse | undefined>;
  /** Deliveries of a record before it is given up; by default it is never. */
  attemptsMax?: number;
  /** Hears each failure of the handler, and the first of a row of failures to reach the stream. */
  onError: (error: unknown) => void;
};
