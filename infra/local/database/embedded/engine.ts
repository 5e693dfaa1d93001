import { type BatchInput, batchGet, batchWrite } from './operations/batches.ts';
import { getItem, query, type ReadInput, scan } from './operations/reads.ts';
import { describeStream, getRecords, getShardIterator, listStreams } from './operations/streams.ts';
import {
  openTokens,
  TOKEN_SCHEMA,
  type TransactGet,
  type TransactInput,
  type TransactWrite,
  transactGet,
  transactWrite,
} from './operations/transactions.ts';
import { type WriteInput, writeOne } from './operations/writes.ts';
import { Rejected } from './rejected.ts';
import { type Catalog, openCatalog } from './storage/catalog.ts';
import { openSqliteFile } from './storage/sqlite-file.ts';
import type { TableStore, TableStoreOptions } from './storage/table-store.ts';
import type { CreateTableInput } from './tables/create-table.ts';
import { checkParameters } from './tables/parameters.ts';
import {
  createTable,
  deleteTable,
  describeTable,
  describeTimeToLive,
  listTables,
  tableNamed,
  updateTable,
  updateTimeToLive,
} from './tables/tables.ts';

export type Request = { operation: string; input: object };
export type Reply = { status: number; body: Record<string, unknown> };

/** DynamoDB's API on a SQLite file: expressions, limits, errors, indexes and streams. */
export type Engine = {
  /** Performs an operation by its name in DynamoDB's API. A write is committed when the call returns. */
  perform(operation: string, input: object): Reply;
  /** Performs one after the other, each as if it were alone, with one commit for all. */
  performAll(requests: readonly Request[]): Reply[];
  table(name: string): TableStore;
  /** Deletes a table's items whose time to live has passed, as its stream then tells. Returns their number. */
  expire(name: string, nowMs: number): number;
  /** Lets the file grow no further than to so many pages, as a full disk does. */
  limitPages(count: number): void;
  close(): void;
};
export type EngineOptions = {
  /** A path, or `:memory:`. */
  file: string;
  nowMs?: () => number;
  onWrite?: TableStoreOptions['onWrite'];
};

const EXPIRED_AT_ONCE = 1000;

type Operation = (input: never) => object;
type Context = { catalog: Catalog; nowMs: () => number; tokens: ReturnType<typeof openTokens> };

export function openEngine({ file: path, nowMs = Date.now, onWrite = () => {} }: EngineOptions): Engine {
  const file = openSqliteFile(path);
  const catalog = openCatalog(file, { nowMs, onWrite });
  file.exec(TOKEN_SCHEMA);
  const context: Context = { catalog, nowMs, tokens: openTokens(file, nowMs) };
  const operations: Readonly<Record<string, Operation>> = { ...readsOf(context), ...writesOf(context) };
  const isRead = new Set(Object.keys(readsOf(context)));

  /** Throws what is no fault of the request. What is rejected has written nothing. */
  function response(name: string, input: object): Reply {
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    try {
      if (!operation) throw new Rejected('UnknownOperationException', `${name} is not supported here`);
      checkParameters(name, input as Record<string, unknown>);
      const run = () => operation(input as never) as Record<string, unknown>;
      return { status: 200, body: isRead.has(name) ? run() : file.inTransaction(run) };
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return { status: 400, body: { __type: error.type, message: error.message, ...error.more } };
    }
  }

  function perform(name: string, input: object): Reply {
    try {
      return response(name, input);
    } catch (error) {
      return failed(error);
    }
  }

  function performAll(requests: readonly Request[]): Reply[] {
    const all = () => requests.map(({ operation, input }) => response(operation, input));
    try {
      return requests.every(({ operation }) => isRead.has(operation)) ? all() : file.inTransaction(all);
    } catch {
      // Nothing is written. The one that fails must not keep the others from it.
      return requests.map(({ operation, input }) => perform(operation, input));
    }
  }

  return {
    perform,
    performAll,
    table: (name) => tableNamed(catalog, name),
    expire(name, atMs) {
      const store = tableNamed(catalog, name);
      return file.inTransaction(() => {
        const keys = store.expired(Math.floor(atMs / 1000), EXPIRED_AT_ONCE);
        for (const key of keys) store.write(key, store.find(key), undefined, 'ttl');
        return keys.length;
      });
    },
    limitPages: (count) => file.exec(`PRAGMA max_page_count = ${Math.floor(count)}`),
    close: file.close,
  };
}

/** SQLite failed, for example because the disk is full. The request wrote nothing. */
function failed(error: unknown): Reply {
  const reason = error instanceof Error ? error.message : 'unknown';
  return { status: 500, body: { __type: 'InternalServerError', message: `The table's file: ${reason}` } };
}

function readsOf({ catalog, nowMs }: Context): Record<string, Operation> {
  const storeOf = (name: string) => tableNamed(catalog, name);
  return {
    GetItem: (input: ReadInput) => getItem(storeOf(input.TableName), input),
    Query: (input: ReadInput) => query(storeOf(input.TableName), input),
    Scan: (input: ReadInput) => scan(storeOf(input.TableName), input),
    BatchGetItem: (input: BatchInput<never>) => batchGet(storeOf, input),
    TransactGetItems: (input: TransactInput<TransactGet>) => transactGet(storeOf, input),
    DescribeTable: (input: object) => describeTable(catalog, input),
    ListTables: (input: object) => listTables(catalog, input),
    DescribeTimeToLive: (input: object) => describeTimeToLive(catalog, input),
    ListStreams: (input: object) => listStreams(catalog, input),
    DescribeStream: (input: object) => describeStream(catalog, input),
    GetShardIterator: (input: object) => getShardIterator(catalog, input, nowMs()),
    GetRecords: (input: object) => getRecords(catalog, input, nowMs()),
  };
}

function writesOf({ catalog, nowMs, tokens }: Context): Record<string, Operation> {
  const storeOf = (name: string) => tableNamed(catalog, name);
  return {
    PutItem: (input: WriteInput) => writeOne(storeOf(input.TableName), 'Put', input),
    UpdateItem: (input: WriteInput) => writeOne(storeOf(input.TableName), 'Update', input),
    DeleteItem: (input: WriteInput) => writeOne(storeOf(input.TableName), 'Delete', input),
    BatchWriteItem: (input: BatchInput<never>) => batchWrite(storeOf, input),
    TransactWriteItems: (input: TransactInput<TransactWrite>) => transactWrite(storeOf, tokens, input),
    CreateTable: (input: CreateTableInput) => createTable(catalog, input, nowMs()),
    UpdateTable: (input: object) => updateTable(catalog, input),
    DeleteTable: (input: object) => deleteTable(catalog, input),
    UpdateTimeToLive: (input: object) => updateTimeToLive(catalog, input),
  };
}
