import type { DynamoDBRecord, SQSBatchResponse } from 'aws-lambda';
import { WORKERS } from '../../functions/workers.ts';
import { LOG_PK_PREFIX } from '../../shared/database/keys/key.ts';
import type { Outcome, World } from './world.ts';

/** Runs a function with an event; `isLate`: it is delivered much later. */
type Run = <T>(
  name: string,
  event: unknown,
  onEnd: (outcome: Outcome<T>, isLate?: boolean) => void,
) => Promise<void>;

/** The reader of a world's stream, shard by shard. */
export type StreamDrive = {
  /** Delivers a batch of each shard; true while there may be more. */
  drain(): Promise<boolean>;
  /** Times of the next reads of shards with unread records. */
  resumeTimesMs(): number[];
};

type Shard = {
  name: string;
  unread: DynamoDBRecord[];
  fromMs: number;
  isBusy: boolean;
  isOwn: (pk: string) => boolean;
};

const BATCH = 25;
const LATE_MS = 30 * 60_000;
/** A reader that failed comes back a moment later. */
const AGAIN_MS = 1000;

export function createStreamDrive(world: World, run: Run): StreamDrive {
  const worker = WORKERS.flatMap(({ name, trigger }) =>
    trigger.kind === 'stream' ? [{ name, ...trigger }] : [],
  )[0];
  const shards = new Map<string, Shard>();
  /** The number of each log, by first appearance. */
  const numbers = new Map<string, number>();

  function shardOf(pk: string, names: readonly string[]): string | undefined {
    if (!pk.startsWith(LOG_PK_PREFIX)) return names[0];
    const number = numbers.get(pk) ?? numbers.size;
    numbers.set(pk, number);
    return names[number % names.length];
  }

  function allShards(): Shard[] {
    const names = world.script.shards ?? ['shard-1'];
    return names.map((name) => {
      const isOwn = (pk: string) => names.length === 1 || shardOf(pk, names) === name;
      const shard = shards.get(name) ?? { name, unread: [], fromMs: 0, isBusy: false, isOwn };
      shards.set(name, shard);
      return Object.assign(shard, { isOwn });
    });
  }

  const resumesMs = ({ fromMs }: Shard) => Math.max(fromMs, world.streamDownUntilMs);

  async function drainShard(shard: Shard): Promise<boolean> {
    if (!worker || shard.isBusy || world.nowMs < resumesMs(shard)) return false;
    if (shard.unread.length === 0)
      shard.unread = world.table.takeRecords(BATCH, worker.prefixes, shard.isOwn);
    if (shard.unread.length === 0) return world.table.size(shard.isOwn) > 0;
    const all = shard.unread;
    shard.isBusy = true;
    await run<SQSBatchResponse>(worker.name, { Records: all, shardId: shard.name }, (outcome, isLate) => {
      shard.isBusy = false;
      if (isLate) shard.fromMs = world.nowMs + LATE_MS;
      if (outcome.kind !== 'done') return;
      const failed = outcome.value.batchItemFailures[0]?.itemIdentifier;
      const from = all.findIndex((each) => each.dynamodb?.SequenceNumber === failed);
      shard.unread = failed === undefined ? [] : all.slice(from);
    });
    if (shard.unread.length > 0 && !shard.isBusy)
      shard.fromMs = Math.max(shard.fromMs, world.nowMs + AGAIN_MS);
    return true;
  }

  return {
    async drain() {
      let isBusy = false;
      for (const shard of allShards()) if (await drainShard(shard)) isBusy = true;
      return isBusy;
    },
    resumeTimesMs: () =>
      allShards()
        .filter((shard) => shard.unread.length > 0 || world.table.size(shard.isOwn) > 0)
        .map(resumesMs),
  };
}
