import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { ConditionalOutcome, Database, TransactAction } from '../../shared/database/database.ts';
import type { Key } from '../../shared/database/keys.ts';
import { type Item, TABLE } from '../../shared/database/table.ts';
import { type Bindings, isMet, updated } from './expressions.ts';

/** A table in memory with the stream of its changes. */
export type MemoryTable = {
  database: Database;
  takeRecords(countMax: number): DynamoDBRecord[];
  size(): number;
};

export function createMemoryTable(): MemoryTable {
  const items = new Map<string, Item>();
  const records: DynamoDBRecord[] = [];
  let sequence = 0;

  const idOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;
  const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });
  /** As the document client stores it: no undefined, nothing shared with the caller. */
  const stored = (item: Item): Item => dropUndefined(structuredClone(item));

  function check(condition: string | undefined, key: Key, bindings: Bindings): boolean {
    return !condition || isMet(condition, items.get(idOf(key)), bindings);
  }

  function write(key: Key, item: Item | undefined): void {
    const before = items.get(idOf(key));
    if (item) items.set(idOf(key), stored(item));
    else items.delete(idOf(key));
    if (!item && !before) return;
    sequence += 1;
    records.push({
      eventName: item ? (before ? 'MODIFY' : 'INSERT') : 'REMOVE',
      dynamodb: {
        Keys: marshall(key) as NonNullable<DynamoDBRecord['dynamodb']>['Keys'] & object,
        ...(item ? { NewImage: imageOf(stored(item)) } : {}),
        SequenceNumber: String(sequence),
      },
    });
  }

  function conditional(
    key: Key,
    options: Bindings & { condition?: string },
    after: () => Item | undefined,
  ): ConditionalOutcome {
    const current = items.get(idOf(key));
    if (!check(options.condition, key, options))
      return { written: false, current: current && structuredClone(current) };
    const item = after();
    write(key, item);
    return { written: true, item: item ?? current };
  }

  function keyOfAction(action: TransactAction): Key {
    if ('put' in action) return keyOf(action.put);
    if ('update' in action) return action.update;
    return 'delete' in action ? action.delete : action.check;
  }

  const database: Database = {
    async get(key) {
      const item = items.get(idOf(key));
      return item && structuredClone(item);
    },
    batchGet: async (keys) => Promise.all(keys.map((key) => database.get(key))),
    async batchPut(all) {
      for (const item of all) write(keyOf(item), item);
    },
    put: async (item, options = {}) => conditional(keyOf(item), options, () => item),
    update: async (key, expression, options = {}) =>
      conditional(key, options, () => updated(expression, items.get(idOf(key)) ?? { ...key }, options)),
    delete: async (key, options = {}) => conditional(key, options, () => undefined),
    async query(input) {
      const index = input.IndexName as keyof typeof TABLE.indexes | undefined;
      const sortKey = index ? TABLE.indexes[index].sortKey : TABLE.sortKey;
      const bindings = {
        names: input.ExpressionAttributeNames ?? {},
        values: input.ExpressionAttributeValues ?? {},
      };
      const found = [...items.values()]
        .filter(
          (item) =>
            item[sortKey] !== undefined && isMet(String(input.KeyConditionExpression), item, bindings),
        )
        .sort((left, right) => (String(left[sortKey]) < String(right[sortKey]) ? -1 : 1));
      if (input.ScanIndexForward === false) found.reverse();
      const start =
        found.findIndex((item) => idOf(keyOf(item)) === idOf(keyOf(input.ExclusiveStartKey ?? {}))) + 1;
      const end = input.Limit === undefined ? found.length : Math.min(found.length, start + input.Limit);
      const page = found.slice(start, end);
      const filter = input.FilterExpression;
      const last = end < found.length ? page.at(-1) : undefined;
      return {
        items: structuredClone(filter ? page.filter((item) => isMet(filter, item, bindings)) : page),
        lastKey: last && { ...keyOf(last) },
      };
    },
    async queryAll(pk, prefix) {
      return structuredClone(
        [...items.values()]
          .filter((item) => item.pk === pk && String(item.sk).startsWith(prefix))
          .sort((left, right) => (String(left.sk) < String(right.sk) ? -1 : 1)),
      );
    },
    async transact(actions) {
      const failed = actions.flatMap((action, index) => {
        const key = keyOfAction(action);
        return check(action.condition, key, action) ? [] : [{ index, current: items.get(idOf(key)) }];
      });
      if (failed.length > 0) return { written: false, conflict: false, failed };
      for (const action of actions) {
        const key = keyOfAction(action);
        if ('put' in action) write(key, action.put);
        else if ('update' in action)
          write(key, updated(action.expression, items.get(idOf(key)) ?? { ...key }, action));
        else if ('delete' in action) write(key, undefined);
      }
      return { written: true };
    },
  };
  return {
    database,
    takeRecords: (countMax) => records.splice(0, countMax),
    size: () => records.length,
  };
}

/** The SDK and `aws-lambda` describe one and the same wire form. */
function imageOf(item: Item): NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']> {
  return marshall(item, { removeUndefinedValues: true }) as NonNullable<
    NonNullable<DynamoDBRecord['dynamodb']>['NewImage']
  >;
}

function dropUndefined(item: Item): Item {
  for (const [name, value] of Object.entries(item)) if (value === undefined) delete item[name];
  return item;
}
