import type { DatabaseSync } from 'node:sqlite';
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { write } from '../../queue/shared-commit.ts';
import { type LocalStreamEvent, streamEventOf } from './stream-event.ts';
import type { ShardCursor, StreamShard, StreamSource } from './stream-source.ts';

/** Shards also appear without the end of another, after a long sleep of the machine. */
const LIST_MS = 5000;

/**
 * The shards that may be read now, in the stream's order: not yet read to their end, and their parent is either read to
 * its end or no longer there, so that changes of one item keep their order over a split.
 */
export function readableShards(
  shards: readonly StreamShard[],
  isFinished: (shardId: string) => boolean,
): string[] {
  const known = new Set(shards.map(({ id }) => id));
  return shards.flatMap(({ id, parentId: parent }) => {
    if (isFinished(id)) return [];
    return !parent || !known.has(parent) || isFinished(parent) ? [id] : [];
  });
}

export type ShardOptions = {
  /** Closed when the reader stops. */
  source: StreamSource;
  /** The store of checkpoints: the queues' store. */
  store: DatabaseSync;
  /** At most 1,000. */
  batchSize: number;
  /** Partition key prefixes of the records for the handler, as the event source's filter; none: all. */
  prefixes: readonly string[];
  /**
   * As Lambda reads the response: the lowest named failure is redelivered with all after it, a thrown error
   * fails all.
   */
  handler: (event: LocalStreamEvent) => Promise<DynamoDBBatchResponse | undefined>;
  /** Called with each failure of the handler, and with the first of consecutive failures to reach the stream. */
  onError: (error: unknown) => void;
};

/** `failed`: the handler did not accept everything; the rest is read again after a pause. */
type Outcome = 'records' | 'empty' | 'failed';

type OpenShard = { cursor: ShardCursor; position: string | undefined; batchSize: number };

/**
 * Opens the shards of a stream, each at its checkpoint, or at its oldest record if it has none. The returned function reads
 * each readable shard once, one after the other. It throws when the stream cannot be reached.
 */
export function openShards({ source, store, batchSize, ...delivery }: ShardOptions): () => Promise<Outcome> {
  const checkpoints = openCheckpoints(store, source.arn);
  const open = new Map<string, OpenShard>();
  const finished = new Set<string>();
  let listed: StreamShard[] = [];
  let listAtMs = 0;

  async function readShard(id: string): Promise<Outcome> {
    const shard = open.get(id) ?? {
      cursor: source.openShard(id),
      position: checkpoints.find(id),
      batchSize,
    };
    open.set(id, shard);
    const page = await shard.cursor.read(shard.position, shard.batchSize);
    if (page === 'trimmed') {
      shard.position = undefined;
      return 'records';
    }
    const { records, isEnd } = page;
    const done = await deliver(delivery, { streamArn: source.arn, shardId: id }, records);
    const last = records[done - 1];
    if (last) {
      shard.position = sequenceNumberOf(last);
      checkpoints.save(id, shard.position);
    }
    const left = records.length - done;
    // Halved until a faulty record is alone: then it holds up no other before it.
    shard.batchSize = left > 0 ? Math.max(1, Math.floor(left / 2)) : Math.min(batchSize, shard.batchSize * 2);
    if (left > 0) return 'failed';
    if (!isEnd) return last ? 'records' : 'empty';
    open.delete(id);
    finished.add(id);
    listAtMs = 0;
    return 'records';
  }

  return async () => {
    try {
      if (performance.now() >= listAtMs) {
        listed = await source.listShards();
        listAtMs = performance.now() + LIST_MS;
      }
      const outcomes = new Set<Outcome>();
      for (const id of readableShards(listed, (each) => finished.has(each)))
        outcomes.add(await readShard(id));
      if (outcomes.has('failed')) return 'failed';
      return outcomes.has('records') ? 'records' : 'empty';
    } catch (error) {
      listAtMs = 0;
      throw error;
    }
  };
}

/** The sequence number of the last completed record of each shard. */
function openCheckpoints(store: DatabaseSync, streamArn: string) {
  store.exec(
    `CREATE TABLE IF NOT EXISTS checkpoints (
      stream TEXT NOT NULL, shard TEXT NOT NULL, sequence_number TEXT NOT NULL, PRIMARY KEY (stream, shard)
    ) WITHOUT ROWID`,
  );
  const find = store.prepare('SELECT sequence_number FROM checkpoints WHERE stream = ? AND shard = ?');
  const save = store.prepare('INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)');
  return {
    find: (shardId: string) => find.get(streamArn, shardId)?.sequence_number?.toString(),
    save: (shardId: string, number: string) => void write(store, () => save.run(streamArn, shardId, number)),
  };
}

/** Returns how many records are done, from the first. */
async function deliver(
  { prefixes, handler, onError }: Pick<ShardOptions, 'prefixes' | 'handler' | 'onError'>,
  source: { streamArn: string; shardId: string },
  records: readonly DynamoDBRecord[],
): Promise<number> {
  const pkOf = (record: DynamoDBRecord) => record.dynamodb?.Keys?.pk?.S ?? '';
  const wanted = records.filter(
    (record) => prefixes.length === 0 || prefixes.some((prefix) => pkOf(record).startsWith(prefix)),
  );
  const [oldest] = wanted;
  if (!oldest) return records.length;
  try {
    const failed = failedOf(wanted, await handler(streamEventOf(source, wanted, Date.now())));
    return failed ? records.indexOf(failed) : records.length;
  } catch (error) {
    onError(error);
    return records.indexOf(oldest);
  }
}

/** Returns the lowest failed record. A response that names a record outside the batch fails all of it, as with Lambda. */
function failedOf(
  records: readonly DynamoDBRecord[],
  response: DynamoDBBatchResponse | undefined,
): DynamoDBRecord | undefined {
  const named = new Set(response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const failed = records.filter((record) => named.has(sequenceNumberOf(record)));
  return failed.length === named.size ? failed[0] : records[0];
}

function sequenceNumberOf(record: DynamoDBRecord): string {
  return record.dynamodb?.SequenceNumber ?? '';
}
