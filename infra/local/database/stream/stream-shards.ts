import { openCheckpoints } from './checkpoint.ts';
import { openShard, type ShardReader } from './shard-reader.ts';
import type { StreamReaderOptions } from './stream-options.ts';
import type { StreamShard } from './stream-source.ts';

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5000;
/** Shards also appear without the end of another, after a long sleep of the machine. */
const LIST_MS = 5000;
const WINDOW_SECONDS = 10;

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

/** Returns the pause after this many consecutive failures. */
export function retryDelayMs(failuresInRow: number): number {
  return Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failuresInRow - 1));
}

/**
 * The outcome of a round over all shards. `failed`: nothing was read, and a shard waits to retry its records.
 */
type RoundOutcome = 'records' | 'empty' | 'failed';

/** The shards of a stream and their positions. */
export type Shards = {
  /** Reads each readable shard once, one after the other. Throws when the stream cannot be reached. */
  readAll(): Promise<RoundOutcome>;
};

export function openShards(options: StreamReaderOptions): Shards {
  const { source, prefixes, windowSeconds = WINDOW_SECONDS } = options;
  const checkpoints = openCheckpoints(options.store, source.arn);
  const reading = {
    ...options,
    checkpoints,
    windowSeconds,
    attemptsMax: options.attemptsMax ?? Number.POSITIVE_INFINITY,
    isWanted: (pk: string) => prefixes.length === 0 || prefixes.some((prefix) => pk.startsWith(prefix)),
  };
  const open = new Map<string, OpenShard>();
  const finished = new Set<string>();
  let listed: StreamShard[] = [];
  let listAtMs = 0;

  async function list(): Promise<void> {
    if (performance.now() < listAtMs) return;
    listed = await source.listShards();
    listAtMs = performance.now() + LIST_MS;
    const known = new Set(listed.map(({ id }) => id));
    checkpoints.keepOnly(known);
    for (const shardId of open.keys()) if (!known.has(shardId)) open.delete(shardId);
  }

  async function readShard(shardId: string): Promise<RoundOutcome> {
    const shard = open.get(shardId) ?? {
      reader: openShard(reading, shardId),
      failuresInRow: 0,
      retryAtMs: 0,
    };
    open.set(shardId, shard);
    if (performance.now() < shard.retryAtMs) return 'failed';
    const response = await shard.reader.read();
    if (response === 'failed') {
      shard.failuresInRow += 1;
      shard.retryAtMs = performance.now() + retryDelayMs(shard.failuresInRow);
      return 'failed';
    }
    shard.failuresInRow = 0;
    if (response !== 'end') return response;
    open.delete(shardId);
    finished.add(shardId);
    listAtMs = 0;
    return 'records';
  }

  return {
    async readAll() {
      await list();
      const outcomes = new Set<RoundOutcome>();
      try {
        for (const shardId of readableShards(listed, (id) => finished.has(id))) {
          outcomes.add(await readShard(shardId));
        }
      } catch (error) {
        listAtMs = 0;
        throw error;
      }
      if (outcomes.has('records')) return 'records';
      return outcomes.has('failed') ? 'failed' : 'empty';
    },
  };
}

type OpenShard = { reader: ShardReader; failuresInRow: number; retryAtMs: number };
