import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableShards, retryDelayMs } from '../../../../../infra/local/database/stream/stream-shards.ts';
import type { StreamShard } from '../../../../../infra/local/database/stream/stream-source.ts';

/** Shards that each descend from an earlier shard, from an unlisted shard, or from none. */
const shardTree = fc.array(fc.option(fc.nat(20), { nil: undefined }), { maxLength: 12 }).map((parents) =>
  parents.map((parent, index): StreamShard => {
    if (parent === undefined) return { id: `s${index}` };
    return { id: `s${index}`, parentId: parent < index ? `s${parent}` : 'trimmed' };
  }),
);

describe('stream shards', () => {
  it('reach the reader once, each after its parent, in whatever order they end', () => {
    fc.assert(
      fc.property(shardTree, fc.infiniteStream(fc.nat(20)), (shards, picks) => {
        const ended: string[] = [];
        for (const pick of picks) {
          const readable = readableShards(shards, (id) => ended.includes(id));
          if (readable.length === 0) break;
          const shardId = readable[pick % readable.length] ?? '';
          const parent = shards.find((shard) => shard.id === shardId)?.parentId;
          expect(parent === undefined || parent === 'trimmed' || ended.includes(parent)).toBe(true);
          ended.push(shardId);
        }
        expect(ended.sort()).toEqual(shards.map((shard) => shard.id).sort());
      }),
    );
  });
});

describe('the delay before a retry', () => {
  it('doubles from 100 ms to 5 s', () => {
    expect([1, 2, 3, 6, 7, 50].map(retryDelayMs)).toEqual([100, 200, 400, 3200, 5000, 5000]);
  });
});
