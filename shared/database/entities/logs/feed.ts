import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { type Database, database } from '../../database.ts';
import { feedPk } from '../../keys/indexes.ts';
import type { Key } from '../../keys/key.ts';
import type { Item } from '../../table.ts';

export type FeedEntry = { position: string; key: Key };

/** Newest-first listing over the shards of one or more feeds. */
export type Feed = {
  /**
   * The next `limit` entries older than `after`. Index `feed`, each shard read backwards in parallel and
   * merged by time; entries of the same millisecond are ordered by ID, so that no page repeats or skips one.
   */
  listNewestFirst(
    feeds: readonly { environmentId: string; kind: string; shards: number }[],
    options: { limit: number; after?: string | undefined },
  ): Promise<FeedEntry[]>;
  /** The next `limit` entries of one shard, by its partition key in the index. */
  listShard(feedPk: string, options: { limit: number; after?: string | undefined }): Promise<FeedEntry[]>;
};

/** The partition keys of the shards of feeds. */
export const shardsOf = (feeds: readonly { environmentId: string; kind: string; shards: number }[]) =>
  feeds.flatMap(({ environmentId, kind, shards }) =>
    Array.from({ length: shards }, (_, shard) => feedPk(environmentId, kind, shard)),
  );

function createFeed(table: Database): Feed {
  async function readShard(pk: string, limit: number, after: string | undefined): Promise<FeedEntry[]> {
    const entries: FeedEntry[] = [];
    let lastKey: Item | undefined;
    do {
      const page = await table.query({
        IndexName: 'feed',
        KeyConditionExpression: after === undefined ? 'feedPk = :pk' : 'feedPk = :pk AND feedSk < :after',
        ExpressionAttributeValues: { ':pk': pk, ...defined({ ':after': after }) },
        ScanIndexForward: false,
        Limit: limit - entries.length,
        ExclusiveStartKey: lastKey,
      });
      for (const { feedSk, pk: itemPk, sk } of page.items)
        entries.push({ position: String(feedSk), key: { pk: String(itemPk), sk: String(sk) } });
      lastKey = page.lastKey;
    } while (lastKey && entries.length < limit);
    return entries;
  }

  return {
    async listNewestFirst(feeds, { limit, after }) {
      const pages = await Promise.all(shardsOf(feeds).map((pk) => readShard(pk, limit, after)));
      return pages
        .flat()
        .sort((left, right) => (left.position < right.position ? 1 : left.position > right.position ? -1 : 0))
        .slice(0, limit);
    },
    listShard: (pk, { limit, after }) => readShard(pk, limit, after),
  };
}

export const feed = dependency('feed', () => createFeed(resolve(database)));
