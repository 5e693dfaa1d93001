import {
  ConditionalCheckFailedException,
  type ReturnConsumedCapacity,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { isAwsError } from '../http-client/aws-fault.ts';
import { backOff } from '../runtime/async/back-off.ts';
import { chunksOf } from '../runtime/async/chunks.ts';
import { requireSetting } from '../runtime/config.ts';
import { dependency } from '../runtime/dependency.ts';
import { defined } from '../runtime/values/defined.ts';
import { batchGet, type Connection } from './client/batch-reads.ts';
import { type CapacityObserver, PAUSES, putBatch } from './client/batch-writes.ts';
import { createDocumentClient } from './client/document-client.ts';
import { isAfterLoss, unknownOutcome } from './client/lost-responses.ts';
import type { Intended } from './client/lost-writes.ts';
import {
  cancelledTransaction,
  plainItem,
  type TransactAction,
  type TransactOutcome,
  transactItem,
  writtenKey,
} from './client/transactions.ts';
import { evictHeld } from './items/held-items.ts';
import { type Key, keyOf } from './keys/key.ts';
import type { Item } from './table.ts';

/** A condition or update in DynamoDB's expression language, with its names and values. */
type Expression = {
  names?: Record<string, string>;
  values?: Record<string, unknown>;
};

type Page = { items: Item[]; lastKey: Item | undefined };

/** Outcome of a conditional write: `false` with the current item, if the condition failed. */
export type ConditionalOutcome =
  | { written: true; item: Item | undefined }
  | { written: false; current: Item | undefined };

/** The one table's operations that entities are built of. Only `shared/database/entities` calls them. */
export type Database = {
  get(key: Key, options?: { consistent?: boolean }): Promise<Item | undefined>;
  /** Items in the order of `keys`, undefined if missing; retries unprocessed keys. */
  batchGet(keys: readonly Key[], options?: { consistent?: boolean }): Promise<(Item | undefined)[]>;
  put(item: Item, options?: Expression & { condition?: string }): Promise<ConditionalOutcome>;
  /**
   * Writes new items whose keys are unique, without a condition. Retries unprocessed items; returns the items that remain after
   * the last attempt.
   */
  batchPut(items: readonly Item[]): Promise<Item[]>;
  update(
    key: Key,
    expression: string,
    options?: Expression & { condition?: string },
  ): Promise<ConditionalOutcome>;
  delete(key: Key, options?: Expression & { condition?: string }): Promise<ConditionalOutcome>;
  query(input: Omit<QueryCommandInput, 'TableName'>): Promise<Page>;
  /** Every item under `pk` whose sort key starts with `prefix` (all if it is empty), all pages. */
  queryAll(pk: string, prefix: string, options?: { consistent?: boolean }): Promise<Item[]>;
  transact(actions: readonly TransactAction[], options?: { token?: string }): Promise<TransactOutcome>;
};

const CONFLICT_TRIES_MAX = 8;
const THROTTLED_TRIES_MAX = 4;
const BATCH_WRITE_MAX = 25;

export function createDatabase(
  client: DynamoDBDocumentClient,
  tableName: string,
  observe?: CapacityObserver,
): Database {
  const table = {
    TableName: tableName,
    ReturnConsumedCapacity: observe ? ('INDEXES' as ReturnConsumedCapacity) : undefined,
  };
  const connection: Connection = { client, tableName, observe, table };
  return {
    async get(key, options) {
      const output = await client.send(
        new GetCommand({ ...table, Key: key, ConsistentRead: options?.consistent }),
      );
      observe?.('get', output.ConsumedCapacity);
      return output.Item;
    },

    batchGet: (keys, options) => batchGet(connection, keys, options),

    async batchPut(items) {
      const unwritten: Item[] = [];
      for (const chunk of chunksOf(items, BATCH_WRITE_MAX))
        unwritten.push(...(await putBatch(client, tableName, chunk, observe)));
      return unwritten;
    },

    put: (item, options = {}) =>
      writeIf(connection, { kind: 'put', item }, keyOf(item), () =>
        client.send(new PutCommand({ ...table, Item: item, ...expressionOf(options) })),
      ),
    update: (key, expression, options) => updateItem(connection, key, expression, options),
    delete: (key, options = {}) =>
      writeIf(connection, { kind: 'delete' }, key, () =>
        client.send(new DeleteCommand({ ...table, Key: key, ...expressionOf(options) })),
      ),

    query: (input) => queryPage(connection, input),

    queryAll: (pk, prefix, options) => queryAll(connection, pk, prefix, options),
    transact: (actions, options) => transact(connection, actions, options),
  };
}

async function writeIf(
  connection: Connection,
  intended: Intended,
  key: Key,
  call: () => Promise<{ Attributes?: Item | undefined; ConsumedCapacity?: unknown }>,
): Promise<ConditionalOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const output = await call();
      connection.observe?.(intended.kind, output.ConsumedCapacity);
      return { written: true, item: output.Attributes };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) {
        return await outcomeOf(error, intended);
      }
      // A transaction on the same item is in progress: nothing was written, and it ends soon.
      if (!isAwsError(error, 'conflict') || attempt === CONFLICT_TRIES_MAX) throw error;
      await backOff(attempt, PAUSES);
    } finally {
      evictHeld(key);
    }
  }
}

/** The condition may have failed because this very write was made, and its response lost. */
async function outcomeOf(
  error: ConditionalCheckFailedException,
  intended: Intended,
): Promise<ConditionalOutcome> {
  const current = plainItem(error.Item);
  if (!isAfterLoss(error)) return { written: false, current };
  const { isDone } = await import('./client/lost-writes.ts');
  if (!isDone(intended, current)) throw unknownOutcome(error);
  return { written: true, item: intended.kind === 'update' ? current : undefined };
}

function updateItem(
  connection: Connection,
  key: Key,
  expression: string,
  options: Expression & { condition?: string } = {},
): Promise<ConditionalOutcome> {
  const intended = { kind: 'update', expression, ...defined(options) } as const;
  return writeIf(connection, intended, key, () =>
    connection.client.send(
      new UpdateCommand({
        ...connection.table,
        Key: key,
        UpdateExpression: expression,
        ReturnValues: 'ALL_NEW',
        ...expressionOf(options),
      }),
    ),
  );
}

async function queryPage(
  { client, table, observe }: Connection,
  input: Omit<QueryCommandInput, 'TableName'>,
): Promise<Page> {
  const output = await client.send(new QueryCommand({ ...table, ...input }));
  observe?.('query', output.ConsumedCapacity);
  return { items: output.Items ?? [], lastKey: output.LastEvaluatedKey };
}

async function queryAll(
  connection: Connection,
  pk: string,
  prefix: string,
  options?: { consistent?: boolean },
): Promise<Item[]> {
  const items: Item[] = [];
  let lastKey: Item | undefined;
  do {
    const page = await queryPage(connection, {
      KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ...defined({ ':prefix': prefix || undefined }) },
      ConsistentRead: options?.consistent,
      ExclusiveStartKey: lastKey,
    });
    items.push(...page.items);
    lastKey = page.lastKey;
  } while (lastKey);
  return items;
}

async function transact(
  connection: Connection,
  actions: readonly TransactAction[],
  options?: { token?: string },
): Promise<TransactOutcome> {
  try {
    // The SDK retries throttled calls, but a transaction that throttling cancelled is an error of another kind.
    for (let attempt = 1; ; attempt += 1) {
      const { throttled, ...outcome } = await tryTransact(connection, actions, options?.token);
      if (!throttled || attempt === THROTTLED_TRIES_MAX) return outcome;
      await backOff(attempt, PAUSES);
    }
  } finally {
    for (const action of actions) evictHeld(writtenKey(action));
  }
}

async function tryTransact(
  connection: Connection,
  actions: readonly TransactAction[],
  token: string | undefined,
): Promise<TransactOutcome & { throttled: boolean }> {
  try {
    const output = await connection.client.send(
      new TransactWriteCommand({
        TransactItems: actions.map((action) => transactItem(connection.tableName, action)),
        ClientRequestToken: token,
        ReturnConsumedCapacity: connection.observe ? 'INDEXES' : undefined,
      }),
    );
    connection.observe?.('transact', output.ConsumedCapacity);
    return { written: true, throttled: false };
  } catch (error) {
    if (isAwsError(error, 'conflict')) return { written: false, conflict: true, failed: [], throttled: true };
    if (!(error instanceof TransactionCanceledException)) throw error;
    return cancelledTransaction(error);
  }
}

function expressionOf(options: Expression & { condition?: string }) {
  return {
    ...(options.condition
      ? { ConditionExpression: options.condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }
      : {}),
    ExpressionAttributeNames: options.names,
    ExpressionAttributeValues: options.values,
  };
}

/** Settings: `TABLE_NAME`, and `DYNAMODB_ENDPOINT` for another server than AWS. */
export const database = dependency('database', () =>
  createDatabase(createDocumentClient(), requireSetting('TABLE_NAME')),
);
