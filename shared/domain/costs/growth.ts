/** Rows per second for one shard: a partition takes 1,000 writes per second, and some shards share one. */
const ROWS_PER_SHARD = 160;
/** Every reader of a feed reads each of its shards. */
const SHARDS_MAX = 128;
/** Requests per second for one copy of an API key: a partition serves 3,000 reads per second. */
const READS_PER_COPY = 750;
/** They are changed in one transaction with the key itself. */
const COPIES_MAX = 32;

/** Returns how many shards the feed of an account needs that accepts `perSecond` notifications. */
export function shardsFor(perSecond: number): number {
  return Math.min(SHARDS_MAX, powerOfTwo(perSecond / ROWS_PER_SHARD));
}

/** Returns how many copies a key needs in addition to itself; none while one partition is enough. */
export function copiesFor(perSecond: number): number {
  return perSecond <= READS_PER_COPY ? 0 : Math.min(COPIES_MAX, powerOfTwo(perSecond / READS_PER_COPY));
}

function powerOfTwo(least: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(least)));
}
