import * as v from 'valibot';
import {
  evaluateSlices,
  isInWindow,
  type SlicedState,
  shardMax,
} from '../../../domain/timing/throttle-slices.ts';
import { throttleShards } from '../../../domain/timing/throttling.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import type { Throttling } from '../../../schemas/content/notification-type.ts';
import type { Database } from '../../database.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { throttleStateKey } from '../../keys/user.ts';

const StoredShard = v.object({ slices: v.array(v.tuple([v.number(), v.number()])), revision: v.number() });

/** A limit that many users share: places are taken one by one, each from one of its shards. */
export type SharedLimit = {
  environmentId: string;
  throttling: { scope: string; config: Throttling; countedAtMs?: readonly number[] | undefined };
};

export type ThrottlePlaces = {
  /** Takes a place; undefined if none is free. `release` returns it, when what it was for was not sent. */
  take(limit: SharedLimit, nowMs: number): Promise<{ release: () => Promise<void> } | undefined>;
  countFree(limit: SharedLimit, nowMs: number): Promise<number>;
};

/** For that long, a process believes that a limit is reached: its configuration may change. */
const FULL_MS_MAX = 2000;
const FULL_MAX = 10_000;

/** A place is taken with one write of one shard, before its notification is stored; a crash between them wastes the place. */
export function createThrottlePlaces(table: Database): ThrottlePlaces {
  const fullUntilMs = new Map<string, number>();
  const keyOf = ({ environmentId, throttling: { scope } }: SharedLimit, shard: number) =>
    throttleStateKey(environmentId, undefined, `${scope}-${shard}`);

  async function read(limit: SharedLimit, shard: number) {
    const item = await table.get(keyOf(limit, shard), { consistent: true });
    return item ? readStored('throttle shard', StoredShard, item) : { slices: [], revision: 0 };
  }

  const evaluate = (limit: SharedLimit, shard: number, state: SlicedState, nowMs: number) => {
    const { config } = limit.throttling;
    const max = shardMax(config.max, shard, throttleShards(config));
    return evaluateSlices(state, { ...config, max }, nowMs);
  };

  const write = async (
    limit: SharedLimit,
    shard: number,
    slices: SlicedState,
    revision: number,
    more: object,
  ) => {
    const item = { ...keyOf(limit, shard), slices, revision: revision + 1, ...more };
    const condition = revision === 0 ? { condition: 'attribute_not_exists(pk)' } : atRevision(revision);
    return (await table.put(item, condition)).written;
  };

  /** Takes a place of the shard; returns until when it has none. */
  const takeFrom = (limit: SharedLimit, shard: number, nowMs: number) =>
    untilSettled(async () => {
      const { slices, revision } = await read(limit, shard);
      const { state, fullUntilMs, expiresAtMs } = evaluate(limit, shard, slices, nowMs);
      if (!state) return fullUntilMs;
      const more = expiresAtMs === undefined ? {} : { expiresAt: secondsAfter(expiresAtMs, DAY_SECONDS) };
      return (await write(limit, shard, state, revision, more)) ? 0 : AGAIN;
    });

  const release = (limit: SharedLimit, shard: number) =>
    untilSettled(async () => {
      const { slices, revision } = await read(limit, shard);
      const last = slices.at(-1);
      if (!last) return;
      const left: SlicedState = [...slices.slice(0, -1), [last[0], Math.max(0, last[1] - 1)]];
      return (await write(limit, shard, left, revision, {})) ? undefined : AGAIN;
    });

  return {
    async take(limit, nowMs) {
      const { config, countedAtMs = [], scope } = limit.throttling;
      if (isInWindow(countedAtMs, config, nowMs)) return { release: async () => undefined };
      const name = JSON.stringify([limit.environmentId, scope]);
      if ((fullUntilMs.get(name) ?? 0) > nowMs) return undefined;
      const shards = throttleShards(config);
      const first = Math.floor(Math.random() * shards);
      let freeAtMs = nowMs + FULL_MS_MAX;
      for (let count = 0; count < shards; count += 1) {
        const shard = (first + count) % shards;
        const full = await takeFrom(limit, shard, nowMs);
        if (full === 0) return { release: () => release(limit, shard) };
        freeAtMs = Math.min(freeAtMs, full);
      }
      if (fullUntilMs.size >= FULL_MAX) fullUntilMs.clear();
      fullUntilMs.set(name, freeAtMs);
      return undefined;
    },

    async countFree(limit, nowMs) {
      const { config } = limit.throttling;
      const shards = Array.from({ length: throttleShards(config) }, (_, shard) => shard);
      const free = shards.map(async (shard) => {
        const max = shardMax(config.max, shard, shards.length);
        const { state } = evaluate(limit, shard, (await read(limit, shard)).slices, nowMs);
        const taken = state?.reduce((sum, [, count]) => sum + count, 0);
        return taken === undefined ? 0 : max - taken + 1;
      });
      return (await Promise.all(free)).reduce((sum, count) => sum + count, 0);
    },
  };
}
