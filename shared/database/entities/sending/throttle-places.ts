import * as v from 'valibot';
import {
  evaluateSlices,
  isInWindow,
  type SlicedState,
  shardMax,
} from '../../../domain/timing/throttle-slices.ts';
import { throttleShards } from '../../../domain/timing/throttling.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { randomText } from '../../../runtime/values/ids.ts';
import type { Throttling } from '../../../schemas/content/notification-type.ts';
import { isUnknownOutcome } from '../../client/lost-responses.ts';
import type { Database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { throttleStateKey } from '../../keys/user.ts';

/** Each slice of time is an attribute: places are added to it without a conflict. */
const SLICE = '@';
const sliceOf = (fromMs: number) => `${SLICE}${fromMs.toString(36)}`;
const StoredShard = v.objectWithRest(
  { pk: v.string(), sk: v.string(), taken: v.number(), lastId: v.string() },
  v.number(),
);

/** A place may have been taken by a write whose response was lost: another is taken, and it is wasted. */
function elseWasted(error: unknown) {
  if (!isUnknownOutcome(error)) throw error;
  return { written: false };
}

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
/** Enough to tell the writes of a moment apart. */
const ID_LENGTH = 8;

/**
 * A place is taken with one write of one shard, before its notification is stored; a crash between them wastes the place. As many
 * can be taken at the same moment as were free when the shard was read: `taken` is how many ever were.
 */
export function createThrottlePlaces(table: Database): ThrottlePlaces {
  const fullUntilMs = new Map<string, number>();
  // With `-`, older functions keep their own: in the window of a deployment, both count apart.
  const keyOf = ({ environmentId, throttling: { scope } }: SharedLimit, shard: number) =>
    throttleStateKey(environmentId, undefined, `${scope}.${shard}`);

  async function evaluate(limit: SharedLimit, shard: number, nowMs: number) {
    const item = await table.get(keyOf(limit, shard), { consistent: true });
    const stored = item && readStored('throttle shard', StoredShard, item);
    const slices = Object.entries(stored ?? {}).flatMap(
      ([name, count]): SlicedState =>
        name.startsWith(SLICE) ? [[Number.parseInt(name.slice(SLICE.length), 36), Number(count)]] : [],
    );
    const { config } = limit.throttling;
    const max = shardMax(config.max, shard, throttleShards(config));
    const state = slices.sort(([left], [right]) => left - right);
    return { taken: stored?.taken ?? 0, ...evaluateSlices(state, { ...config, max }, nowMs) };
  }

  /** Takes a place of the shard; returns until when it has none. */
  const takeFrom = (limit: SharedLimit, shard: number, nowMs: number) =>
    untilSettled(async () => {
      const { taken, free, fromMs, past, fullUntilMs, expiresAtMs } = await evaluate(limit, shard, nowMs);
      if (free < 1) return { fullUntilMs };
      const isEndless = expiresAtMs === undefined;
      const names = Object.fromEntries(past.map((pastMs, index) => [`#past${index}`, sliceOf(pastMs)]));
      const gone = [...Object.keys(names), ...(isEndless ? ['expiresAt'] : [])];
      const write = table.update(
        keyOf(limit, shard),
        [
          'ADD taken :one, #slice :one SET lastId = :id',
          isEndless ? '' : ', expiresAt = :expiresAt',
          gone.length === 0 ? '' : ` REMOVE ${gone.join(', ')}`,
        ].join(''),
        {
          // `lastId` recognizes a repeat of this write after a lost answer.
          condition: 'attribute_not_exists(taken) OR (taken < :end AND lastId <> :id)',
          names: { ...names, '#slice': sliceOf(fromMs) },
          values: {
            ...{ ':id': randomText(ID_LENGTH), ':one': 1, ':end': taken + free },
            ...(isEndless ? {} : { ':expiresAt': secondsAfter(expiresAtMs, DAY_SECONDS) }),
          },
        },
      );
      return (await write.catch(elseWasted)).written ? { fromMs } : AGAIN;
    });

  /** An error wastes the place: what it was for has its outcome. */
  const release = async (limit: SharedLimit, shard: number, fromMs: number) => {
    const names = { '#slice': sliceOf(fromMs) };
    await table
      .update(keyOf(limit, shard), 'ADD #slice :one', { names, values: { ':one': -1 } })
      .catch(() => undefined);
  };

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
        const { fromMs, fullUntilMs = 0 } = await takeFrom(limit, shard, nowMs);
        if (fromMs !== undefined) return { release: () => release(limit, shard, fromMs) };
        freeAtMs = Math.min(freeAtMs, fullUntilMs);
      }
      if (fullUntilMs.size >= FULL_MAX) fullUntilMs.clear();
      fullUntilMs.set(name, freeAtMs);
      return undefined;
    },

    async countFree(limit, nowMs) {
      const { config } = limit.throttling;
      const shards = Array.from({ length: throttleShards(config) }, (_, shard) => shard);
      const free = shards.map(async (shard) => Math.max(0, (await evaluate(limit, shard, nowMs)).free));
      return (await Promise.all(free)).reduce((sum, count) => sum + count, 0);
    },
  };
}
