import type { TransactAction } from '../../shared/database/client/transactions.ts';
import type { Database } from '../../shared/database/database.ts';
import { logs, ownerOf } from '../../shared/database/entities/logs/logs.ts';
import { keyOf } from '../../shared/database/keys/key.ts';
import type { Item } from '../../shared/database/table.ts';
import { CHANNEL_QUEUES } from '../../shared/messaging/queue-names.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import type { OutageName } from './faults.ts';

type Named = { pk?: unknown; sk?: unknown };
type Which = (item: Named) => boolean;

/** A guard that is removed, to show that the runs notice. */
export type Mutant = {
  /** The guarantee that no longer holds. */
  name: string;
  /** The scenarios that notice, and the outage when they do; without an outage, under a single fault. */
  scenarios: readonly string[];
  outage?: OutageName;
  table?(table: Database): Database;
  /** Items that nobody tries to store. */
  skips?: Which;
  /** Queues that refuse messages and do not say so. */
  isRefusalHidden?: boolean;
  /** The price of a message is requested with the first receipt only. */
  isPriceOfNewOnly?: boolean;
  /** Reads whose failure counts as a missing item. */
  forgives?: RegExp;
  /** Queues whose messages are lost. */
  loses?: RegExp;
  /** Only what operators invoke lacks the guard. */
  isOfOperator?: boolean;
  /** Bodies of messages keep characters that queues reject. */
  isUnescaped?: boolean;
  /** A fault of this service during a delivery is recorded as its failure. */
  isFaultFinal?: boolean;
  /** An in-app item that cannot be pushed has failed. */
  needsSocket?: boolean;
  /** Outcomes are recorded when every message of their batch has one. */
  recordsWithBatch?: boolean;
  /** Functions do not know when they are stopped. */
  isTimeUnlimited?: boolean;
  /** A failed message of this worker fails its whole batch. */
  failsWholeBatches?: string;
};

/** Items whose partition key begins with `pk`, and whose sort key matches. */
export const ofKind =
  (pk: string, sk: RegExp): Which =>
  (item) =>
    String(item.pk).startsWith(pk) && sk.test(String(item.sk));

const namedIn = (action: TransactAction): Named => {
  if ('put' in action) return action.put;
  if ('update' in action) return action.update;
  return 'delete' in action ? action.delete : action.check;
};

/** Writes of these items always succeed. */
export function unconditional(isIt: Which) {
  const without = <T extends { condition?: string }>(options: T | undefined): Omit<T, 'condition'> => {
    const { condition: _, ...rest } = options ?? ({} as T);
    return rest;
  };
  return (table: Database): Database => ({
    ...table,
    put: (item, options) => table.put(item, isIt(item) ? without(options) : options),
    update: (key, expression, options) =>
      table.update(key, expression, isIt(key) ? without(options) : options),
    transact: (actions, options) =>
      table.transact(
        actions.map((action) =>
          isIt(namedIn(action)) && !('check' in action) ? (without(action) as TransactAction) : action,
        ),
        options,
      ),
  });
}

/** These items are not found. */
export function hidden(isIt: Which) {
  const seen = (item: Item | undefined) => (item && isIt(item) ? undefined : item);
  return (table: Database): Database => ({
    ...table,
    get: async (key, options) => seen(await table.get(key, options)),
    batchGet: async (keys, options) => (await table.batchGet(keys, options)).map(seen),
    queryAll: async (pk, prefix, options) =>
      (await table.queryAll(pk, prefix, options)).filter((item) => !isIt(item)),
  });
}

/** These items are stored with what `change` makes of them. */
export const changed =
  (isIt: Which, change: (item: Item) => Item) =>
  (table: Database): Database => ({
    ...table,
    put: (item, options) => table.put(isIt(item) ? change(item) : item, options),
  });

/** These items read as what `change` makes of them. */
export const changedOnRead =
  (isIt: Which, change: (item: Item) => Item) =>
  (table: Database): Database => ({
    ...table,
    get: async (key, options) =>
      isIt(key) ? change((await table.get(key, options)) ?? key) : table.get(key, options),
  });

/** Every read of a log by its deliverer counts as a call of the provider. */
export function countingReceives(table: Database): Database {
  return {
    ...table,
    queryAll: async (pk, prefix, options) => {
      const items = await table.queryAll(pk, prefix, options);
      if (!pk.startsWith('LOG#') || prefix !== '') return items;
      const receives = (receivesOf.get(pk) ?? 0) + 1;
      receivesOf.set(pk, receives);
      return [...items, { ...keyOf({ pk, sk: `EVENT#sms#attempt#${receives - 1}` }), at: 0, f: {} }];
    },
  };
}

/** By log: tracking IDs are of one run. */
const receivesOf = new Map<string, number>();

/** Queries of these partitions find nothing. */
export const unlisted =
  (prefix: string) =>
  (table: Database): Database => ({
    ...table,
    query: async (input) =>
      String(input.ExpressionAttributeValues?.[':pk']).startsWith(prefix)
        ? { items: [], lastKey: undefined }
        : table.query(input),
  });

/** These items, once written, are changed by `change`. */
export const changedAfterwards =
  (isIt: Which, change: (item: Item) => Item) =>
  (table: Database): Database => {
    const after = async <T>(key: Named, written: Promise<T>): Promise<T> => {
      const outcome = await written;
      const item = isIt(key) ? await table.get(keyOf(key as Item)) : undefined;
      if (item) await table.put(change(item));
      return outcome;
    };
    return {
      ...table,
      put: (item, options) => after(item, table.put(item, options)),
      update: (key, ...given) => after(key, table.update(key, ...given)),
    };
  };

/** Records the failure of a channel's message. */
export async function recordFailure(queue: string, body: string): Promise<void> {
  const channel = CHANNELS.find((each) => CHANNEL_QUEUES[each] === queue);
  const { trackingId } = JSON.parse(body);
  const head = channel && (await resolve(logs).findHead(trackingId, 0));
  if (!head) return;
  const event = { channel, stage: 'failed', atMs: head.receivedAtMs, fields: {} } as const;
  await resolve(logs).append(trackingId, ownerOf(head), event);
}
