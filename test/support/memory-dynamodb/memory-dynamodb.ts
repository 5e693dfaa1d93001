import { checkTables } from './checks.ts';
import { operationsOf } from './operations.ts';
import type { Store } from './store.ts';
import { Rejected } from './values.ts';

/** DynamoDB's response to an operation: 200 and its body, or a status and the error's. */
export type Reply = { status: number; body: Record<string, unknown> };

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
