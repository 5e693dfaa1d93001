import type { DynamoDBRecord } from 'aws-lambda';

/** The stream of a table's changes, with records as Lambda has them. */
export type StreamSource = {
  arn: string;
  /** Its shards, parents first. */
  listShards(): Promise<StreamShard[]>;
  openShard(shardId: string): ShardCursor;
  /** Calls back after a change, so that nobody has to ask; without it, readers poll. */
  onChange?: (listener: () => void) => void;
  close(): void;
};
/** A closed shard gets no more records. */
export type StreamShard = { id: string; parentId?: string | undefined; isClosed?: boolean };

/** `trimmed`: the stream no longer has what followed the position. */
export type ShardPage = { records: DynamoDBRecord[]; isEnd: boolean } | 'trimmed';
export type ShardCursor = {
  /** Records behind a sequence number, or from the oldest on. */
  read(after: string | undefined, countMax: number): Promise<ShardPage>;
};
