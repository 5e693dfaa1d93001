import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { createDatabase, type Database } from '../../shared/database/database.ts';
import { DUE_SHARDS, duePk } from '../../shared/database/keys/indexes.ts';
import type { Item } from '../../shared/database/table.ts';
import { performerOf } from '../support/memory-dynamodb/memory-dynamodb.ts';
import { type Change, createStore } from '../support/memory-dynamodb/store.ts';
import { createTableClient } from '../support/table-client.ts';

/** A table in memory with the stream of its changes. */
export type MemoryTable = {
  database: Database;
  /** The next records of the stream's partitions that `isOwn` finds, with a prefix in `prefixes`. */
  takeRecords(countMax: number, prefixes: readonly string[], isOwn?: IsOwn): DynamoDBRecord[];
  /** Changes that nobody has taken yet. */
  size(isOwn?: IsOwn): number;
  /** Every item under a partition, or of all whose name begins so. */
  list(prefix: string): Item[];
  /** Events of logs that were written more than once, and heads that were accepted so. */
  rewritten: string[];
  /** Returns items that are due later, earliest first. */
  waiting(): Item[];
  /** Deletes what has expired by then. */
  expire(nowMs: number): void;
  /** Records of the stream that are lost: records of items that `isLost` finds. */
  lose(isLost: (item: Item) => boolean): void;
};

type IsOwn = (pk: string) => boolean;

const NAME = 'notifications';

export function createMemoryTable(): MemoryTable {
  const rewritten: string[] = [];
  const store = createStore((write) => {
    if (isAgain(write)) rewritten.push(write.sk);
  });
  const perform = performerOf(NAME, store);
  let unread: Change[] = [];
  let isLost: ((item: Item) => boolean) | undefined;
  let listed = 0;

  /** Makes the changes since the last call readable. */
  function follow(): void {
    for (; listed < store.changes.length; listed += 1) {
      const change = store.changes[listed];
      if (change && !(change.after && isLost?.(plain(change.after)))) unread.push(change);
    }
  }

  return {
    database: createDatabase(
      createTableClient(async (operation, input) => perform(operation, input)),
      NAME,
    ),
    rewritten,
    takeRecords(countMax, prefixes, isOwn = () => true) {
      follow();
      const taken = new Set(unread.filter(({ pk }) => isOwn(pk)).slice(0, countMax));
      unread = unread.filter((change) => !taken.has(change));
      return [...taken].filter(({ pk }) => prefixes.some((prefix) => pk.startsWith(prefix))).map(recordOf);
    },
    size(isOwn = () => true) {
      follow();
      return unread.filter(({ pk }) => isOwn(pk)).length;
    },
    expire(nowMs) {
      for (const { pk, sk, item } of [...store.all()])
        if (item.expiresAt && Number(item.expiresAt.N) * 1000 <= nowMs) store.write({ pk, sk }, undefined);
    },
    lose(next) {
      follow();
      isLost = next;
    },
    list: (prefix) =>
      [...store.all()].flatMap(({ pk, item }) => (pk.startsWith(prefix) ? [plain(item)] : [])),
    waiting: () =>
      Array.from({ length: DUE_SHARDS }, (_, shard) => store.partition('due', duePk(shard)))
        .flat()
        .sort((left, right) => (left.sort < right.sort ? -1 : 1))
        .map(({ item }) => plain(item)),
  };
}

function plain(item: Record<string, AttributeValue>): Item {
  return unmarshall(item);
}

/** An event is written once. So is an accepted head, but that it may be kept longer, or erased. */
function isAgain({ sk, before, after }: Pick<Change, 'sk' | 'before' | 'after'>): boolean {
  if (!before || !after) return false;
  if (sk.startsWith('EVENT#')) return true;
  const isSame = before.u?.S === after.u?.S && before.expiresAt?.N === after.expiresAt?.N;
  return sk === 'HEAD' && before.state?.S === 'accepted' && after.state?.S === 'accepted' && isSame;
}

type StreamImage = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

function recordOf({ pk, sk, before, after, sequence }: Change): DynamoDBRecord {
  return {
    eventName: after ? (before ? 'MODIFY' : 'INSERT') : 'REMOVE',
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      // The SDK and `aws-lambda` describe one and the same wire form.
      ...(after ? { NewImage: after as StreamImage } : {}),
      SequenceNumber: String(sequence),
    },
  };
}
