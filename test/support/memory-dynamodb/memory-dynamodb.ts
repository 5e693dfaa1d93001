import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { checkTables } from './checks.ts';
import { operationsOf } from './operations.ts';
import { createStore, type Store } from './store.ts';
import { streamClientOf } from './streams.ts';
import { Rejected } from './values.ts';

/** DynamoDB's response to an operation: 200 and its body, or a status and the error's. */
export type Reply = { status: number; body: Record<string, unknown> };

/** DynamoDB with one table, in memory. */
export type MemoryDynamoDb = {
  /** Performs an operation by its name in DynamoDB's API; items in the bodies are in wire form. */
  perform(operation: string, input: object): Promise<Reply>;
  streams: DynamoDBStreamsClient;
};

/**
 * DynamoDB's API on the one table, for tests of what is built on it: operations, expressions, limits and stream are those
 * of DynamoDB (compared with DynamoDB Local by memory-dynamodb.test.ts), at a twentieth of the time. Operations take
 * effect one by one, in the order of the calls, after the caller has waited.
 */
export function createMemoryDynamoDb(tableName: string): MemoryDynamoDb {
  const store = createStore();
  const perform = performerOf(tableName, store);
  return {
    streams: streamClientOf(store),
    async perform(operation, input) {
      await new Promise((resume) => setImmediate(resume));
      return perform(operation, input);
    },
  };
}

/** Performs operations on the items of a store immediately. */
export function performerOf(tableName: string, store: Store): (operation: string, input: object) => Reply {
  const operations = operationsOf(tableName, store);
  return (name, input) => {
    const operation = operations[name];
    if (!operation) throw new Error(`${name} is not available on a table in memory`);
    try {
      checkTables(tableName, input);
      return { status: 200, body: operation(input as never) as Record<string, unknown> };
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return { status: 400, body: { __type: error.type, message: error.message, ...error.more } };
    }
  };
}
