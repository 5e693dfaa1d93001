import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import type { Checkpoints } from './checkpoint.ts';
import { type LocalStreamEvent, streamEventOf } from './stream-event.ts';
import type { StreamSource } from './stream-source.ts';

export type ShardReaderOptions = {
  source: StreamSource;
  checkpoints: Checkpoints;
  batchSize: number;
  windowSeconds: number;
  /** True if the handler sees the records of a partition key. */
  isWanted: (pk: string) => boolean;
  handler: (event: LocalStreamEvent) => Promise<DynamoDBBatchResponse | undefined>;
  /** Deliveries of one record before it is skipped. */
  attemptsMax: number;
  onError: (error: unknown) => void;
};

/**
 * The outcome of one read. `failed`: the handler did not accept everything; the rest is read again after a
 * pause.
 */
type ShardRead = 'records' | 'empty' | 'end' | 'failed';

export type ShardReader = { read(): Promise<ShardRead> };

/** Opens a shard at its checkpoint, or at its oldest record if it has none. */
export function openShard(options: ShardReaderOptions, shardId: string): ShardReader {
  const { source, checkpoints, handler, windowSeconds } = options;
  const cursor = source.openShard(shardId);
  let position = checkpoints.find(shardId);
  let batchSize = options.batchSize;
  let failing = { record: '', attempts: 0 };

  function isWanted(record: DynamoDBRecord): boolean {
    return options.isWanted(record.dynamodb?.Keys?.pk?.S ?? '');
  }

  async function deliver(records: DynamoDBRecord[]): Promise<Delivered> {
    const matching = records.filter(isWanted);
    if (matching.length === 0) return { done: records.length, isNamed: false };
    try {
      const event = streamEventOf({ streamArn: source.arn, shardId, windowSeconds }, matching, Date.now());
      return deliveredOf(records, matching, await handler(event));
    } catch (error) {
      options.onError(error);
      return { done: records.findIndex(isWanted), isNamed: false };
    }
  }

  /**
   * A batch that failed without naming a record is halved until the faulty record is alone: skipping it costs
   * no other.
   */
  function isGivenUp(record: DynamoDBRecord, isAtFault: boolean): boolean {
    const sequenceNumber = sequenceNumberOf(record);
    const attempts = failing.record === sequenceNumber ? failing.attempts + 1 : 1;
    failing = { record: sequenceNumber, attempts };
    if (attempts < options.attemptsMax || !isAtFault) return false;
    options.onError(new Error(`stream record ${record.eventID} failed ${attempts} times and is skipped`));
    return true;
  }

  /** Stores the handler's position before anything else is read. */
  function conclude(records: DynamoDBRecord[], { done, isNamed }: Delivered): ShardRead {
    const stuck = records[done];
    const left = records.length - done;
    const skipped = stuck && isGivenUp(stuck, isNamed || left === 1) ? 1 : 0;
    const last = records[done + skipped - 1];
    if (last) {
      position = sequenceNumberOf(last);
      checkpoints.save(shardId, position);
    }
    batchSize = stuck ? Math.max(1, Math.floor(left / 2)) : Math.min(options.batchSize, batchSize * 2);
    if (!stuck) return 'records';
    return skipped === 1 ? 'records' : 'failed';
  }

  return {
    async read() {
      const page = await cursor.read(position, batchSize);
      if (page === 'trimmed') {
        checkpoints.remove(shardId);
        position = undefined;
        return 'records';
      }
      const { records, isEnd } = page;
      const response = records.length === 0 ? 'empty' : conclude(records, await deliver(records));
      const last = records.at(-1);
      const isRead = !last || position === sequenceNumberOf(last);
      return isEnd && isRead ? 'end' : response;
    },
  };
}

/** Number of records, from the first, that are done, and whether the response named the next one as failed. */
type Delivered = { done: number; isNamed: boolean };

/** The lowest failed record counts. A response that lists no record of the batch fails all of it, as with Lambda. */
function deliveredOf(
  records: DynamoDBRecord[],
  matching: DynamoDBRecord[],
  response: DynamoDBBatchResponse | undefined,
): Delivered {
  const failures = response?.batchItemFailures ?? [];
  if (failures.length === 0) return { done: records.length, isNamed: false };
  const named = new Set(failures.map((failure) => failure.itemIdentifier));
  const known = matching.filter((record) => named.has(sequenceNumberOf(record)));
  const isNamed = known.length === named.size;
  const first = isNamed ? known[0] : matching[0];
  return { done: first ? records.indexOf(first) : records.length, isNamed };
}

function sequenceNumberOf(record: DynamoDBRecord): string {
  return record.dynamodb?.SequenceNumber ?? '';
}
