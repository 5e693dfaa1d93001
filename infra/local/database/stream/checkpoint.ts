import type { DatabaseSync } from 'node:sqlite';
import { write } from '../../queue/shared-commit.ts';

export type Checkpoints = {
  /** The sequence number of the last completed record; undefined: none yet. */
  find(shardId: string): string | undefined;
  save(shardId: string, sequenceNumber: string): void;
  /** Starts the shard again from its oldest record. */
  remove(shardId: string): void;
  /** Deletes shards that the stream no longer has. */
  keepOnly(shardIds: ReadonlySet<string>): void;
};

export function openCheckpoints(store: DatabaseSync, streamArn: string): Checkpoints {
  store.exec(
    `CREATE TABLE IF NOT EXISTS checkpoints (
      stream TEXT NOT NULL, shard TEXT NOT NULL, sequence_number TEXT NOT NULL, PRIMARY KEY (stream, shard)
    ) WITHOUT ROWID`,
  );
  const find = store.prepare('SELECT sequence_number FROM checkpoints WHERE stream = ? AND shard = ?');
  const list = store.prepare('SELECT shard FROM checkpoints WHERE stream = ?');
  const remove = store.prepare('DELETE FROM checkpoints WHERE stream = ? AND shard = ?');
  const save = store.prepare(
    'INSERT INTO checkpoints (stream, shard, sequence_number) VALUES (?, ?, ?) ON CONFLICT (stream, shard) DO UPDATE SET sequence_number = excluded.sequence_number',
  );
  return {
    find: (shardId) => find.get(streamArn, shardId)?.sequence_number?.toString(),
    save: (shardId, sequenceNumber) => void write(store, () => save.run(streamArn, shardId, sequenceNumber)),
    remove: (shardId) => void remove.run(streamArn, shardId),
    keepOnly(shardIds) {
      for (const { shard } of list.all(streamArn)) {
        if (!shardIds.has(String(shard))) remove.run(streamArn, String(shard));
      }
    },
  };
}
